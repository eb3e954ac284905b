"""The file of a round: results as `comphy phyq evaluate` writes them, and the tasks that are not decided yet."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.puzzles.phyq.results import FORMAT, PERSON, ROUND, Record
from comphy.evaluation.puzzles.phyq.round import Attempted, round_tasks
from comphy.files import disk_errors, read_json, require, write_json
from comphy.puzzles.phyq.benchmark.setups import levels_digest
from comphy.puzzles.phyq.tasks.task import Task

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,23}")


class RoundFile:
    """A player's round in a folder of rounds. It is written after each attempt, so a round goes on where it was.

    Raises `ConfigError` for a name that is none, `DatasetError` if the file is damaged or of other tasks.
    """

    def __init__(self, folder: Path, player: str, number: int, tasks: Mapping[str, Task]) -> None:
        if not NAME.fullmatch(player):
            raise ConfigError(
                f"Expected a name of up to 24 letters, digits, - and _ (got '{player[:40]}'). Choose another."
            )
        self.player, self.number = player, number
        self.path = folder / f"{player}-{number}.json"
        if self.path.exists():
            self.tasks, self.attempted = _read(self.path, tasks)
        else:
            self.tasks, self.attempted = round_tasks(number, tasks.values()), {}

    def of(self, task_id: str) -> Attempted:
        """Raises `ConfigError` if the round has no such task."""
        if task_id not in {task.id for task in self.tasks}:
            raise ConfigError(f"Expected a task of round {self.number} (got '{task_id}').")
        return self.attempted.setdefault(task_id, Attempted())

    @property
    def worths(self) -> dict[str, float]:
        """Of decided tasks."""
        return {task_id: one.worth for task_id, one in self.attempted.items() if one.decided}

    @property
    def finished(self) -> bool:
        return len(self.worths) == len(self.tasks)

    def write(self) -> None:
        with disk_errors(self.path, "Choose another --rounds."):
            write_json(self.path, self.record(), indent=1)

    def record(self) -> Record:
        kept = {task.id: _record(self.attempted[task.id]) for task in self.tasks if task.id in self.attempted}
        decided = {task_id: row for task_id, row in kept.items() if self.attempted[task_id].decided}
        played = [task for task in self.tasks if task.id in decided]
        left = len(self.tasks) - len(played)
        return {
            "format": FORMAT,
            "agent": self.player,
            "kind": PERSON,
            "setup": ROUND,
            "seed": 0,
            "number": self.number,
            "levels": levels_digest(played),
            "remarks": [f"{left} of {len(self.tasks)} tasks of the round are not played yet."] if left else [],
            "round": [task.id for task in self.tasks],
            "tasks": decided,
            "open": {task_id: row for task_id, row in kept.items() if task_id not in decided},
        }


def read_round(path: Path, tasks: Mapping[str, Task]) -> list[Task]:
    """The tasks of a round that somebody played. Raises `DatasetError` if the file is missing, damaged or of other tasks."""
    if not path.exists():
        raise DatasetError(f"{path}: there is no such file. Play a round first: comphy phyq play")
    return _read(path, tasks)[0]


def _read(path: Path, tasks: Mapping[str, Task]) -> tuple[list[Task], dict[str, Attempted]]:
    record, where = read_json(path), str(path)
    if require(record, "format", int, where) != FORMAT:
        raise DatasetError(f"{where}: expected format {FORMAT} (got {record['format']}). Begin another round.")
    ids = require(record, "round", list, where)
    missing = [str(one) for one in ids if one not in tasks]
    if missing:
        raise DatasetError(f"{where}: expected tasks of the list (got {', '.join(missing)[:80]}). Begin another round.")
    rows = {**require(record, "tasks", dict, where), **require(record, "open", dict, where)}
    found = [tasks[task_id] for task_id in ids]
    decided = [task for task in found if task.id in record["tasks"]]
    if levels_digest(decided) != require(record, "levels", str, where):
        raise DatasetError(f"{where}: expected the levels that were played (their tasks have changed since).")
    return found, {task_id: _attempted(row, f"{where}: {task_id}") for task_id, row in rows.items()}


def _record(one: Attempted) -> Record:
    """`plays` are attempts, of which the last may have won."""
    return {
        "won": int(one.solved),
        "plays": one.attempts,
        "seconds": round(one.seconds, 1),
        "imagined": 0,
        "log": one.log,
    }


def _attempted(row: Any, where: str) -> Attempted:
    log = [[str(line) for line in lines] for lines in require(row, "log", list, where)]
    seconds = float(require(row, "seconds", (int, float), where))
    return Attempted(log, bool(require(row, "won", int, where)), seconds)
