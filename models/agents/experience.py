"""What agents learn from: the actions of one list, and the status of each of them on the training tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import repeat

import numpy as np

from comphy.processes import process_pool
from comphy.puzzles.phyre.benchmark.cache import SimulationCache, Statuses
from comphy.puzzles.phyre.benchmark.tasks import Task
from models.agents.contract import Floats, Puzzle
from models.train.run import Report


@dataclass(frozen=True)
class Experience:
    """Actions [N, D] and their statuses [tasks, N]. `solutions` [tasks, D]: the certified one of each task, if given; on
    a hard task it may be the only known solution."""

    puzzles: tuple[Puzzle, ...]
    actions: Floats
    statuses: Statuses
    solutions: Floats | None = None

    def fingerprint(self) -> str:
        digest = sha256(" ".join(puzzle.id for puzzle in self.puzzles).encode())
        for array in (self.actions, self.statuses, self.solutions):
            digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def gather(
    cache: SimulationCache,
    tasks: Sequence[Task],
    count: int,
    workers: int = 1,
    report: Report = lambda done, total: None,
) -> Experience:
    """The first `count` actions of the cache's list on all tasks. What is not in the cache yet is simulated and kept
    there, so that a run that was stopped goes on."""
    found = [cache.known(task)[:count] for task in tasks]
    missing = [row for row, statuses in enumerate(found) if len(statuses) < count]
    done = len(tasks) - len(missing)
    report(done, len(tasks))
    simulated = _simulated(cache, [tasks[row] for row in missing], count, workers)
    for number, (row, statuses) in enumerate(zip(missing, simulated, strict=True), done + 1):
        found[row] = statuses
        report(number, len(tasks))
    return Experience(
        tuple(Puzzle.of(task) for task in tasks),
        cache.actions(count),
        np.stack(found) if found else np.empty((0, count), dtype=np.int8),
        np.array([task.solving_action for task in tasks]),
    )


def _simulated(cache: SimulationCache, tasks: Sequence[Task], count: int, workers: int) -> Iterator[Statuses]:
    if workers == 1 or len(tasks) < 2:
        yield from map(cache.statuses, tasks, repeat(count))
        return
    with process_pool(min(workers, len(tasks))) as pool:
        yield from pool.map(cache.statuses, tasks, repeat(count))
