"""The data model of a level: birds in launch order, and objects in the world."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from comphy.puzzles.phyq.world.catalog import BLOCKS, PIGS, TNT_SIDE, Bird, Material, rectangle
from comphy.puzzles.phyq.world.constants import Point


@dataclass(frozen=True)
class Block:
    kind: str
    material: Material
    x: float
    y: float
    degrees: float = 0.0

    @property
    def outline(self) -> tuple[Point, ...]:
        return BLOCKS[self.kind].outline


@dataclass(frozen=True)
class Pig:
    kind: str
    x: float
    y: float
    degrees: float = 0.0

    @property
    def outline(self) -> tuple[Point, ...]:
        return PIGS[self.kind].outline


@dataclass(frozen=True)
class Platform:
    """A static rectangle."""

    x: float
    y: float
    width: float
    height: float
    degrees: float = 0.0

    @property
    def outline(self) -> tuple[Point, ...]:
        return rectangle(self.width, self.height)


@dataclass(frozen=True)
class TNT:
    x: float
    y: float
    degrees: float = 0.0

    @property
    def outline(self) -> tuple[Point, ...]:
        return rectangle(TNT_SIDE, TNT_SIDE)


Thing: TypeAlias = Block | Pig | Platform | TNT


@dataclass(frozen=True)
class Level:
    birds: tuple[Bird, ...]
    things: tuple[Thing, ...]

    @property
    def pigs(self) -> Iterator[Pig]:
        return (thing for thing in self.things if isinstance(thing, Pig))


def corners(thing: Thing) -> tuple[Point, ...]:
    """The outline of an object in world coordinates."""
    return placed(thing.outline, thing.x, thing.y, math.radians(thing.degrees))


def placed(outline: Sequence[Point], x: float, y: float, angle: float) -> tuple[Point, ...]:
    """An outline rotated by `angle` (radians) and translated to x, y."""
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x + cos * px - sin * py, y + sin * px + cos * py) for px, py in outline)


def moved(thing: Thing, dx: float, dy: float) -> Thing:
    return replace(thing, x=thing.x + dx, y=thing.y + dy)
