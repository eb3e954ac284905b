"""Converts the objects of a level to bodies of the planar physics world."""

import math
from functools import cache
from typing import Final

from comphy.puzzles.phyq.world.catalog import (
    BIRDS,
    BLOCKS,
    EGG_MASS,
    EGG_SIZE,
    MATERIALS,
    PIG_FRICTION,
    PIGS,
    TNT_MASS,
    Bird,
    rectangle,
)
from comphy.puzzles.phyq.world.constants import (
    ANGULAR_DRAG,
    DEAD,
    GROUND,
    PLATFORM_SURFACE,
    SKIN,
    WORLD_LEFT,
    WORLD_RIGHT,
    Point,
)
from comphy.puzzles.phyq.world.level import TNT, Block, Pig, Platform, Thing
from comphy.sim.body import Body, Surface
from comphy.sim.shapes import Box, ConvexPolygon, Sphere, about_z, planar_geometry

# Metres; see comphy/puzzles/phyre/world/physics.py.
HALF_DEPTH: Final = 1.0
STATIC_HALF_DEPTH: Final = 0.005
HALF_RIM: Final = 0.008  # of all that moves: at a rim so thin, too, the engine takes two contacts for one
GROUND_DEPTH: Final = 10.0
BIRD_GROUP: Final = 1  # birds and eggs do not touch each other
ANGULAR_DAMPING: Final = 1.0 - math.exp(-ANGULAR_DRAG)

GROUND_BODY: Final = Body(
    Box((WORLD_RIGHT - WORLD_LEFT, GROUND_DEPTH / 2, STATIC_HALF_DEPTH)),
    position=(0.0, GROUND - GROUND_DEPTH / 2 + SKIN, 0.0),
    surface=PLATFORM_SURFACE,
)


def thing_body(thing: Thing) -> Body:
    if isinstance(thing, Platform):
        shape = Box((thing.width / 2 + SKIN, thing.height / 2 + SKIN, STATIC_HALF_DEPTH))
        place = (thing.x, thing.y, 0.0)
        return Body(shape, position=place, orientation=about_z(math.radians(thing.degrees)), surface=PLATFORM_SURFACE)
    mass, friction = _mass_and_friction(thing)
    polygon, (cx, cy) = solid(thing.outline)
    angle = math.radians(thing.degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return Body(
        polygon,
        mass,
        (thing.x + cos * cx - sin * cy, thing.y + sin * cx + cos * cy, 0.0),
        about_z(angle),
        surface=Surface(friction, DEAD),
        angular_damping=ANGULAR_DAMPING,
    )


def bird_body(bird: Bird) -> Body:
    """A bird's body; its restitution is such that the geometric mean with `DEAD` is the bird's own `bounce`."""
    kind = BIRDS[bird]
    surface = Surface(kind.friction, kind.bounce**2 / DEAD, unbounded_restitution=True)
    return Body(
        Sphere(kind.radius),
        kind.mass,
        surface=surface,
        angular_damping=ANGULAR_DAMPING,
        continuous_collision=True,
        collision_group=BIRD_GROUP,
    )


def egg_body() -> Body:
    polygon, _ = solid(rectangle(*EGG_SIZE))
    return Body(
        polygon,
        EGG_MASS,
        surface=Surface(0.4, DEAD),
        angular_damping=0.05,
        continuous_collision=True,
        collision_group=BIRD_GROUP,
    )


def _mass_and_friction(thing: Block | Pig | TNT) -> tuple[float, float]:
    match thing:
        case Block(kind, material):
            return BLOCKS[kind].mass[material], MATERIALS[material].friction
        case Pig(kind):
            return PIGS[kind].mass, PIG_FRICTION
        case _:
            return TNT_MASS, PLATFORM_SURFACE.friction


@cache
def solid(outline: tuple[Point, ...]) -> tuple[ConvexPolygon, Point]:
    """An outline with its skin as a polygon about its centroid, and the centroid in the outline's frame."""
    grown = _grown(outline, SKIN)
    x, y = planar_geometry(ConvexPolygon(grown)).centroid
    return ConvexPolygon(tuple((px - x, py - y) for px, py in grown), HALF_DEPTH, HALF_RIM), (x, y)


def _grown(outline: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """The outline with all edges offset outwards (mitred corners)."""
    grown = []
    for k, (x, y) in enumerate(outline):
        (ax, ay), (bx, by_) = outline[k - 1], outline[(k + 1) % len(outline)]
        first, second = _normal(ax, ay, x, y), _normal(x, y, bx, by_)
        scale = by / (1.0 + first[0] * second[0] + first[1] * second[1])
        grown.append((x + scale * (first[0] + second[0]), y + scale * (first[1] + second[1])))
    return tuple(grown)


def _normal(ax: float, ay: float, bx: float, by: float) -> Point:
    """The outward unit normal of an edge of a counter-clockwise outline."""
    length = math.hypot(bx - ax, by - ay)
    return ((by - ay) / length, (ax - bx) / length)
