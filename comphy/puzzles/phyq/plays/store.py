"""Stored plays on disk, so that nothing is simulated twice and learners need no engine.

A folder belongs to one game, which `plays.json` records by how a few of its levels go: a folder of another game is refused,
never overwritten, since its plays cost hours. Each task has a file: a line of JSON that identifies the level, then the
arrays of `TaskPlays`, gzipped. A file that is damaged or of another level is made again. Any number of processes may use a
folder at the same time.
"""

import gzip
import json
import math
import zlib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError
from comphy.files import read_json, write_bytes, write_json
from comphy.puzzles.phyq.plays.play import TaskPlays, no_plays
from comphy.puzzles.phyq.plays.simulation import different_plays, simulate_plays
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level
from comphy.sim.bullet import Engine
from comphy.temporaries import clear_temporaries

DEFAULT_FOLDER: Final = Path("out/phyq_plays")
FORMAT: Final = 1
MANIFEST: Final = "plays.json"
PLAYS_PER_WRITE: Final = 180  # at most so many are lost when a process is killed
_NOT_INSTALLED: Final = "not installed"
# Levels with all birds, and shots that hit something, by which a game is told from another one.
_REFERENCE: Final = (
    ("3.4", (30.0,), None),
    ("4.4", (20.0,), None),
    ("6.1", (35.0,), None),
    ("12.4", (12.0,), None),
    ("2.4", (20.0, 22.0), None),
    ("15.1", (30.0,), 1.0),
    ("15.2", (30.0,), 1.0),
    ("15.3", (45.0,), 1.5),
    ("15.4", (30.0,), 1.5),
)
_FIELDS: Final = tuple(one.name for one in fields(TaskPlays))


class PlayStore:
    """Raises `DatasetError` if the folder holds plays of another game or format."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._check_folder()

    def known(self, task: Task) -> TaskPlays:
        """The plays on disk. Nothing is simulated."""
        path = self._file(task)
        found = _read(path, task) if path.exists() else None
        return no_plays(task.level) if found is None else found

    def plays(self, task: Task, count: int) -> TaskPlays:
        """The first plays of a task, as many as there are different ones; those that are not on disk are simulated."""
        most = different_plays(task.level)
        count = count if most is None else min(count, most)
        found = self.known(task)
        if len(found) >= count:
            return found.first(count)
        self._claim_folder()
        clear_temporaries(self._file(task).parent)
        with Engine() as engine:
            while len(found) < count:
                numbers = range(len(found), min(len(found) + PLAYS_PER_WRITE, count))
                found = found.followed_by(simulate_plays(task, numbers, engine))
                write_bytes(self._file(task), _packed(task, found))
        return found

    def _claim_folder(self) -> None:
        if not (path := self.folder / MANIFEST).exists():
            clear_temporaries(self.folder)
            write_json(path, _kind(), indent=1)

    def _check_folder(self) -> None:
        path = self.folder / MANIFEST
        if not path.exists():
            return
        found = read_json(path)
        expected = _kind()
        if expected["pybullet"] == _NOT_INSTALLED and isinstance(found, dict):  # plays can be read without the engine
            expected |= {name: found.get(name) for name in ("pybullet", "game")}
        if found != expected:
            raise DatasetError(
                f"{path}: expected plays of this game ({_described(expected)}; got {_described(found)}). Take another "
                "folder, or delete this one if its plays are no longer wanted."
            )

    def _file(self, task: Task) -> Path:
        return self.folder / task.template_id / f"{task.number:03d}.plays"


def _packed(task: Task, plays: TaskPlays) -> bytes:
    arrays = [np.ascontiguousarray(getattr(plays, name)) for name in _FIELDS]
    header = {"task": task.id, "level": _digest(task.level), "shapes": [array.shape for array in arrays]}
    return json.dumps(header).encode() + b"\n" + gzip.compress(b"".join(array.tobytes() for array in arrays), mtime=0)


def _read(path: Path, task: Task) -> TaskPlays | None:
    """None if the file is damaged or of another level."""
    try:
        header, _, packed = path.read_bytes().partition(b"\n")
        facts = json.loads(header)
        if (facts["task"], facts["level"]) != (task.id, _digest(task.level)):
            return None
        return TaskPlays(*_arrays(gzip.decompress(packed), facts["shapes"], no_plays(task.level)))
    except (ValueError, KeyError, TypeError, OSError, EOFError, zlib.error):
        return None


def _arrays(content: bytes, shapes: list[list[int]], empty: TaskPlays) -> Iterator[NDArray[Any]]:
    """Raises `ValueError` if shapes and content do not fit the task or each other."""
    start = 0
    for name, shape in zip(_FIELDS, shapes, strict=True):
        like = getattr(empty, name)
        if tuple(shape[1:]) != like.shape[1:]:
            raise ValueError(f"{name}: expected the shape of {like.shape[1:]} (got {shape[1:]})")
        size = math.prod(shape)
        yield np.frombuffer(content, like.dtype, size, start).reshape(shape)
        start += size * like.dtype.itemsize
    if start != len(content):
        raise ValueError(f"expected {start} bytes (got {len(content)})")


def _digest(level: Level) -> str:
    """A hash of a level, rounded so that it does not depend on floating-point differences between machines."""
    things = [
        [type(thing).__name__, *(round(v, 4) + 0.0 if isinstance(v, float) else str(v) for v in vars(thing).values())]
        for thing in level.things
    ]
    return sha256(json.dumps([list(map(str, level.birds)), things]).encode()).hexdigest()[:16]


@cache
def _kind() -> dict[str, Any]:
    engine = _engine_version()
    game = _NOT_INSTALLED if engine == _NOT_INSTALLED else _fingerprint()
    return {"format": FORMAT, "game": game, "pybullet": engine}


def _fingerprint() -> str:
    """A hash of how reference levels go."""
    digest = sha256()
    with Engine() as engine:
        for template_id, degrees, tap in _REFERENCE:
            with Game(find_template(template_id).level, engine) as game:
                status = game.play([Shot.at(one, tap=tap) for one in degrees])
                told = [status.value, game.score, game.world.steps, len(game.record.contacts), round(game.pig_life, 2)]
                digest.update(json.dumps(told).encode())
    return digest.hexdigest()[:16]


def _engine_version() -> str:
    try:
        return version("pybullet")
    except PackageNotFoundError:
        return _NOT_INSTALLED


def _described(kind: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in kind.items()) if isinstance(kind, dict) else str(kind)[:80]
