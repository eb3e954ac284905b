"""What is wrong with a level, before anybody plays it: no pigs, things outside the world, in the ground or in each other."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from comphy.puzzles.phyq.world.constants import GROUND, WORLD_LEFT, WORLD_RIGHT, Point
from comphy.puzzles.phyq.world.level import Level, Platform, Thing, corners

# Published levels reach 0.11 m into the ground, and circles of 6.4 by 0.15 m into their platform.
IN_THE_GROUND: Final = 0.15  # metres
IN_EACH_OTHER: Final = 0.2  # metres
_AXES: Final[tuple[Point, ...]] = ((1.0, 0.0), (0.0, 1.0))


def problems_of(level: Level) -> Iterator[str]:
    """In words; nothing, if the level can be played."""
    if not any(level.pigs):
        yield "expected a pig at least (got none), or there is nothing to win"
    for thing in level.things:
        yield from _misplaced(thing)
    outlines = [(thing, corners(thing)) for thing in level.things]
    for (one, its), (other, others) in combinations(outlines, 2):
        depth = 0.0 if isinstance(one, Platform) and isinstance(other, Platform) else overlap(its, others)
        if depth > IN_EACH_OTHER:
            yield f"{_named(one)} is {depth:.2f} m inside {_named(other)}; move one of them"


def stands_in_the_ground(thing: Thing) -> bool:
    """Platforms may; nothing moves them."""
    return not isinstance(thing, Platform) and min(y for _, y in corners(thing)) < GROUND - IN_THE_GROUND


def overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """By how much two convex outlines overlap at least, along any of their sides' normals (separating axes); negative where
    they are apart, for most of which their bounding boxes tell it."""
    apart = min(_overlap_along(axis, one, other) for axis in _AXES)
    if apart < 0.0:
        return apart
    return min(_overlap_along(normal, one, other) for normal in (*_normals(one), *_normals(other)))


def _misplaced(thing: Thing) -> Iterator[str]:
    if isinstance(thing, Platform):
        if min(thing.width, thing.height) <= 0.0:
            yield f"{_named(thing)} has no size; give it a scale above 0"
    elif not WORLD_LEFT <= thing.x <= WORLD_RIGHT:
        yield f"{_named(thing)} is outside the world, which reaches from x = {WORLD_LEFT} to {WORLD_RIGHT}"
    elif stands_in_the_ground(thing):
        yield f"{_named(thing)} stands in the ground, whose top is at y = {GROUND}"


def _named(thing: Thing) -> str:
    kind = getattr(thing, "kind", type(thing).__name__)
    return f"{kind} at ({thing.x:.2f}, {thing.y:.2f})"


def _normals(outline: Sequence[Point]) -> Iterator[Point]:
    for (x, y), (next_x, next_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        length = math.hypot(next_x - x, next_y - y)
        if length > 0.0:
            yield ((next_y - y) / length, (x - next_x) / length)


def _overlap_along(normal: Point, one: Sequence[Point], other: Sequence[Point]) -> float:
    its, others = ([normal[0] * x + normal[1] * y for x, y in outline] for outline in (one, other))
    return min(max(its) - min(others), max(others) - min(its))
