"""What the objects of a symbolic state are, told by their colours, and where they are in metres."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from comphy.puzzles.phyq.benchmark.observing.color_map import bird_colors, thing_colors
from comphy.puzzles.phyq.benchmark.observing.scene import BIRD_KINDS, Kind, from_pixel, kind_of
from comphy.puzzles.phyq.benchmark.observing.symbolic import SLINGSHOT, SymbolicObject, SymbolicState
from comphy.puzzles.phyq.world.catalog import BIRDS, BLOCKS, PIGS, Bird, Material
from comphy.puzzles.phyq.world.constants import RELEASE, Point
from comphy.puzzles.phyq.world.level import TNT, Block, Pig, Platform, Thing

_BIRD_OF: Final = {kind: bird for bird, kind in BIRD_KINDS.items()}


def recognised(one: SymbolicObject) -> Kind:
    """The kind whose map of colours is the nearest."""
    if one.label == SLINGSHOT:
        return Kind.SLINGSHOT
    return min(_known(), key=lambda known: _distance(one.colors, dict(known[1])))[0]


def centre(one: SymbolicObject) -> Point:
    """The middle of the box around it, in metres."""
    xs, ys = zip(*one.vertices, strict=True)
    return from_pixel(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2))


def pigs(state: SymbolicState) -> list[Point]:
    return [centre(one) for one in state.objects if recognised(one) is Kind.PIG]


def next_bird(state: SymbolicState) -> Bird:
    """The bird nearest to where birds are released. Raises `ValueError` if none is left."""
    birds = [(_far(centre(one)), _BIRD_OF[kind]) for one in state.objects if (kind := recognised(one)) in _BIRD_OF]
    if not birds:
        raise ValueError("Expected a state with a bird (got one without).")
    return min(birds)[1]


def _far(place: Point) -> float:
    return (place[0] - RELEASE[0]) ** 2 + (place[1] - RELEASE[1]) ** 2


@cache
def _known() -> tuple[tuple[Kind, tuple[tuple[int, float], ...]], ...]:
    things: list[Thing] = [
        *(Block(kind, material, 0.0, 0.0) for kind in BLOCKS for material in Material),
        *(Pig(kind, 0.0, 0.0) for kind in PIGS),
        Platform(0.0, 0.0, 1.0, 1.0),
        TNT(0.0, 0.0),
    ]
    return (
        *((kind_of(thing), thing_colors(thing)) for thing in things),
        *((BIRD_KINDS[bird], bird_colors(bird)) for bird in BIRDS),
    )


def _distance(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    return sum(abs(one.get(code, 0.0) - other.get(code, 0.0)) for code in sorted({*one, *other}))
