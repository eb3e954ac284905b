"""One task's physics: built once, then tried with many placements of the player's balls."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from comphy.closing import Closeable
from comphy.puzzles.phyre.world.constants import (
    GRAVITY,
    MAX_STEPS,
    PIXELS_PER_METRE,
    STEPS_FOR_SOLUTION,
    STEPS_PER_SECOND,
    ShapeKind,
)
from comphy.puzzles.phyre.world.energy_bound import out_of_reach
from comphy.puzzles.phyre.world.physics import METRE, WALLS, player_ball, world_bodies
from comphy.puzzles.phyre.world.scene import Scene
from comphy.sim.bullet import Engine
from comphy.sim.contacts import Pair
from comphy.sim.planar.repeated_planar_world import RepeatedPlanarWorld
from comphy.sim.planar.sleep import BLOCK_STEPS
from comphy.sim.shapes import Sphere

BALL_SLACK: Final = 0.1 * METRE  # two balls touch when they are a tenth of a pixel apart
TOUCH_SLACK: Final = 0.01  # metres; the skin of the published engine's polygons

ENERGY_CHECK_STEPS: Final = 4 * BLOCK_STEPS  # steps between two checks of the energy bound
LAST_START: Final = MAX_STEPS - STEPS_FOR_SOLUTION + 1  # a touch that begins later cannot last long enough
BLOCKS_FOR_SOLUTION: Final = STEPS_FOR_SOLUTION // BLOCK_STEPS  # at least so many blocks end while a solution holds
_TO_PIXELS: Final = np.array((PIXELS_PER_METRE, PIXELS_PER_METRE, 1.0) * 2)


class Ball(NamedTuple):
    """A ball of the player's in pixels."""

    x: float
    y: float
    radius: float


class TaskWorld(Closeable):
    """A scene in the engine. The goal counts by what holds after every step; a run ends as soon as nothing can change the
    result."""

    def __init__(self, scene: Scene, engine: Engine | None = None) -> None:
        self.scene = scene
        self.physics = RepeatedPlanarWorld(
            world_bodies(scene), timestep=1.0 / STEPS_PER_SECOND, gravity=(0.0, -GRAVITY, 0.0), engine=engine
        )
        self.goal = (len(WALLS) + scene.goal[0], len(WALLS) + scene.goal[1])
        self.touching = self._goal_test()

    def close(self) -> None:
        self.physics.close()

    def start(self, balls: Sequence[Ball]) -> None:
        self.physics.start([player_ball(*ball) for ball in balls])

    def solves(self, balls: Sequence[Ball]) -> bool:
        """Whether the goal pair comes to touch for three seconds, found out with as little work as possible.

        The goal is tested once a block. A solution shows as touching at the end of many blocks in a row; only then is the
        run repeated and tested at every step. A run is over when all bodies are asleep, when the energy that is left cannot
        bring the pair together (`energy_bound`), or when too little time is left for another touch.
        """
        world, touching = self.physics, self.touching
        self.start(balls)
        blocks_held = 0
        for step in range(BLOCK_STEPS, MAX_STEPS + 1, BLOCK_STEPS):
            world.advance()
            blocks_held = blocks_held + 1 if touching() else 0
            if not blocks_held and (world.asleep or step >= LAST_START):
                return False
            if not blocks_held and step % ENERGY_CHECK_STEPS == 0 and out_of_reach(world, self.goal, MAX_STEPS - step):
                return False
            if world.asleep and step <= LAST_START:
                return True
            if world.asleep or blocks_held == BLOCKS_FOR_SOLUTION:
                return self._held_from(balls, step - blocks_held * BLOCK_STEPS)
        return False

    def run_coarse(self, balls: Sequence[Ball]) -> tuple[bool, NDArray[np.float64]]:
        """Whether the goal is reached, and states [T, N, 6] after each block of a whole run; little slower than `solves`."""
        self.start(balls)
        frames: list[NDArray[np.float64]] = []
        blocks_held = longest = 0
        while len(frames) < MAX_STEPS // BLOCK_STEPS and not self.physics.asleep:
            self.physics.advance()
            frames.append(self.states())
            blocks_held = blocks_held + 1 if self.touching() else 0
            longest = max(longest, blocks_held)
        promising = longest >= BLOCKS_FOR_SOLUTION or (self.physics.asleep and blocks_held > 0)
        frames += [frames[-1]] * (MAX_STEPS // BLOCK_STEPS - len(frames))  # asleep: nothing changes any more
        return promising and self.solves(balls), np.array(frames)

    def _held_from(self, balls: Sequence[Ball], start: int) -> bool:
        """Run again and test the goal at every step after `start`, the end of a block at which it does not hold."""
        self.start(balls)
        for _ in range(start // BLOCK_STEPS):
            self.physics.advance()
        return any(held == STEPS_FOR_SOLUTION for _, held in self.watched_steps(start))

    def watched_steps(self, done: int = 0) -> Iterator[tuple[int, int]]:
        """Go on after `done` steps, a multiple of the block; of each step its number and how long the goal has held."""
        held = 0
        for step, _ in zip(range(done + 1, MAX_STEPS + 1), self.physics.walk(), strict=False):
            held = held + 1 if self.touching() else 0
            yield step, held

    def states(self) -> NDArray[np.float64]:
        """[N, 6] of the scene's bodies and the player's balls: x, y in pixels, angle, and their changes per second."""
        rows = [
            (place[0], place[1], 2.0 * math.atan2(turn[2], turn[3]), velocity[0], velocity[1], spin[2])
            for place, turn, velocity, spin in self.physics.states()[len(WALLS) :]
        ]
        return np.array(rows) * _TO_PIXELS

    def touching_objects(self) -> set[Pair]:
        """Pairs of the scene's bodies and the player's balls that touch by the rules of the goal, as in `states`."""
        pairs = {
            (a - len(WALLS), b - len(WALLS)) for a, b in self.physics.touching_pairs(TOUCH_SLACK) if a >= len(WALLS)
        }
        balls = [
            (i, place[0], place[1], body.shape.radius, body.static)
            for i, (body, (place, _, _, _)) in enumerate(
                zip(self.physics.run_bodies, self.physics.states(), strict=True)
            )
            if isinstance(body.shape, Sphere)
        ]
        for (i, ax, ay, a, fixed), (j, bx, by, b, also_fixed) in combinations(balls, 2):
            if not (fixed and also_fixed) and math.hypot(ax - bx, ay - by) < a + b + BALL_SLACK:
                pairs.add((i - len(WALLS), j - len(WALLS)))
        return pairs

    def _goal_test(self) -> Callable[[], bool]:
        world = self.physics
        first, second = self.goal
        one, other = (self.scene.bodies[i].shape for i in self.scene.goal)
        if one.kind is ShapeKind.BALL and other.kind is ShapeKind.BALL:
            reach = (one.radius + other.radius) * METRE + BALL_SLACK
            return lambda: world.distance(first, second) < reach
        return lambda: world.touching(first, second, TOUCH_SLACK)
