"""Levels after a template: the assembly somewhere else, and three things on the ground that distract."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template, Variation
from comphy.puzzles.phyq.world.catalog import BLOCKS, Material
from comphy.puzzles.phyq.world.constants import GROUND, Point
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing, corners, moved
from comphy.puzzles.phyq.world.level_check import stands_in_the_ground

# Points that a bird can just reach, from left to right.
REACH: Final[tuple[Point, ...]] = (
    (-6.51, 7.1), (-5.84, 6.91), (-5.274, 6.643), (-4.65, 6.544), (-4.037, 6.292), (-3.43, 5.96), (-2.97, 5.82),
    (-2.48, 5.62), (-1.98, 5.37), (-1.385, 5.034), (-0.86, 4.71), (-0.394, 4.413), (0.025, 4.229), (0.617, 3.94),
    (1.027, 3.66), (1.559, 3.266), (2.025, 2.904), (2.63, 2.411), (3.293, 2.005), (3.97, 1.487), (4.648, 1.039),
    (5.231, 0.489), (5.824, 0.004), (6.24, -0.453), (6.91, -1.005), (7.53, -1.574), (7.999, -2.0), (8.496, -2.481),
    (8.996, -3.0183), (9.459, -3.494),
)  # fmt: skip

DISTRACTORS: Final = 3
DISTRACTOR_X: Final = (-9.96, 9.397)
CLEARANCE: Final = 1.05  # between a distractor's middle and anything that stands low
LOW: Final = -2.5  # things that reach below are in its way
DRAWS: Final = 100  # for a place; where there is none, there is no distractor
BOX_SIDE: Final = 0.64  # of a platform that distracts
DECIMALS: Final = 4


@dataclass(frozen=True)
class Placement:
    """What makes a level of a template: how far its assembly is moved, and what distracts."""

    dx: float
    dy: float
    distractors: tuple[Block | Platform, ...]


def vary(template: Template, rng: np.random.Generator) -> Level:
    """A level after the template; the same for the same state of the generator."""
    return placed_level(template, draw_placement(template, rng))


def draw_placement(template: Template, rng: np.random.Generator) -> Placement:
    """By the published rules, but that nothing is moved into the ground."""
    for _ in range(DRAWS):
        dx, dy = _shift(template.variation, rng)
        things = _moved(template, dx, dy)
        if not any(map(stands_in_the_ground, things)):
            return Placement(dx, dy, tuple(_distractors(things, rng)))
    raise ValueError(f"{template.id}: expected a place for its assembly above the ground in {DRAWS} draws (got none).")


def placed_level(template: Template, placement: Placement) -> Level:
    things = _moved(template, placement.dx, placement.dy)
    return Level(template.level.birds, (*things, *placement.distractors))


def distractor(kind: str, material: Material | None, x: float) -> Block | Platform:
    """A thing on the ground; without a material, a platform."""
    if material is None:
        return Platform(x, round(GROUND + BOX_SIDE / 2, DECIMALS), BOX_SIDE, BOX_SIDE)
    return Block(kind, material, x, round(GROUND + BLOCKS[kind].picture[1] / 2, DECIMALS))


def _shift(variation: Variation, rng: np.random.Generator) -> Point:
    if variation.anchor is None:
        return (0.0, 0.0)
    x, y = _place(variation, rng)
    return (round(x - variation.anchor[0], DECIMALS), round(y - variation.anchor[1], DECIMALS))


def _moved(template: Template, dx: float, dy: float) -> tuple[Thing, ...]:
    things = template.level.things
    if template.variation.moves == "pigs":
        return tuple(moved(thing, dx, dy) if isinstance(thing, Pig) else thing for thing in things)
    return tuple(moved(thing, dx, dy) for thing in things)


def _place(variation: Variation, rng: np.random.Generator) -> Point:
    """Where the anchor goes."""
    assert variation.anchor is not None
    old_y, bounds = variation.anchor[1], variation.range
    match variation.sampler:
        case "x":
            left, right = bounds
            return (rng.uniform(left, right), old_y)
        case "box":
            left, right, low, high = bounds
            return (rng.uniform(left, right), rng.uniform(low, high))
        case "x under the line":
            left, right, y = bounds
            limit = min(REACH, key=lambda point: abs(point[1] - y))[0]
            return (rng.uniform(left, min(right, limit)), old_y)
        case "under the line":
            return _under_the_line(bounds, rng)
        case "on the line":
            x = rng.uniform(REACH[0][0], REACH[-1][0])
            return (x, _height_of_reach(x))
        case "space, high on the right":
            left, right, low, high = bounds
            x = rng.uniform(left, right)
            return (x, rng.uniform(low, high if x > (left + right) / 2 else (low + high) / 2))
        case "space, low on the right":
            left, right, low, high = bounds
            x = rng.uniform(left, right)
            return (x, rng.uniform(low, (low + high) / 2 if x > (left + right) / 2 else high))
        case "beyond the line":
            near, far, low, high, back = bounds
            y = rng.uniform(low, high)
            left, right = (near - back, near) if y > (low + high) / 2 else sorted((near, far))
            return (rng.uniform(left, right), y)
    raise ValueError(f"Expected a rule by which levels vary (got '{variation.sampler}').")


def _under_the_line(bounds: Sequence[float], rng: np.random.Generator) -> Point:
    left, right, low, high = bounds
    for _ in range(DRAWS):
        x = rng.uniform(left, right)
        top = min(high, _height_of_reach(x))
        if top >= low:
            return (x, rng.uniform(low, top))
    raise ValueError(f"Expected room under the line of reach in {tuple(bounds)}; there is none.")


def _height_of_reach(x: float) -> float:
    return min(REACH, key=lambda point: abs(point[0] - x))[1]


def _distractors(things: Sequence[Thing], rng: np.random.Generator) -> Iterator[Block | Platform]:
    taken = [span for thing in things if (span := _low_span(thing)) is not None]
    for _ in range(DISTRACTORS):
        kind = str(rng.choice([*BLOCKS, "Platform"]))
        material = Material(str(rng.choice(list(Material))))
        width = BOX_SIDE if kind == "Platform" else BLOCKS[kind].picture[0]
        for _ in range(DRAWS):
            x = round(rng.uniform(*DISTRACTOR_X), DECIMALS)
            if all(not left - CLEARANCE < x < right + CLEARANCE for left, right in taken):
                break
        else:
            continue
        taken.append((x - width / 2, x + width / 2))
        yield distractor(kind, None if kind == "Platform" else material, x)


def _low_span(thing: Thing) -> Point | None:
    """From left to right, of what reaches down to where distractors are."""
    xs, ys = zip(*corners(thing), strict=True)
    return (min(xs), max(xs)) if min(ys) < LOW else None
