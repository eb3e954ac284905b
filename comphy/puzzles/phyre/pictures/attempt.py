"""An attempt as people watch it: every step from the start on, and when the two bodies of the goal touched."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.puzzle import Puzzle
from comphy.puzzles.phyre.world.constants import STEPS_PER_SECOND
from comphy.puzzles.phyre.world.placement import problems
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator, user_body
from comphy.puzzles.phyre.world.task_world import Ball
from comphy.sim.bullet import Engine

AT_REST: Final = 1e-3  # pixels or radians a step
STEPS_AT_REST: Final = 30  # that are still shown when nothing moves any more


@dataclass(frozen=True)
class Attempt:
    """The bodies of the scene and the player's balls, and their poses [T + 1, N, 3] (x, y in pixels, angle) after each
    step, those of the start first, up to the step that solves the task or until all is at rest. Touches are the first
    and last steps in which the goal pair touches."""

    puzzle: Puzzle
    bodies: tuple[SceneBody, ...]
    status: SimulationStatus
    poses: NDArray[np.float64]
    touches: tuple[tuple[int, int], ...]

    @property
    def steps(self) -> int:
        return len(self.poses) - 1

    @property
    def longest_touch(self) -> float:
        """Seconds."""
        return max((last - first + 1 for first, last in self.touches), default=0) / STEPS_PER_SECOND

    @property
    def verdict(self) -> str:
        if self.status.is_solved():
            return f"solved at {self.steps / STEPS_PER_SECOND:.1f} s"
        return (
            f"not solved: touching for {self.longest_touch:.1f} s at most" if self.touches else "not solved: no touch"
        )


def balls_of(puzzle: Puzzle, action: ArrayLike | None) -> list[Ball]:
    """The balls that an action [D] means in the tier of the puzzle's template; none without an action."""
    return (
        [] if action is None else [Ball(*ball) for ball in puzzle.template.tier.balls_of(np.asarray(action)[None])[0]]
    )


def parsed_action(puzzle: Puzzle, text: str) -> list[float]:
    """An action for a puzzle, as it is written on a command line: '0.6,0.9,0.5'."""
    wanted = puzzle.template.tier.dimensions
    try:
        action = [float(part) for part in text.split(",")]
    except ValueError:
        action = []
    if len(action) != wanted:
        raise ConfigError(f"Expected {wanted} numbers from 0 to 1 with commas between them (got '{text}').")
    return action


def attempt(puzzle: Puzzle, action: ArrayLike | None, engine: Engine | None = None) -> Attempt:
    """Try an action [D], or see what happens without one. An action that is not allowed is refused with the reason."""
    balls = balls_of(puzzle, action)
    with ActionSimulator({puzzle.id: puzzle.scene}, puzzle.template.tier, engine) as simulator:
        seen = simulator.simulate_action(0, action, need_images=False, need_states=True, need_contacts=True, stride=1)
    if seen.states is None or seen.contacts is None:
        reasons = " ".join(dict.fromkeys(problem.reason for problem in problems(puzzle.scene, balls)))
        raise ConfigError(f"Expected balls at allowed places of task {puzzle.id} (got {_listed(balls)}). {reasons}")
    bodies = (*puzzle.scene.bodies, *(user_body(ball) for ball in balls))
    start = np.array([(body.x, body.y, body.angle) for body in bodies])
    goal = set(puzzle.scene.goal)
    touches = tuple((c.first_step, c.last_step) for c in seen.contacts if set(c.objects) == goal)
    poses = np.concatenate([start[None], seen.states[..., :3]])
    return Attempt(puzzle, bodies, seen.status, poses if seen.status.is_solved() else _until_rest(poses), touches)


def _until_rest(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    moving = np.flatnonzero((np.abs(np.diff(poses, axis=0)) > AT_REST).any(axis=(1, 2)))
    return poses[: (int(moving[-1]) if len(moving) else 0) + 2 + STEPS_AT_REST]


def _listed(balls: list[Ball]) -> str:
    return " and ".join(f"x {ball.x:g}, y {ball.y:g}, radius {ball.radius:g}" for ball in balls)
