"""Says why balls cannot stand where a player wants them. The rules are those of actions, asked one at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from comphy.puzzles.phyre.world.actions import BALL, LARGEST_RADIUS, SMALLEST_RADIUS, TWO_BALLS, occluded
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.task_world import Ball


@dataclass(frozen=True)
class Problem:
    """What is wrong with a ball; `body` is the body of the scene that is in its way, if there is one."""

    ball: int
    reason: str
    body: int | None = None


def problems(scene: Scene, balls: Sequence[Ball]) -> list[Problem]:
    """Of one or two balls on whole pixels; none if the action that means them is valid."""
    found = [problem for k, ball in enumerate(balls) if (problem := _problem(scene, k, ball)) is not None]
    if not found and len(balls) == TWO_BALLS.balls and not TWO_BALLS.in_space(TWO_BALLS.actions_of([balls]))[0]:
        return [Problem(k, "The balls must be at least one pixel apart.") for k in range(len(balls))]
    return found


def _problem(scene: Scene, k: int, ball: Ball) -> Problem | None:
    if not SMALLEST_RADIUS <= ball.radius <= LARGEST_RADIUS:
        allowed = f"from {SMALLEST_RADIUS:g} to {LARGEST_RADIUS:g} pixels"
        return Problem(k, f"The radius must be {allowed} (it is {ball.radius:g}).")
    if not BALL.in_space(BALL.actions_of([ball]))[0]:
        return Problem(k, "The ball sticks out of the scene.")
    for number, body in enumerate(scene.bodies):
        if occluded(replace(scene, bodies=(body,)), np.array([[ball]]))[0]:
            return Problem(k, f"The ball overlaps a {body.color.name.lower()} body.", number)
    return None
