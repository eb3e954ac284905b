"""Lets an agent play tasks. It sees nothing but the noisy symbolic state before each of its shots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from comphy.puzzles.phyq.benchmark.scene import noisy_scene, scene_of
from comphy.puzzles.phyq.benchmark.symbolic import SymbolicState, symbolic_state
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.sim.bullet import Engine

Strategy = Callable[[SymbolicState, np.random.Generator], Shot]


@dataclass(frozen=True)
class TaskResult:
    task_id: str
    scenario: int
    won: int
    plays: int


def evaluate(
    shoot: Strategy, tasks: Sequence[Task], plays: int, seed: int = 0, report: Callable[[int, int], None] | None = None
) -> list[TaskResult]:
    """`plays` independent plays of each task. A result depends on its task and the seed alone."""
    found = []
    with Engine() as engine:
        for task in tasks:
            found.append(TaskResult(task.id, task.template.scenario, _wins(shoot, task, plays, seed, engine), plays))
            if report is not None:
                report(len(found), len(tasks))
    return found


def by_scenario(results: Sequence[TaskResult]) -> dict[int, list[tuple[int, int]]]:
    """Wins and plays of each task."""
    scenarios: dict[int, list[tuple[int, int]]] = {}
    for one in sorted(results, key=lambda result: result.scenario):
        scenarios.setdefault(one.scenario, []).append((one.won, one.plays))
    return scenarios


def _wins(shoot: Strategy, task: Task, plays: int, seed: int, engine: Engine) -> int:
    rng = np.random.default_rng([seed, *map(int, task.template_id.split(".")), task.number])
    wins = 0
    with Game(task.level, engine) as game:
        for _ in range(plays):
            game.restart()
            while game.status is Status.PLAYING:
                state = symbolic_state(noisy_scene(scene_of(game), rng), rng)
                game.shoot(shoot(state, rng))
            wins += game.status is Status.WON
    return wins
