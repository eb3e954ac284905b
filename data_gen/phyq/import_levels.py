"""Certifies level files: looks for a solution of each, as `build` does for levels that it draws itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from comphy.errors import DatasetError
from comphy.processes import process_pool
from comphy.puzzles.phyq.tasks.level_files import read_task
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.game import Game
from comphy.sim.bullet import Engine
from data_gen.phyq.certify import flaws_of_level
from data_gen.phyq.solutions.aim_of_shot import aim_of
from data_gen.phyq.solutions.search import Aims, Effort, certified_solution

IMPORTED: Final = 1  # stream of random numbers, apart from those of candidates


@dataclass(frozen=True)
class ImportedLevel:
    """A file, and its task with a certified solution, or what is the matter, in words."""

    path: Path
    task: Task | None
    problem: str = ""


def import_levels(
    files: Sequence[Path], known: Mapping[str, Task], effort: Effort, workers: int
) -> Iterator[list[ImportedLevel]]:
    """Of each template its files, in one process, since a solution of one is the best guess for the next. `known`: tasks
    with solutions; those whose level a file has are kept."""
    by_template: dict[str, list[Path]] = {}
    for path in files:
        by_template.setdefault(path.name.rpartition("_")[0], []).append(path)
    work = [_Work(tuple(paths), dict(known), effort) for paths in by_template.values()]
    if workers == 1:
        yield from map(_Work.imported, work)
        return
    with process_pool(workers) as pool:
        yield from pool.map(_Work.imported, work)


@dataclass(frozen=True)
class _Work:
    paths: tuple[Path, ...]
    known: dict[str, Task]
    effort: Effort

    def imported(self) -> list[ImportedLevel]:
        found: list[ImportedLevel] = []
        with Engine() as engine:
            for path in self.paths:
                solved = [one.task for one in reversed(found) if one.task is not None]
                found.append(self._imported(path, solved, engine))
        return found

    def _imported(self, path: Path, solved: Sequence[Task], engine: Engine) -> ImportedLevel:
        try:
            task = read_task(path)
        except DatasetError as error:
            return ImportedLevel(path, None, str(error))
        before = self.known.get(task.id)
        if before is not None and before.placement == task.placement:
            return ImportedLevel(path, before)
        with Game(task.level, engine) as game:
            for problem in flaws_of_level(task.template, game):
                return ImportedLevel(path, None, f"{path}: {problem}.")
        rng = np.random.default_rng([IMPORTED, task.number, *map(int, task.template_id.split("."))])
        aims = list(dict.fromkeys(map(_aims, solved)))
        found = certified_solution(task.template, task.placement, aims, self.effort, rng, engine)
        if found is None:
            return ImportedLevel(path, None, f"{path}: no certified solution was found.")
        return ImportedLevel(path, replace(task, solution=found.shots))


def _aims(task: Task) -> Aims:
    return tuple(aim_of(shot, task.template, task.placement) for shot in task.solution)
