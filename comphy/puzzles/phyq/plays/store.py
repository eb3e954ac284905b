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
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.files import write_bytes, write_json
from comphy.puzzles.phyq.plays.play import TaskPlays, no_plays
from comphy.puzzles.phyq.plays.simulation import different_plays, simulate_plays
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level
from comphy.puzzles.stored_results import ENGINE, NOT_INSTALLED, check_manifest, engine_version
from comphy.sim.bullet import Engine
from comphy.temporaries import clear_temporaries

FORMAT: Final = 1
MANIFEST: Final = "plays.json"
PLAYS_PER_WRITE: Final = 180  # at most so many are lost when a process is killed
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
        if (manifest := folder / MANIFEST).exists():
            check_manifest(manifest, _kind(), of_engine=(ENGINE, "game"))

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
    engine = engine_version()
    game = NOT_INSTALLED if engine == NOT_INSTALLED else _fingerprint()
    return {"format": FORMAT, "game": game, ENGINE: engine}


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
