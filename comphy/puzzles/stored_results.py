"""Folders of simulated results: each belongs to one kind, told in its manifest, and is refused if that is another one."""

from collections.abc import Collection, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from comphy.errors import DatasetError
from comphy.files import read_json

ENGINE: Final = "pybullet"
NOT_INSTALLED: Final = "not installed"


def engine_version() -> str:
    """Of the installed engine, or `NOT_INSTALLED`."""
    try:
        return version(ENGINE)
    except PackageNotFoundError:
        return NOT_INSTALLED


def check_manifest(path: Path, kind: Mapping[str, Any], of_engine: Collection[str] = (ENGINE,)) -> None:
    """Compare the manifest of a folder with the kind of results that are wanted.

    Args:
        path: the manifest.
        kind: what results depend on, among it the version of the engine.
        of_engine: what cannot be known without the engine. Results can be read without it.

    Raises:
        DatasetError: the folder holds results of another kind."""
    found, expected = read_json(path, "delete the folder and simulate again"), dict(kind)
    if expected[ENGINE] == NOT_INSTALLED and isinstance(found, dict):
        expected |= {name: found.get(name) for name in of_engine}
    if found != expected:
        raise DatasetError(
            f"{path}: expected results of {_told(expected)} (got {_told(found)}). "
            "Take another folder, or delete this one if its results are no longer wanted."
        )


def _told(kind: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in kind.items()) if isinstance(kind, dict) else str(kind)[:80]
