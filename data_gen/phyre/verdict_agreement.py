"""Proves that early verdicts are right: compares them with whole runs whose goal is tested at every step.

The benchmark's speed rests on `TaskWorld.solves`, which ends a run as soon as its result is certain.
"""

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.constants import STEPS_FOR_SOLUTION
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.task_world import Ball, TaskWorld
from comphy.sim.bullet import Engine


def valid_actions(scene: Scene, tier: Tier, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """`count` random actions [count, D] that can be simulated in a scene."""
    found: list[NDArray[np.float64]] = []
    while sum(map(len, found)) < count:
        actions = tier.sample(4 * count, rng)
        found.append(actions[tier.valid(scene, actions)])
    return np.concatenate(found)[:count]


def verdicts_that_differ(
    scene: Scene, tier: Tier, count: int, rng: np.random.Generator, engine: Engine | None = None
) -> tuple[int, int, list[NDArray[np.float64]]]:
    """Try random valid actions both ways: how many were tried, how many solve, and those whose verdicts differ."""
    actions = valid_actions(scene, tier, count, rng)
    solved, different = 0, []
    with TaskWorld(scene, engine) as world:
        for action, placed in zip(actions, tier.balls_of(actions), strict=True):
            balls = [Ball(*ball) for ball in placed]
            early = world.solves(balls)
            world.start(balls)
            whole = any(held == STEPS_FOR_SOLUTION for _, held in world.watched_steps())
            solved += whole
            if early != whole:
                different.append(action)
    return len(actions), solved, different
