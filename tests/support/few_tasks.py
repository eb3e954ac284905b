"""A handful of tasks of real templates, and a folder that holds them as the package's list."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from comphy.puzzles.phyre.benchmark import tasks
from comphy.puzzles.phyre.benchmark.tasks import Task, tasks_file, write_tasks
from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.simulator import ActionSimulator


def first_tasks(template_id: str, count: int) -> list[Task]:
    """Their solutions are allowed places, but solve nothing."""
    template = find_template(template_id)
    solution = (100, 200, 4, 150, 200, 5)[: template.tier.dimensions]
    found = islice(enumerate(candidates(template)), count)
    return [Task(f"{template_id}:{k:03}", candidate.parameters, solution) for k, candidate in found]


def solved_task() -> Task:
    """A task with a solution that was found by trying."""
    [task] = first_tasks("00000", 1)
    actions = BALL.sample(400, np.random.default_rng(0))
    actions = BALL.actions_of(BALL.balls_of(actions))
    with ActionSimulator({task.id: task.scene()}, BALL) as simulator:
        for action in actions[BALL.in_space(actions)]:
            if simulator.statuses(0, [action])[0] == 1:
                return Task(task.id, task.parameters, tuple(int(v) for v in BALL.balls_of([action]).ravel()))
    raise AssertionError("no solution in 400 actions")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """Five tasks for one ball and two for two become the benchmark."""
    one, two = [*first_tasks("00000", 3), *first_tasks("00013", 2)], first_tasks("00100", 2)
    monkeypatch.setattr(tasks, "TASKS_FOLDER", folder)
    write_tasks(tasks_file(BALL), BALL, one)
    write_tasks(tasks_file(TWO_BALLS), TWO_BALLS, two)
    return [*one, *two]
