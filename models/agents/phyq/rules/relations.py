"""Relations between the things of a scene: what bears what, what is above what, what a bird reaches, what protects a pig."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.plain_shots import SHOOTER_TAPS, tapped_on_the_way
from comphy.puzzles.phyq.world.catalog import BIRDS, BLOCKS, Bird
from comphy.puzzles.phyq.world.constants import GRAVITY, Point
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing, corners
from models.agents.phyq.outlines import Points, distances, gap_below

TOUCHING: Final = 0.06  # metres between things that touch
NEAR_BUILDING: Final = 0.35  # metres between things of one building
THROWN: Final = 2.0  # metres that a thing which falls off something goes on to the right, at most
PASSING: Final = 1.0  # metres that a pig may be before where it comes down
FLIGHT_STEP: Final = 0.02  # seconds
EARLY: Final = 0.4  # seconds after the launch in which nothing is looked for


class Relations:
    """Of the things of a level that was built from what is seen; things are numbered in its order."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.outlines = [np.array(corners(thing)) for thing in level.things]
        self._shots: dict[tuple[int, Point], list[tuple[Shot, list[int]]]] = {}

    @property
    def things(self) -> Sequence[Thing]:
        return self.level.things

    @property
    def bird(self) -> Bird:
        """The next one."""
        return self.level.birds[0]

    @cached_property
    def pigs(self) -> list[int]:
        return [k for k, thing in enumerate(self.things) if isinstance(thing, Pig)]

    @cached_property
    def blocks(self) -> list[int]:
        return [k for k, thing in enumerate(self.things) if isinstance(thing, Block)]

    @cached_property
    def round_blocks(self) -> list[int]:
        return [k for k in self.blocks if self._kind(k).startswith("Circle")]

    def place(self, k: int) -> Point:
        return (self.things[k].x, self.things[k].y)

    def size(self, k: int) -> Point:
        """Width and height of the box around it."""
        width, height = self.outlines[k].max(axis=0) - self.outlines[k].min(axis=0)
        return (float(width), float(height))

    def mass(self, k: int) -> float:
        thing = self.things[k]
        return BLOCKS[thing.kind].mass[thing.material] if isinstance(thing, Block) else 0.0

    def bearers(self, k: int) -> list[int]:
        """What it stands on; nothing, if that is the ground."""
        return [other for other in range(len(self.things)) if other != k and self._on(k, other)]

    def borne(self, k: int) -> list[int]:
        """What stands on it."""
        return [other for other in range(len(self.things)) if other != k and self._on(other, k)]

    def above(self, k: int) -> list[int]:
        """What is over it, at any height."""
        return [other for other in range(len(self.things)) if other != k and (self._gap(other, k) or -1.0) >= 0.0]

    def may_fall_on(self, k: int, pig: int) -> bool:
        """Whether a thing that is pushed to the right comes down on a pig: no platform is between it and the pig where it
        leaves what bears it."""
        (x, y), (px, py) = self.place(k), self.place(pig)
        edge = max([x, *(self.box([one])[1] for one in self.bearers(k))]) + self.size(k)[0] / 2
        if y <= py or not -PASSING < px - edge < THROWN:
            return False
        for other, thing in enumerate(self.things):
            left, right, bottom, top = self.box([other])
            if isinstance(thing, Platform) and left < edge < right and py < top and bottom < y:
                return False
        return True

    def first_touches(self, shot: Shot) -> list[int]:
        """Things on the way of a shot, in the order in which its bird would come to them, if it flew through."""
        path, radius = flight(shot), BIRDS[self.bird].radius
        found = []
        for k, outline in enumerate(self.outlines):
            near = np.flatnonzero(distances(path, outline) < radius)
            if len(near):
                found.append((int(near[0]), k))
        return [k for _, k in sorted(found)]

    def shots_at(self, k: int, point: Point | None = None) -> list[tuple[Shot, list[int]]]:
        """Both arcs at a thing, with the usual tap, and what is in their way before it."""
        target = point or self.place(k)
        if (k, target) not in self._shots:
            self._shots[k, target] = [self._shot_and_obstacles(shot, k, target) for shot in aimed_at(target)]
        return self._shots[k, target]

    def clear_shots(self, k: int, point: Point | None = None) -> list[Shot]:
        """Arcs on which nothing is in the way: whether it is reachable."""
        return [shot for shot, before in self.shots_at(k, point) if not before]

    def clear_shots_at_or_under(self, k: int) -> list[Shot]:
        """At a thing, then at the blocks that bear it."""
        aims = (k, *(one for one in self.bearers(k) if one in self.blocks))
        return [shot for aim in aims for shot in self.clear_shots(aim)]

    def protectors(self, pig: int) -> list[int]:
        """Blocks that are in the way of an arc at a pig, or over it."""
        in_the_way = [k for _, before in self.shots_at(pig) for k in before]
        return [k for k in dict.fromkeys([*in_the_way, *self.above(pig)]) if isinstance(self.things[k], Block)]

    @cached_property
    def buildings(self) -> list[list[int]]:
        """Blocks and pigs that are near each other, in groups; the largest first."""
        left, found = set(self.blocks) | set(self.pigs), []
        while left:
            group, new = set(), {min(left)}
            while new:
                group |= new
                new = {k for k in left - group if any(self._near(k, other) for other in new)}
            left -= group
            found.append(sorted(group))
        return sorted(found, key=len, reverse=True)

    def box(self, group: Sequence[int]) -> tuple[float, float, float, float]:
        """Left, right, bottom and top."""
        points = np.concatenate([self.outlines[k] for k in group])
        (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return left, right, bottom, top

    def _shot_and_obstacles(self, shot: Shot, k: int, target: Point) -> tuple[Shot, list[int]]:
        touched = self.first_touches(shot)
        before = touched[: touched.index(k)] if k in touched else touched
        if self.bird in SHOOTER_TAPS:
            shot = tapped_on_the_way(shot, target, sum(SHOOTER_TAPS[self.bird]) / 2)
        return shot, before

    def _kind(self, k: int) -> str:
        thing = self.things[k]
        return thing.kind if isinstance(thing, Block | Pig) else ""

    def _gap(self, k: int, other: int) -> float | None:
        return gap_below(self.outlines[k], self.outlines[other])

    def _on(self, k: int, other: int) -> bool:
        if isinstance(self.things[k], Platform):
            return False
        gap = self._gap(k, other)
        return gap is not None and abs(gap) < TOUCHING

    def _near(self, k: int, other: int) -> bool:
        return bool(distances(self.outlines[k], self.outlines[other]).min() < NEAR_BUILDING)


def flight(shot: Shot) -> Points:
    """Places of a bird from its launch to the ground."""
    (x, y), (vx, vy) = shot.start, shot.velocity
    times = np.arange(EARLY, max(seconds_to_ground(shot), EARLY + FLIGHT_STEP), FLIGHT_STEP)
    return np.stack([x + vx * times, y + vy * times - GRAVITY / 2 * times**2], axis=1)


def left_face(platform: Platform) -> Point:
    """The middle of the side that a bird comes to."""
    angle = math.radians(platform.degrees)
    half = (abs(platform.width * math.cos(angle)) + abs(platform.height * math.sin(angle))) / 2
    return (platform.x - half, platform.y)
