"""The manifest: what a dataset is, how it was made, and a hash of every file. Being listed in it is being done."""

import platform
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import comphy
from comphy.dataset import layout
from comphy.errors import DatasetError
from comphy.files import read_json, require, sha256, write_json


@dataclass(frozen=True)
class Recipe:
    """All that decides a dataset's bytes. A folder holds sets of one recipe only."""

    seed: int
    renderer: str
    config: dict[str, Any]
    schema_version: int = layout.SCHEMA_VERSION

    def record(self) -> dict[str, Any]:
        return {
            "schema_version": self.schema_version,
            "seed": self.seed,
            "renderer": self.renderer,
            "config": self.config,
        }


@dataclass(frozen=True)
class FileEntry:
    sha256: str
    bytes: int

    @staticmethod
    def of(path: Path) -> "FileEntry":
        return FileEntry(sha256(path), path.stat().st_size)


@dataclass(frozen=True)
class SetEntry:
    """A finished set: its files, and how many draws were thrown away for which reason."""

    index: int
    files: dict[str, FileEntry]
    rejections: dict[str, int] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        files = {path: {"sha256": entry.sha256, "bytes": entry.bytes} for path, entry in sorted(self.files.items())}
        return {
            "index": self.index,
            "split": layout.split_of(self.index),
            "files": files,
            "rejections": self.rejections,
        }

    @staticmethod
    def parse(record: Any, where: str) -> "SetEntry":
        rejections = require(record, "rejections", dict, where)
        index = require(record, "index", int, where)
        if index < 0 or not all(type(count) is int for count in rejections.values()):
            raise DatasetError(
                f"{where}: expected an index of at least 0 and counts as 'rejections'. Generate it again."
            )
        return SetEntry(index, _parse_files(require(record, "files", dict, where), where), dict(rejections))


@dataclass(frozen=True)
class Manifest:
    recipe: Recipe
    versions: dict[str, str]
    sets: dict[int, SetEntry]
    files: dict[str, FileEntry]  # of the dataset as a whole: card, metadata, pack

    def rejections(self) -> Counter[str]:
        return sum((Counter(entry.rejections) for entry in self.sets.values()), Counter[str]())

    def record(self) -> dict[str, Any]:
        """What the file says."""
        return {
            "name": "comphy",
            **self.recipe.record(),
            "versions": self.versions,
            "set_count": len(self.sets),
            "splits": {name: [i for i in sorted(self.sets) if layout.split_of(i) == name] for name in layout.SPLITS},
            "rejections": dict(sorted(self.rejections().items())),
            "files": {name: {"sha256": e.sha256, "bytes": e.bytes} for name, e in sorted(self.files.items())},
            "sets": [self.sets[i].record() for i in sorted(self.sets)],
        }

    def write(self, root: Path) -> None:
        write_json(root / layout.MANIFEST, self.record(), indent=1)

    @staticmethod
    def read(root: Path) -> "Manifest":
        path = root / layout.MANIFEST
        where = str(path)
        if not path.exists():
            raise DatasetError(
                f"{root}: no manifest.json here, so no finished dataset. Run comphy generate to the end."
            )
        record = read_json(path, "generate the dataset, or copy it, again")
        entries = [SetEntry.parse(r, f"{where}: sets[{k}]") for k, r in enumerate(require(record, "sets", list, where))]
        return Manifest(
            read_recipe(record, where),
            dict(require(record, "versions", dict, where)),
            {entry.index: entry for entry in entries},
            _parse_files(require(record, "files", dict, where), where),
        )


def read_recipe(record: Any, where: str) -> Recipe:
    found = require(record, "schema_version", int, where)
    if found not in layout.READABLE_VERSIONS:
        known = " or ".join(map(str, layout.READABLE_VERSIONS))
        raise DatasetError(
            f"{where}: expected schema version {known} (got {found}). "
            "Use the comphy version that made it, or generate it again into another folder."
        )
    return Recipe(
        require(record, "seed", int, where),
        require(record, "renderer", str, where),
        require(record, "config", dict, where),
        found,
    )


def _parse_files(record: dict[str, Any], where: str) -> dict[str, FileEntry]:
    return {
        path: FileEntry(
            require(entry, "sha256", str, f"{where}: {path}"), require(entry, "bytes", int, f"{where}: {path}")
        )
        for path, entry in record.items()
    }


def current_versions(renderer: str) -> dict[str, str]:
    """Versions that may change the bytes: the toolkit, the interpreter's arithmetic, the engines."""
    names = ["numpy", "pybullet", "scipy"]
    names += ["av"] if renderer != "none" else []
    names += ["torch"] if renderer == "raytrace" else []
    found = {"comphy": comphy.__version__, "python": platform.python_version(), "machine": platform.machine()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
