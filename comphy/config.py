"""Typed configuration: YAML files and dotted overrides become dataclasses; every mistake is reported at once."""

import dataclasses
import math
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from comphy.errors import ComphyError, ConfigError, MissingDependency, did_you_mean

T = TypeVar("T")

_REFERENCE: Final = re.compile(r"\$\{[\w.\[\]]+\}")  # to another key
_SEED: Final = re.compile(r"seed(s\[\d+\])?$")
_GREATEST: Final = 2**63 - 1
_LONGEST_REASON: Final = 400  # characters
_MOST_NAMED: Final = 8  # values that differ, in a message
_EXPECTED: Final = "Expected YAML with `key: value` lines."


def load_config(kind: type[T], path: Path, overrides: Sequence[str] = ()) -> T:
    """Read `path`, apply overrides such as `scene.max_objects=4`, and build the dataclass `kind` from the result.

    A file that has `base: other.yaml`, named from its own folder, says only what it changes of that file. A value may
    refer to another one (`${picture.width}`), but not to the environment or to anything else outside the config."""
    try:
        from omegaconf import OmegaConf
    except ImportError as error:
        raise MissingDependency("Reading configs needs omegaconf: pip install 'omegaconf<2.4'") from error
    with _usable(path):
        changes = OmegaConf.from_dotlist(list(overrides))
        _refuse_resolvers(OmegaConf.to_container(changes, resolve=False), "the command's changes")
        values = OmegaConf.to_container(OmegaConf.merge(_read(path), changes), resolve=True)
    return build(kind, values, str(path))


def read_yaml(path: Path, then: str = _EXPECTED) -> Any:
    """What a YAML file holds, as plain data. Raises `ConfigError`, which ends with `then`, if it cannot be read."""
    import yaml

    with _usable(path, then):
        return yaml.safe_load(path.read_text())


@contextmanager
def _usable(path: Path, then: str = _EXPECTED) -> Iterator[None]:
    """Turns what the readers of YAML raise, of which there is much, into one error."""
    try:
        yield
    except ComphyError:
        raise
    except RecursionError:
        raise ConfigError(f"{path}: not a usable config (its sections are nested too deeply). {then}") from None
    except Exception as error:
        raise ConfigError(f"{path}: not a usable config ({str(error)[:_LONGEST_REASON]}). {then}") from None


def _refuse_resolvers(values: Any, where: str, name: str = "") -> None:
    """A resolver, such as `${oc.env:TOKEN}`, would bring into manifests and logs what is on this machine only."""
    if isinstance(values, Mapping):
        for key, value in values.items():
            _refuse_resolvers(value, where, f"{name}.{key}" if name else str(key))
    elif isinstance(values, list):
        for number, value in enumerate(values):
            _refuse_resolvers(value, where, f"{name}[{number}]")
    elif isinstance(values, str) and "${" in _REFERENCE.sub("", values):
        raise ConfigError(
            f"{where}: {name}: expected a value, or a reference to another key such as ${{picture.width}} (got {values!r}). "
            "Resolvers (${name:…}) are not allowed: write the value itself."
        )


def _read(path: Path, readers: tuple[Path, ...] = ()) -> Any:
    """What a file says, over what its base says. `readers` are the files that have named it as their base."""
    from omegaconf import DictConfig, OmegaConf

    if not path.is_file():
        named = f" (the base of {readers[-1]})" if readers else ""
        raise ConfigError(f"{path}: no such config file{named}. Those that ship with the toolkit are in configs/.")
    if path.resolve() in (reader.resolve() for reader in readers):
        raise ConfigError(f"{path}: is its own base, by way of {readers[-1]}. Take `base` out of one of the two.")
    values = OmegaConf.load(path)
    _refuse_resolvers(OmegaConf.to_container(values, resolve=False), str(path))
    base = values.pop("base", None) if isinstance(values, DictConfig) else None
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: base: expected the name of a config file (got {base!r}).")
    return OmegaConf.merge(_read(path.parent / base, (*readers, path)), values)


def build(kind: type[T], values: Any, where: str) -> T:
    """A dataclass from plain data; unknown keys, wrong types and missing values are listed together.

    A dataclass may have `RENAMED: ClassVar[Mapping[str, str]]`, from keys of earlier versions to those of today: such a key
    is refused with its new name. `RENAMED_VALUES: ClassVar[Mapping[str, Mapping[str, str]]]` says so of a key's values."""
    problems: list[str] = []
    result = _build(kind, values, "", problems)
    if problems:
        raise ConfigError(f"{where}: the config cannot be used:\n  - " + "\n  - ".join(problems))
    return typing.cast(T, result)


