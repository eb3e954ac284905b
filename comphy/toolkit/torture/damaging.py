"""Damages to the content of a file: what disks, networks, editors and people do to it."""

import json
from collections.abc import Callable
from typing import Any, Final

import numpy as np

Damage = Callable[[bytes, np.random.Generator], bytes | None]
HOSTILE: Final = (
    "null", "true", "-1", "1e400", "NaN", "-Infinity", "9" * 5000, '"x"', "[]", "{}", '"\\ud800"', "0.1234567",
    '{"a":' * 60_000 + "1" + "}" * 60_000, str(2**63), "[[]]",
)  # fmt: skip
_MARK: Final = "a place of the JSON that is written over"


def flip_bits(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        if changed:
            changed[rng.integers(len(changed))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def truncate(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: rng.integers(len(content))] if content else b""


def delete(content: bytes, rng: np.random.Generator) -> None:
    """The file is gone."""


def duplicate_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, end = _slice(content, rng)
    return content[:end] + content[start:]


def zero_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, end = _slice(content, rng)
    return content[:start] + bytes(end - start) + content[end:]


def insert_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    start, _ = _slice(content, rng)
    return content[:start] + rng.bytes(int(rng.integers(1, 20))) + content[start:]


def empty(content: bytes, rng: np.random.Generator) -> bytes:
    return b""


def replace_value(content: bytes, rng: np.random.Generator) -> bytes:
    """A value of the JSON becomes null, NaN, an integer of 5,000 digits, a deep nest, or something else hostile."""
    record = json.loads(content)
    parent, key = _place(record, rng)
    if parent is None:
        return HOSTILE[rng.integers(len(HOSTILE))].encode()
    parent[key] = _MARK
    return json.dumps(record).replace(f'"{_MARK}"', HOSTILE[rng.integers(len(HOSTILE))]).encode()


def change_number(content: bytes, rng: np.random.Generator) -> bytes:
    """A number, word or truth value of the JSON becomes another one of its type."""
    record = json.loads(content)
    parent, key = _place(record, rng)
    if parent is not None:
        parent[key] = _other(parent[key], rng)
    return json.dumps(record).encode()


def drop_entry(content: bytes, rng: np.random.Generator) -> bytes:
    record = json.loads(content)
    parent, key = _place(record, rng)
    if parent is not None:
        del parent[key]
    return json.dumps(record).encode()


def double_entry(content: bytes, rng: np.random.Generator) -> bytes:
    """An entry of a list stands there twice, or a key of an object has a second name."""
    record = json.loads(content)
    parent, key = _place(record, rng)
    if isinstance(parent, list):
        parent.insert(key, parent[key])
    elif parent is not None:
        parent[f"{key}_2"] = parent[key]
    return json.dumps(record).encode()


def reformat(content: bytes, rng: np.random.Generator) -> bytes:
    """The same JSON, written in another way: a file that only looks changed."""
    return json.dumps(json.loads(content), indent=int(rng.integers(0, 5))).encode()


BYTES: Final[tuple[Damage, ...]] = (
    flip_bits, truncate, delete, duplicate_bytes, zero_bytes, insert_bytes, empty,
)  # fmt: skip
JSON: Final[tuple[Damage, ...]] = (replace_value, change_number, drop_entry, double_entry, reformat)


def _slice(content: bytes, rng: np.random.Generator) -> tuple[int, int]:
    start = int(rng.integers(len(content) + 1))
    return start, min(len(content), start + int(rng.integers(1, 64)))


def _place(record: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A random container of the record and a key of it; each level is as likely as the next."""
    parent, key = None, None
    while isinstance(record, dict | list) and record:
        if parent is not None and rng.random() < 0.2:
            break
        parent, key = record, _key(record, rng)
        record = parent[key]
    return parent, key


def _key(record: Any, rng: np.random.Generator) -> Any:
    number = int(rng.integers(len(record)))
    return list(record)[number] if isinstance(record, dict) else number


def _other(value: Any, rng: np.random.Generator) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + int(rng.choice((-1, 1, 7)))
        case float():
            return value + float(rng.choice((-1, 1))) * float(rng.choice((1e-6, 0.01, 3.0)))
        case str():
            return value[1:] + value[:1] if len(set(value)) > 1 else value + "s"
        case _:
            return value
