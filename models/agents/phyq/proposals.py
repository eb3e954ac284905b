"""Shots that may be good for something: both arcs through points of every thing, at full and lesser stretch, and a spread of
angles; each with taps, where the bird has a power."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.plain_shots import tapped_on_the_way
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import MAX_STRETCH, Point
from comphy.puzzles.phyq.world.game import POWERS
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Level, Pig, Platform, Thing, corners

ANGLES: Final = np.arange(-14.0, 80.0, 2.0)
LEDGE_STEP: Final = 1.2  # metres between points on top of a platform
WEAK: Final = (0.9, 0.8, 0.7, 0.6)  # stretches, besides the full one
TAP_SHARES: Final = (0.4, 0.6, 0.75, 0.9, 0.98)  # of the way to a target, or to the ground
TURN: Final = 1.2  # degrees, by which a good shot is varied
STRETCHED: Final = 0.03
TAPPED: Final = 0.08  # seconds


Propose = Callable[[Level, Bird, np.random.Generator], list[Shot]]


@dataclass(frozen=True)
class Proposer:
    """Where tries come from.

    `shots`: in the order in which they are worth a try. `hasty`: for the next bird, while things still move.
    """

    shots: Propose
    hasty: Propose


def proposals(level: Level, bird: Bird, rng: np.random.Generator) -> list[Shot]:
    """In the order in which they are worth a try: at pigs, at things, then the others, mixed."""
    at_pigs = [shot for thing in level.things if isinstance(thing, Pig) for shot in _at(thing, bird)]
    at_things = [shot for thing in level.things if not isinstance(thing, Pig) for shot in _at(thing, bird)]
    weak = [shot for thing in level.things for stretch in WEAK for shot in _through([_middle(thing)], bird, stretch)]
    angles = [shot for degrees in ANGLES for shot in _with_taps(Shot.at(float(degrees)), None, bird)]
    rest = [at_things, angles, weak]
    for shots in rest:
        rng.shuffle(shots)
    rng.shuffle(at_pigs)
    return [*at_pigs, *_in_turn(rest)]


def straight_at_pigs(level: Level, bird: Bird, rng: np.random.Generator) -> list[Shot]:
    """Both arcs to the middle of each, without taps."""
    return [shot for pig in level.pigs for shot in aimed_at((pig.x, pig.y))]


def varied(shot: Shot, rng: np.random.Generator, scale: float = 1.0) -> Shot:
    """A shot close to another."""
    stretch = min(MAX_STRETCH, float(np.hypot(shot.dx, shot.dy)))
    if stretch < MAX_STRETCH:
        stretch = float(np.clip(stretch + rng.normal(0.0, scale * STRETCHED), 0.3, MAX_STRETCH))
    tap = None if shot.tap is None else max(0.05, shot.tap + rng.normal(0.0, scale * TAPPED))
    return Shot.at(shot.degrees + rng.normal(0.0, scale * TURN), stretch, tap, shot.watch)


def _at(thing: Thing, bird: Bird) -> Iterator[Shot]:
    return _through(_points(thing), bird)


def _through(points: Sequence[Point], bird: Bird, stretch: float = MAX_STRETCH) -> Iterator[Shot]:
    for target in points:
        for shot in aimed_at(target, stretch):
            yield from _with_taps(shot, target, bird)


def _with_taps(shot: Shot, target: Point | None, bird: Bird) -> Iterator[Shot]:
    if bird not in POWERS:
        yield shot
        return
    for share in TAP_SHARES:
        if target is None:
            yield replace(shot, tap=share * seconds_to_ground(shot))
        else:
            yield tapped_on_the_way(shot, target, share)


def _points(thing: Thing) -> list[Point]:
    """Its middle, and places on its outline; of a platform, places along its top."""
    xs, ys = zip(*corners(thing), strict=True)
    left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
    x, y = _middle(thing)
    if isinstance(thing, Platform):
        steps = max(1, round((right - left) / LEDGE_STEP))
        along = [left + (k + 0.5) * (right - left) / steps for k in range(steps)]
        return [*((one, _height(thing, one)) for one in along), (left, y)]
    return [(x, y), (x, top), (left, y), (left, top), (left, bottom)]


def _height(thing: Thing, x: float) -> float:
    """Of its top."""
    points = corners(thing)
    found = []
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if min(ax, bx) <= x <= max(ax, bx) and abs(bx - ax) > 1e-9:
            found.append(ay + (x - ax) / (bx - ax) * (by - ay))
    return max(found, default=thing.y)


def _middle(thing: Thing) -> Point:
    xs, ys = zip(*corners(thing), strict=True)
    return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def _in_turn(lists: Sequence[Sequence[Shot]]) -> Iterator[Shot]:
    """The first of each, the second of each, …"""
    for k in range(max(map(len, lists))):
        for one in lists:
            if k < len(one):
                yield one[k]


AIMED: Final = Proposer(proposals, straight_at_pigs)
