"""Finds another solution for a task whose certified one does not hold on this machine: engines differ in last bits."""

import math
from dataclasses import replace
from hashlib import md5
from typing import Final

import numpy as np

from comphy.puzzles.phyq.tasks.task import Task
from comphy.sim.bullet import Engine
from data_gen.phyq.solutions.aims import Aim
from data_gen.phyq.solutions.search import Effort, certified_solution

EFFORT: Final = Effort(siblings=1, variations=150, more=150)


def repaired(task: Task, engine: Engine) -> Task | None:
    """The same task with another solution, close to the old one if there is any; none, if none was found."""
    old = tuple(
        Aim(None, False, min(1.0, math.hypot(shot.dx, shot.dy)), shot.tap, shot.watch, shot.degrees)
        for shot in task.solution
    )
    rng = np.random.default_rng(int(md5(f"{task.id}{task.solution}".encode()).hexdigest()[:8], 16))
    found = certified_solution(task.template, task.placement, [old], EFFORT, rng, engine)
    return None if found is None else replace(task, solution=found.shots)
