"""One task's physics: built once, then tried with many placements of the player's balls."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from types import TracebackType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from comphy.sim.repeated_planar_world import BLOCK, Arena
from comphy.sim.shapes import Sphere

BALL_SLACK: Final = 0.1 * METRE  # two balls touch when they are a tenth of a pixel apart
TOUCH_SLACK: Final = 0.01  # metres; the skin of the published engine's polygons

OUTLOOK: Final = 4 * BLOCK  # steps between two thoughts about what could still happen
LAST_START: Final = MAX_STEPS - STEPS_FOR_SOLUTION + 1  # a touch that begins later cannot last long enough
LOOKS_FOR_SOLUTION: Final = STEPS_FOR_SOLUTION // BLOCK  # at least so many looks fall into the time of a solution
_TO_PIXELS: Final = np.array((PIXELS_PER_METRE, PIXELS_PER_METRE, 1.0) * 2)


class Ball(NamedTuple):
    """A ball of the player's in pixels."""

    x: float
    y: float
    radius: float


class TaskWorld:
    """A scene in the engine. Its goal is judged after every step; a verdict comes as soon as nothing can change it."""

    def __init__(self, scene: Scene, engine: Engine | None = None) -> None:
        self.scene = scene
        self.arena = Arena(
            world_bodies(scene), timestep=1.0 / STEPS_PER_SECOND, gravity=(0.0, -GRAVITY, 0.0), engine=engine
        )
        self.goal = (len(WALLS) + scene.goal[0], len(WALLS) + scene.goal[1])
        self.touching = self._goal_test()

    def close(self) -> None:
        self.arena.close()

    def __enter__(self) -> "TaskWorld":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self, balls: Sequence[Ball]) -> None:
        self.arena.start([player_ball(*ball) for ball in balls])

    def solves(self, balls: Sequence[Ball]) -> bool:
        """Whether the goal pair comes to touch for three seconds, found out with as little work as possible.

        Looks once in a block. A solution shows as touching in many looks in a row, so in most runs nothing needs a closer
        look. A run is over when all are asleep, or when too little time is left for another touch.
        """
        arena, touching = self.arena, self.touching
        self.start(balls)
        looks = 0
        for step in range(BLOCK, MAX_STEPS + 1, BLOCK):
            arena.advance()
            looks = looks + 1 if touching() else 0
            if not looks and (arena.asleep or step >= LAST_START):
                return False
            if not looks and step % OUTLOOK == 0 and out_of_reach(arena, self.goal, MAX_STEPS - step):
                return False
            if arena.asleep and step <= LAST_START:
                return True
            if arena.asleep or looks == LOOKS_FOR_SOLUTION:
                return self._held_from(balls, step - looks * BLOCK)
        return False

    def glimpsed(self, balls: Sequence[Ball]) -> tuple[bool, NDArray[np.float64]]:
        """Whether the goal is reached, and states [T, N, 6] after each block of a whole run; hardly dearer than `solves`."""
        self.start(balls)
        frames: list[NDArray[np.float64]] = []
        looks = longest = 0
        while len(frames) < MAX_STEPS // BLOCK and not self.arena.asleep:
            self.arena.advance()
            frames.append(self.states())
            looks = looks + 1 if self.touching() else 0
            longest = max(longest, looks)
        promising = longest >= LOOKS_FOR_SOLUTION or (self.arena.asleep and looks > 0)
        frames += [frames[-1]] * (MAX_STEPS // BLOCK - len(frames))  # asleep: nothing changes any more
        return promising and self.solves(balls), np.array(frames)

    def _held_from(self, balls: Sequence[Ball], start: int) -> bool:
        """Run again and judge every step after `start`, a multiple of the block at which the goal does not hold."""
        self.start(balls)
        for _ in range(start // BLOCK):
            self.arena.advance()
        return any(held == STEPS_FOR_SOLUTION for _, held in self.watched_steps(start))

    def watched_steps(self, done: int = 0) -> Iterator[tuple[int, int]]:
        """Go on after `done` steps, a multiple of the block; of each step its number and how long the goal has held."""
        held = 0
        for step, _ in zip(range(done + 1, MAX_STEPS + 1), self.arena.walk(), strict=False):
            held = held + 1 if self.touching() else 0
            yield step, held

    def states(self) -> NDArray[np.float64]:
        """[N, 6] of the scene's bodies and the player's balls: x, y in pixels, angle, and their changes per second."""
        rows = [
            (place[0], place[1], 2.0 * math.atan2(turn[2], turn[3]), velocity[0], velocity[1], spin[2])
            for place, turn, velocity, spin in self.arena.states()[len(WALLS) :]
        ]
        return np.array(rows) * _TO_PIXELS

    def touching_objects(self) -> set[Pair]:
        """Pairs of the scene's bodies and the player's balls that touch by the rules of the goal, as in `states`."""
        pairs = {(a - len(WALLS), b - len(WALLS)) for a, b in self.arena.touching_pairs(TOUCH_SLACK) if a >= len(WALLS)}
        balls = [
            (i, place[0], place[1], body.shape.radius, body.static)
            for i, (body, (place, _, _, _)) in enumerate(zip(self.arena.everyone, self.arena.states(), strict=True))
            if isinstance(body.shape, Sphere)
        ]
        for (i, ax, ay, a, fixed), (j, bx, by, b, also_fixed) in combinations(balls, 2):
            if not (fixed and also_fixed) and math.hypot(ax - bx, ay - by) < a + b + BALL_SLACK:
                pairs.add((i - len(WALLS), j - len(WALLS)))
        return pairs

    def _goal_test(self) -> Callable[[], bool]:
        arena = self.arena
        first, second = self.goal
        one, other = (self.scene.bodies[i].shape for i in self.scene.goal)
        if one.kind is ShapeKind.BALL and other.kind is ShapeKind.BALL:
            reach = (one.radius + other.radius) * METRE + BALL_SLACK
            return lambda: arena.distance(first, second) < reach
        return lambda: arena.touching(first, second, TOUCH_SLACK)