def _build(kind: Any, values: Any, prefix: str, problems: list[str]) -> Any:
    if not isinstance(values, dict):
        problems.append(f"{prefix or 'the file'}: expected a section with keys (got {_shown(values)})")
        return None
    fields = {field.name: field for field in dataclasses.fields(kind)}
    hints = typing.get_type_hints(kind)
    renamed = getattr(kind, "RENAMED", {})
    for key in values:
        if key in renamed:
            problems.append(f"{prefix}{key}: this key is called '{renamed[key]}' now")
        elif key not in fields:
            problems.append(f"{prefix}{key}: unknown key; {did_you_mean(str(key), fields)}")
    arguments: dict[str, Any] = {}
    for name, field in fields.items():
        if name in values:
            arguments[name] = _convert(hints[name], values[name], f"{prefix}{name}", problems)
            if (new := _renamed_value(kind, name, values[name])) is not None:
                problems.append(f"{prefix}{name}: '{values[name]}' is called '{new}' now")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            problems.append(f"{prefix}{name}: missing, and it has no default")
    if problems:
        return None
    try:
        return kind(**arguments)
    except ValueError as error:
        problems.append(f"{prefix.rstrip('.') or 'the file'}: {error}")
        return None


def _renamed_value(kind: Any, key: str, value: Any) -> str | None:
    """What a value of an earlier version is called today; None if it has not been renamed."""
    names: Mapping[str, str] = getattr(kind, "RENAMED_VALUES", {}).get(key, {})
    return names.get(value) if isinstance(value, str) else None


def under_present_names(kind: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """What an earlier version has stored of a dataclass, with the keys and values of today, in all of its sections."""
    hints, renamed = typing.get_type_hints(kind), getattr(kind, "RENAMED", {})
    found: dict[str, Any] = {}
    for key, value in values.items():
        name = renamed.get(key, key)
        if dataclasses.is_dataclass(hints.get(name)) and isinstance(value, Mapping):
            value = under_present_names(hints[name], value)
        new = _renamed_value(kind, name, value)
        found[name] = value if new is None else new
    return found


def differences(found: Any, wanted: Any, name: str = "") -> list[str]:
    """Every value of two configs that differs, by its dotted key: `sets: 12 there, 6 wanted`. A key that one of them lacks
    is None there."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        keys = sorted(found.keys() | wanted.keys())
        parts = (differences(found.get(key), wanted.get(key), f"{name}.{key}" if name else key) for key in keys)
        return [one for part in parts for one in part]
    return [] if found == wanted else [f"{name}: {found} there, {wanted} wanted"]


def named_differences(differing: Sequence[str]) -> str:
    """The first of `differences`, and how many more there are."""
    more = f"; and {len(differing) - _MOST_NAMED} more" if len(differing) > _MOST_NAMED else ""
    return "; ".join(differing[:_MOST_NAMED]) + more


def _convert(kind: Any, value: Any, name: str, problems: list[str]) -> Any:
    if dataclasses.is_dataclass(kind):
        return _build(kind, value, f"{name}.", problems)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None and type(None) in arguments:
            return None
        return _convert(next(a for a in arguments if a is not type(None)), value, name, problems)
    if origin is dict and isinstance(value, dict):
        return {str(k): _convert(arguments[1], v, f"{name}.{k}", problems) for k, v in value.items()}
    if origin is tuple and isinstance(value, list):
        return tuple(_convert(arguments[0], entry, f"{name}[{k}]", problems) for k, entry in enumerate(value))
    if kind is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _GREATEST:
        return float(value)
    expected = origin or kind
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        problems.append(f"{name}: expected {getattr(expected, '__name__', expected)} (got {_shown(value)})")
    elif isinstance(value, float) and not math.isfinite(value):
        problems.append(f"{name}: expected a number (got {value!r})")
    elif isinstance(value, int) and abs(value) > _GREATEST:
        problems.append(f"{name}: expected a number of at most 63 bits (got {_shown(value)})")
    elif isinstance(value, int) and value < 0 and _SEED.search(name):
        problems.append(f"{name}: expected a seed of at least 0 (got {value})")
    return value


def _shown(value: Any) -> str:
    """Python refuses to print numbers of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _LONGEST_REASON:
        return f"a number of {value.bit_length()} bits"
    return repr(value)


def to_plain(config: Any) -> dict[str, Any]:
    """The dataclass as plain data, as a YAML or JSON file gives it back."""
    return dataclasses.asdict(config, dict_factory=lambda items: {key: _plain(value) for key, value in items})


def _plain(value: Any) -> Any:
    return [_plain(entry) for entry in value] if isinstance(value, (tuple, list)) else value
