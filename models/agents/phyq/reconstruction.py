"""Builds what a scene may be from a symbolic state: kinds by colours and outlines, places and angles by outlines.

Objects are seen up to 2 pixels aside, so a level that is built as seen has gaps and overlaps. `arranged` puts things next to
and on each other again, from the ground up, as things at rest are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyq.benchmark.observing.scene import BIRD_KINDS, PIXELS_PER_METRE, SHIFTS, Kind, from_pixel
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicObject, SymbolicState
from comphy.puzzles.phyq.world.catalog import BLOCKS, PIGS, Material
from comphy.puzzles.phyq.world.constants import GROUND, SKIN, Point
from comphy.puzzles.phyq.world.level import TNT, Block, Level, Pig, Platform, Thing, corners, moved
from models.agents.phyq.outlines import Points, gap_below, way_out
from models.agents.phyq.perception import centre, recognised

_MATERIALS: Final = {Kind.WOOD: Material.WOOD, Kind.ICE: Material.ICE, Kind.STONE: Material.STONE}
_BIRDS: Final = {kind: bird for bird, kind in BIRD_KINDS.items()}
_ANGLES: Final = np.radians(np.arange(0.0, 360.0, 3.0))
_UPRIGHT: Final = np.radians([0.0, 90.0, 180.0, 270.0])
_AS_GOOD: Final = 0.3 / PIXELS_PER_METRE  # by how much worse an upright pose may fit and still be taken
_ALIKE: Final = 0.12  # metres between the radii of outlines that may be the same, turned and in whole pixels
_CLOSE: Final = 0.27  # metres: two shifts of 2 pixels, and rounding
_APART: Final = 2 * SKIN  # between two things that touch


def level_seen(state: SymbolicState) -> Level:
    """The level as it is seen, the next bird first."""
    things: list[Thing] = []
    birds = []
    for one in state.objects:
        kind = recognised(one)
        if kind in _BIRDS:
            birds.append((-centre(one)[0], _BIRDS[kind]))
        elif (thing := _thing(one, kind)) is not None:
            things.append(thing)
    return Level(tuple(bird for _, bird in sorted(birds, key=lambda one: one[0])), tuple(things))


def drawn(level: Level, rng: np.random.Generator) -> Level:
    """A level that may have been seen so: each thing as far aside as the noise may have put it."""
    shifts = [SHIFTS[k] for k in rng.integers(len(SHIFTS), size=len(level.things))]
    things = [
        moved(thing, -dx / PIXELS_PER_METRE, dy / PIXELS_PER_METRE)
        for thing, (dx, dy) in zip(level.things, shifts, strict=True)
    ]
    return replace(level, things=tuple(things))


def arranged(level: Level) -> Level:
    """With things that move on what bears them, without overlaps."""
    placed: list[Thing] = [thing for thing in level.things if isinstance(thing, Platform)]
    found: dict[int, Thing] = {}
    loose = [(min(y for _, y in corners(thing)), k) for k, thing in enumerate(level.things) if not _fixed(thing)]
    for _, k in sorted(loose):
        found[k] = _put(level.things[k], placed)
        placed.append(found[k])
    return replace(level, things=tuple(found.get(k, thing) for k, thing in enumerate(level.things)))


def _fixed(thing: Thing) -> bool:
    return isinstance(thing, Platform)


def _put(thing: Thing, placed: Sequence[Thing]) -> Thing:
    """Out of what it overlaps, the shortest way, and down on what is close below it."""
    others = [np.array(corners(other)) for other in placed]
    for _ in range(2):
        for other in others:
            outline = np.array(corners(thing))
            gap = gap_below(outline, other)
            if gap is not None and gap < 0.0:
                aside = way_out(outline, other, _APART)
                if abs(aside) < min(_CLOSE, -gap):
                    thing = moved(thing, aside, 0.0)
        outline = np.array(corners(thing))
        gaps = [gap for other in others if (gap := gap_below(outline, other)) is not None and gap > -_CLOSE]
        drop = min([*gaps, float(outline[:, 1].min()) - GROUND])
        if drop < _CLOSE:
            thing = moved(thing, 0.0, _APART - drop)
    return thing


def _thing(one: SymbolicObject, kind: Kind) -> Thing | None:
    outline = np.array([from_pixel(vertex) for vertex in one.vertices])
    if kind in _MATERIALS:
        name, (x, y), degrees = _fitted(outline, _block_outlines())
        return Block(name, _MATERIALS[kind], x, y, degrees)
    if kind is Kind.PIG:
        name, (x, y), degrees = _fitted(outline, _pig_outlines())
        return Pig(name, x, y, degrees)
    if kind is Kind.PLATFORM:
        return _platform(outline)
    if kind is Kind.TNT:
        return TNT(*centre(one))
    return None


@cache
def _block_outlines() -> Mapping[str, Points]:
    return {name: np.array(kind.outline) for name, kind in BLOCKS.items()}


@cache
def _pig_outlines() -> Mapping[str, Points]:
    return {name: np.array(kind.outline) for name, kind in PIGS.items()}


def _fitted(outline: Points, known: Mapping[str, Points]) -> tuple[str, Point, float]:
    """The kind, place and angle whose outline is the nearest; upright, if that fits as well."""
    best: tuple[float, str, float] | None = None
    size = _radius(outline)
    close = {name: shape for name, shape in known.items() if abs(_radius(shape) - size) < _ALIKE} or known
    for name, shape in close.items():
        costs = _costs(outline, shape, _ANGLES)
        upright = _costs(outline, shape, _UPRIGHT)
        if upright.min() <= costs.min() + _AS_GOOD:
            found = (float(upright.min()), name, float(_UPRIGHT[upright.argmin()]))
        else:
            found = (float(costs.min()), name, float(_ANGLES[costs.argmin()]))
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    _, name, angle = best
    x, y = _middle(outline) - _middle(_turned(known[name], np.array([angle]))[0])
    return name, (float(x), float(y)), math.degrees(angle)


def _costs(outline: Points, shape: Points, angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """[angles]: the mean distance of corners from the nearest ones of the other outline, both ways."""
    turned = _turned(shape, angles)
    middles = (turned.max(axis=1, keepdims=True) + turned.min(axis=1, keepdims=True)) / 2
    apart = np.linalg.norm((turned - middles)[:, :, None] - (outline - _middle(outline))[None, None], axis=-1)
    found: NDArray[np.float64] = apart.min(axis=1).mean(axis=1) + apart.min(axis=2).mean(axis=1)
    return found


def _turned(shape: Points, angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """[angles, N, 2]"""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = shape[None, :, 0], shape[None, :, 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def _radius(outline: Points) -> float:
    """From the middle of its box; about the same however it is turned."""
    return float(np.linalg.norm(outline - _middle(outline), axis=1).max())


def _middle(outline: Points) -> NDArray[np.float64]:
    middle: NDArray[np.float64] = (outline.max(axis=0) + outline.min(axis=0)) / 2
    return middle


def _platform(outline: Points) -> Platform:
    """A rectangle of any size; its box, where corners have coincided."""
    x, y = _middle(outline)
    if len(outline) != 4:
        width, height = np.maximum(outline.max(axis=0) - outline.min(axis=0), 1.0 / PIXELS_PER_METRE)
        return Platform(float(x), float(y), float(width), float(height))
    sides = np.roll(outline, -1, axis=0) - outline
    first, second = (sides[0] - sides[2]) / 2, (sides[1] - sides[3]) / 2
    width, height = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    long, length = (first, width) if width >= height else (second, height)
    angle = math.atan2(long[1], long[0])
    upright = round(angle / (math.pi / 2)) * (math.pi / 2)
    if length * abs(angle - upright) <= 1.0 / PIXELS_PER_METRE:
        angle = upright
    degrees = math.degrees(angle) - (0.0 if width >= height else 90.0)
    return Platform(float(x), float(y), width, height, degrees)
