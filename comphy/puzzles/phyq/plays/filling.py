"""Fills a store with plays of many tasks, in processes that share them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from comphy.processes import process_pool
from comphy.puzzles.phyq.plays.store import PlayStore
from comphy.puzzles.phyq.tasks.task import Task


@dataclass(frozen=True)
class FillingReport:
    """`unwon`: tasks of which no play was won."""

    plays: int
    won: int
    unwon: int


def fill(
    store: PlayStore,
    tasks: Sequence[Task],
    count: int,
    workers: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> FillingReport:
    """The first `count` plays of each task. Those of a task are one process's work, and the same whoever makes them."""
    found = []
    report(0, len(tasks))
    for counts in _counts(store, tasks, count, workers):
        found.append(counts)
        report(len(found), len(tasks))
    return FillingReport(
        sum(plays for plays, _ in found), sum(won for _, won in found), sum(won == 0 for _, won in found)
    )


def _counts(store: PlayStore, tasks: Sequence[Task], count: int, workers: int) -> Iterator[tuple[int, int]]:
    if workers == 1:
        yield from map(_filled, repeat(store), tasks, repeat(count))
        return
    with process_pool(workers) as pool:
        yield from pool.map(_filled, repeat(store), tasks, repeat(count))


def _filled(store: PlayStore, task: Task, count: int) -> tuple[int, int]:
    """How many plays of a task there are, and how many were won."""
    plays = store.plays(task, count)
    return len(plays), int(plays.won.sum())
