"""Repairs a task list: finds other solutions for tasks whose certified one does not hold on this machine.

Machines differ in the last bits of what their engines compute, and the motion of balls can depend on these bits. A solution
that survives larger shifts of its balls than a certificate asks for is likely to hold on other machines, too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import md5
from itertools import chain, islice
from typing import Final

import numpy as np

from comphy.processes import process_pool
from comphy.puzzles.phyre.benchmark.tasks import Task, load_tasks
from comphy.puzzles.phyre.templates.template import Rule
from comphy.sim.bullet import Engine
from data_gen.phyre.certify import flaws
from data_gen.phyre.hill_climbing import Action
from data_gen.phyre.search import EFFORT, Searcher

TRIES: Final = (200, 2000)  # first and second effort: around the old solution, and twice as many around its siblings'
CHOICE: Final = 8  # stable solutions, of which the most robust is taken


def repaired(task: Task, engine: Engine) -> Task | None:
    """The same task with another solution, which is stable here; none, if none was found."""
    return next(iter(alternatives(task, engine)), None)


def alternatives(task: Task, engine: Engine) -> list[Task]:
    """The same task with other solutions that are stable here, the most robust first. The random
    search is seeded with the old solution, so a machine that repairs the choice of another one searches elsewhere."""
    seed = md5(f"{task.id}{task.solution}".encode()).hexdigest()
    searcher = Searcher(task.scene(), task.tier, np.random.default_rng(int(seed[:8], 16)), engine)
    siblings = [
        _action(other)
        for other in load_tasks(task.tier).values()
        if other.template_id == task.template_id and other.id != task.id
    ]
    for tries in TRIES:
        near = chain(searcher.stable_near([_action(task)], tries), searcher.stable_near(siblings, 2 * tries))
        found = list(islice(_different(task, near, searcher), CHOICE))
        if found:
            return sorted(found, key=lambda other: -searcher.margin(_action(other)))
    return []


def repair(tasks: Sequence[Task], workers: int, report: Callable[[int, int], None]) -> dict[str, Task | None]:
    """Those of the tasks that do not hold on this machine, by id, each repaired; None where that failed."""
    found: dict[str, Task | None] = {}
    with process_pool(workers) as pool:
        for done, (task, (holds, better)) in enumerate(
            zip(tasks, pool.map(_held_or_repaired, tasks), strict=True), start=1
        ):
            if not holds:
                found[task.id] = better
            report(done, len(tasks))
    return found


def _held_or_repaired(task: Task) -> tuple[bool, Task | None]:
    with Engine() as engine:
        holds = not any(flaws(task, engine))
        return holds, None if holds else repaired(task, engine)


def _different(task: Task, actions: Iterable[Action], searcher: Searcher) -> Iterator[Task]:
    """The task with each other solution once, if all of its balls are needed where the template asks for it."""
    seen = {task.solution}
    needs_all = Rule.NEEDS_TWO_BALLS in task.template.rules
    its_own = replace(
        EFFORT[task.tier], single_ball_tries=0
    )  # single balls anywhere were tried when the task was chosen
    for action in actions:
        solution = tuple(int(value) for value in task.tier.balls_of([action]).flat)
        if solution not in seen:
            seen.add(solution)
            if not (needs_all and searcher.one_ball_is_enough(action, its_own)):
                yield replace(task, solution=solution)


def _action(task: Task) -> Action:
    return tuple(task.solving_action.tolist())
