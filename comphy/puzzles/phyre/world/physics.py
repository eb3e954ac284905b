"""PHYRE scenes as bodies of the planar world: pixels become metres, slabs boxes, and four walls stand around."""

from functools import cache
from typing import Final

from comphy.puzzles.phyre.world.constants import (
    ANGULAR_DAMPING,
    DENSITY,
    PIXELS_PER_METRE,
    SCENE_PIXELS,
    SURFACE,
    ShapeKind,
)
from comphy.puzzles.phyre.world.scene import Scene, SceneBody
from comphy.puzzles.phyre.world.shapes import PuzzleShape, Slab, ball_of_radius
from comphy.sim.body import Body
from comphy.sim.shapes import Box, Compound, Part, Shape, Sphere, about_z, planar_geometry

METRE: Final = 1.0 / PIXELS_PER_METRE
# Metres. What moves is deeper than it ever overlaps, so that it is pushed apart within the plane. What stands still is so
# thin that the engine takes contacts at its front and its back for one, which halves its work.
HALF_DEPTH: Final = 3.0
STATIC_HALF_DEPTH: Final = 0.005
WALL_PIXELS: Final = 40.0  # nobody sees them: thick, since fast bodies dent them

# Bottom, left, top, right, as in the published scenes. They are bodies 0 to 3 of every world.
WALLS: Final = tuple(
    Body(
        Box((width / 2 * METRE, height / 2 * METRE, STATIC_HALF_DEPTH)),
        0.0,
        (x * METRE, y * METRE, 0.0),
        surface=SURFACE,
    )
    for x, y, width, height in (
        (SCENE_PIXELS / 2, -WALL_PIXELS / 2, SCENE_PIXELS + 2 * WALL_PIXELS, WALL_PIXELS),
        (-WALL_PIXELS / 2, SCENE_PIXELS / 2, WALL_PIXELS, SCENE_PIXELS),
        (SCENE_PIXELS / 2, SCENE_PIXELS + WALL_PIXELS / 2, SCENE_PIXELS + 2 * WALL_PIXELS, WALL_PIXELS),
        (SCENE_PIXELS + WALL_PIXELS / 2, SCENE_PIXELS / 2, WALL_PIXELS, SCENE_PIXELS),
    )
)


def world_bodies(scene: Scene) -> tuple[Body, ...]:
    """The walls, then the scene's bodies in their order."""
    return (*WALLS, *(_world_body(body) for body in scene.bodies))


def player_ball(x: float, y: float, radius: float) -> Body:
    """A ball of the player's, in pixels."""
    shape, mass = _solid(ball_of_radius(radius), HALF_DEPTH)
    return Body(shape, mass, (x * METRE, y * METRE, 0.0), surface=SURFACE, angular_damping=ANGULAR_DAMPING)


def _world_body(body: SceneBody) -> Body:
    shape, mass = _solid(body.shape, STATIC_HALF_DEPTH if body.static else HALF_DEPTH)
    place = (body.x * METRE, body.y * METRE, 0.0)
    return Body(
        shape,
        0.0 if body.static else mass,
        place,
        about_z(body.angle),
        surface=SURFACE,
        angular_damping=ANGULAR_DAMPING,
    )


@cache
def _solid(shape: PuzzleShape, half_depth: float) -> tuple[Shape, float]:
    """The collision shape and its mass if it moves."""
    solid = _collision_shape(shape, half_depth)
    return solid, DENSITY * planar_geometry(solid).area


def _collision_shape(shape: PuzzleShape, half_depth: float) -> Shape:
    if shape.kind is ShapeKind.BALL:
        return Sphere(shape.radius * METRE)
    if shape.kind is ShapeKind.BAR:
        return _box(shape.slabs[0], half_depth)
    return Compound(
        tuple(Part(_box(s, half_depth), (s.x * METRE, s.y * METRE, 0.0), about_z(s.angle)) for s in shape.slabs)
    )


def _box(slab: Slab, half_depth: float) -> Box:
    return Box((slab.half_length * METRE, slab.half_thickness * METRE, half_depth))
