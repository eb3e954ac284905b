"""Lets an agent play tasks. It sees nothing but the game with noise before each of its shots, as its view has it."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Any, Final

import numpy as np

from comphy.processes import process_pool
from comphy.puzzles.phyq.benchmark.contract import Agent, Choice, Simulate, View
from comphy.puzzles.phyq.benchmark.game_simulator import GameSimulator, level_left
from comphy.puzzles.phyq.benchmark.observing.scene import noisy_scene, planes, scene_of, screenshot
from comphy.puzzles.phyq.benchmark.observing.symbolic import symbolic_state
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.sim.bullet import Engine

AS_PLANNED: Final = "as planned"  # strategy of a shot that follows another without a look
_NOISE, _AGENT = 0, 1  # streams of random numbers: an agent's own must not tell it the noise


@dataclass(frozen=True)
class Play:
    """`seconds`: CPU time of thinking."""

    won: bool
    choices: tuple[Choice, ...]
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class TaskResult:
    task_id: str
    plays: tuple[Play, ...]

    @property
    def won(self) -> int:
        return sum(play.won for play in self.plays)

    @property
    def seconds(self) -> float:
        """Of thinking in a play, on average."""
        return fmean(play.seconds for play in self.plays)

    @property
    def imagined(self) -> float:
        """Games imagined in a play, on average."""
        return fmean(sum(choice.imagined for choice in play.choices) for play in self.plays)


def evaluate(agent: Agent, tasks: Sequence[Task], plays: int, seed: int = 0, workers: int = 1) -> Iterator[TaskResult]:
    """`plays` independent plays of each task, one task after the other. A result depends on its task and the seed alone.

    Raises `ValueError` for a task of a template for which the agent has learned nothing.
    """
    if workers > 1:
        with process_pool(workers) as pool:
            yield from pool.map(partial(_play_alone, agent, plays, seed), tasks)
    else:
        with Engine() as engine, GameSimulator() as simulate:
            for task in tasks:
                yield _play_task(agent, task, plays, seed, engine, simulate)


def _play_alone(agent: Agent, plays: int, seed: int, task: Task) -> TaskResult:
    """What a process does."""
    with Engine() as engine, GameSimulator() as simulate:
        return _play_task(agent, task, plays, seed, engine, simulate)


def _play_task(agent: Agent, task: Task, plays: int, seed: int, engine: Engine, simulate: Simulate) -> TaskResult:
    key = [seed, *map(int, task.template_id.split(".")), task.number]
    noise, own = np.random.default_rng([*key, _NOISE]), np.random.default_rng([*key, _AGENT])
    player = agent.for_template(task.template_id)
    if player is None:
        raise ValueError(
            f"Expected a task that {agent.name} can play (got {task.id}, for which it has learned nothing)."
        )
    with Game(task.level, engine) as game:
        return TaskResult(task.id, tuple(_play(player, game, noise, own, simulate) for _ in range(plays)))


def _play(agent: Agent, game: Game, noise: np.random.Generator, own: np.random.Generator, simulate: Simulate) -> Play:
    game.restart()
    choices, seconds = [], 0.0
    while game.status is Status.PLAYING:
        seen = look(game, agent.view, noise)
        start = time.process_time()
        choices.append(agent.shoot(seen, own, simulate))
        seconds += time.process_time() - start
        game.shoot(choices[-1].shot)
        for shot in choices[-1].then:
            if game.status is Status.PLAYING:
                choices.append(Choice(shot, AS_PLANNED))
                game.shoot(shot)
    return Play(game.status is Status.WON, tuple(choices), seconds)


def look(game: Game, view: View, noise: np.random.Generator) -> Any:
    """What an agent with this view is shown."""
    scene = scene_of(game)
    match view:
        case View.TRUTH:
            return level_left(game)
        case View.SYMBOLIC_EXACT:
            return symbolic_state(scene)
    scene = noisy_scene(scene, noise)
    match view:
        case View.PLANES:
            return planes(scene)
        case View.IMAGE:
            return screenshot(scene)
        case View.SYMBOLIC:
            return symbolic_state(scene, noise)
