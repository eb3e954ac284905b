"""The index of a cache: what it was made from, the shapes of its arrays, and which sets are done.

What a cache holds is told by the shape of a set in it: of perceived sets `CacheShape`, of frame features another one.
A cache belongs to one checkpoint, one dataset and one choice of settings. Mixing them would train a model on
features of two worlds, so a cache of another kind is refused and never written over.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import prod
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import numpy as np

from comphy.damage import reading
from comphy.errors import DatasetError
from comphy.files import read_json, require, sha256, write_json
from models.train.checkpoint import checkpoint_files

INDEX: Final = "index.json"
VERSION: Final = 3  # 1 held references that were aligned once and for all; 2 is the same without rounding
READ: Final = (2, VERSION)
Arrays = dict[str, tuple[tuple[int, ...], np.dtype[Any]]]  # by name: shape and type of a set's row


class SetShape(Protocol):
    """How many of everything one set has at most: a dataclass of whole numbers. `KIND` names the cache, `MADE_BY` the
    command that fills it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    KIND: ClassVar[str]
    MADE_BY: ClassVar[str]

    def arrays(self) -> Arrays: ...


R = TypeVar("R", bound=SetShape)


def remedy(shape: type[SetShape]) -> str:
    """What to do about a cache that cannot be used."""
    return f"Delete the folder and run {shape.MADE_BY} again, or use another folder"


@dataclass(frozen=True)
class CacheKey:
    """What decides a cache's numbers: hashes of the network's checkpoint and of the source of sets, and settings
    of frames and tracking as plain JSON."""

    checkpoint: str
    dataset: str
    settings: Mapping[str, Any]

    @staticmethod
    def of(checkpoint: Path, source: str, settings: Mapping[str, Any]) -> "CacheKey":
        """The checkpoint may be split over several files; `source` is the fingerprint of the source of sets."""
        return CacheKey(_hash(checkpoint), source, json.loads(json.dumps(settings)))


@dataclass(frozen=True)
class CacheShape:
    """How much of everything one perceived set has at most, and the size of the picture its boxes are in."""

    KIND: ClassVar[str] = "comphy feature cache"
    MADE_BY: ClassVar[str] = "comphy perceive"

    width: int = 480
    height: int = 320
    objects: int = 5
    frames: int = 125
    references: int = 4
    reference_frames: int = 50
    features: int = 512

    def arrays(self) -> Arrays:
        """By name: shape and type of a set's row. `extent` and `tracks` tell how much of a row is used."""
        count, flag, number, half = (np.dtype(kind) for kind in ("<i8", np.bool_, "<f4", "<f2"))
        references = (self.references, self.reference_frames, self.objects)
        return {
            "extent": ((4,), count),
            "tracks": ((self.references,), count),
            "target_boxes": ((self.frames, self.objects, 4), number),
            "target_seen": ((self.frames, self.objects), flag),
            "target_features": ((self.objects, self.features), half),
            "reference_boxes": ((*references, 4), number),
            "reference_seen": (references, flag),
            "reference_features": ((self.references, self.objects, self.features), half),
            "owners": ((self.references, self.objects), count),
        }

    def bytes_per_set(self) -> int:
        return bytes_per_set(self)


def bytes_per_set(shape: SetShape) -> int:
    return sum(kind.itemsize * prod(extent) for extent, kind in shape.arrays().values())


@dataclass(frozen=True)
class CacheIndex(Generic[R]):
    """`sets` has a row each, in this order; `done` are those whose rows are complete."""

    key: CacheKey
    shape: R
    sets: tuple[int, ...]
    done: frozenset[int]
    version: int = VERSION

    @property
    def remedy(self) -> str:
        return remedy(type(self.shape))

    def write(self, folder: Path) -> None:
        record = {
            "kind": self.shape.KIND,
            "version": self.version,
            "key": asdict(self.key),
            "shape": _plain(self.shape),
            "sets": list(self.sets),
            "done": sorted(self.done),
        }
        write_json(folder / INDEX, record)

    @staticmethod
    def read(folder: Path, shape: type[R]) -> "CacheIndex[R]":
        """Raises DatasetError for a cache of another kind, or a damaged one."""
        path = folder / INDEX
        if not path.is_file():
            raise DatasetError(f"{path}: expected the index of a {shape.KIND} (found none). Run {shape.MADE_BY} first.")
        record, where = read_json(path, f"delete the folder and run {shape.MADE_BY} again"), str(path)
        kind, version = require(record, "kind", str, where), require(record, "version", int, where)
        if kind != shape.KIND or version not in READ:
            raise DatasetError(
                f"{where}: expected a {shape.KIND} of version {' or '.join(map(str, READ))} (found {kind} {version}). "
                f"{remedy(shape)}."
            )
        with reading(where, f"{remedy(shape)}."):
            return CacheIndex(
                _key(require(record, "key", dict, where), where),
                _shape(require(record, "shape", dict, where), where, shape),
                tuple(require(record, "sets", list, where)),
                frozenset(require(record, "done", list, where)),
                version,
            )

    def require_rounded(self, folder: Path) -> None:
        """Rows that are rounded are not added to rows that are not."""
        if self.version != VERSION:
            raise DatasetError(
                f"{folder / INDEX}: expected a {self.shape.KIND} of version {VERSION} to add sets to (found version "
                f"{self.version}, whose boxes and features are not rounded; it can still be read). "
                f"{self.remedy}."
            )

    def require_key(self, expected: CacheKey, folder: Path) -> None:
        for name, wanted in asdict(expected).items():
            found = getattr(self.key, name)
            if found != wanted:
                raise DatasetError(
                    f"{folder / INDEX}: a cache of another {name}: expected {_brief(wanted)} (found {_brief(found)}). "
                    f"{self.remedy}."
                )

    def require_shape(self, shape: R, sets: tuple[int, ...], folder: Path) -> None:
        if self.shape != shape:
            raise DatasetError(f"{folder / INDEX}: expected {shape} (found {self.shape}). {self.remedy}.")
        if self.sets != sets:
            raise DatasetError(
                f"{folder / INDEX}: expected room for {len(sets)} sets (found {len(self.sets)}, or others). {self.remedy}."
            )


def _hash(path: Path) -> str:
    """Of one file its own hash, of several parts the hash of theirs."""
    hashes = [sha256(file) for file in checkpoint_files(path)]
    if not hashes:
        raise DatasetError(f"{path}: expected a file to know the cache by (found none). Check the path.")
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


def _key(record: dict[str, Any], where: str) -> CacheKey:
    return CacheKey(
        require(record, "checkpoint", str, where),
        require(record, "dataset", str, where),
        require(record, "settings", dict, where),
    )


def _shape(record: dict[str, Any], where: str, shape: type[R]) -> R:
    return shape(**{field.name: require(record, field.name, int, where) for field in fields(shape)})


def _plain(shape: SetShape) -> dict[str, int]:
    return {field.name: getattr(shape, field.name) for field in fields(shape)}


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= 200 else f"{text[:200]}…"
