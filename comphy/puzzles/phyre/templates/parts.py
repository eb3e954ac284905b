"""Scene elements that several templates share."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from comphy.puzzles.phyre.templates.scene_builder import Place, SceneBuilder
from comphy.puzzles.phyre.world.actions import Floats
from comphy.puzzles.phyre.world.constants import PX, SCENE_PIXELS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import BAR_THICKNESS, PuzzleShape, ball, bar, distance, jar

THICKNESS: Final = BAR_THICKNESS * PX  # of a bar, as a fraction of the scene; a bar of this length is a square
_CLOSE: Final = 1e-4  # pixels


def mirrored(scene: Scene) -> Scene:
    """The scene mirrored left to right; all shapes are mirror-symmetric."""
    bodies = tuple(replace(body, x=SCENE_PIXELS - body.x, angle=-body.angle) for body in scene.bodies)
    return replace(scene, bodies=bodies)


def direction(degrees: float) -> Floats:
    """The unit vector at an angle to the horizontal."""
    return np.array((math.cos(math.radians(degrees)), math.sin(math.radians(degrees))))


def centred_at(shape: PuzzleShape, angle: float, x: float, y: float) -> Place:
    """The placement with the centre of mass of a shape, rotated by `angle` degrees, at x, y."""
    left, bottom, _, _ = shape.bounds(math.radians(angle))
    return Place(left=x + left * PX, bottom=y + bottom * PX)


def floor(scene: SceneBuilder) -> Placed:
    """A bar over the whole width, to serve as a goal: the walls of a scene cannot."""
    return scene.fixed(bar(1.0), left=0.0, bottom=0.0)


def shelf_with_hole(scene: SceneBuilder, bottom: float, left: float, right: float) -> None:
    """A shelf from wall to wall with a hole between `left` and `right`; parts of zero length are omitted."""
    if left > 0.0:
        scene.fixed(bar(left), left=0.0, bottom=bottom)
    if right < 1.0:
        scene.fixed(bar(1.0 - right), right=1.0, bottom=bottom)


def lips_of_hole(scene: SceneBuilder, bottom: float, left: float, right: float) -> None:
    """Small squares on both edges of a hole, which keep balls from rolling in."""
    if left > 0.0:
        scene.fixed(bar(THICKNESS), right=left, bottom=bottom)
    if right < 1.0:
        scene.fixed(bar(THICKNESS), left=right, bottom=bottom)


def valley(scene: SceneBuilder, left: float, right: float, angle: float) -> None:
    """Two ramps on the floor that slope down to the middle between `left` and `right`, where balls meet."""
    half = (right - left) / 2
    length = (half - THICKNESS * math.sin(math.radians(angle))) / math.cos(math.radians(angle))
    scene.fixed(bar(length), -angle, left=left, bottom=0.0)
    scene.fixed(bar(length), angle, right=right, bottom=0.0)


def resting_ball(scene: SceneBuilder, shape: PuzzleShape, x: float, *supports: Placed) -> Placed:
    """A moving ball, lowered at x until it touches a support."""
    return scene.moving(shape, centre_x=x, bottom=bottom_at_rest(shape, x, *supports))


def ball_in(scene: SceneBuilder, bucket: Placed, diameter: float) -> Placed:
    """A moving ball on the floor of a jar."""
    return resting_ball(scene, ball(diameter), bucket.centre_x, bucket)


def bottom_at_rest(shape: PuzzleShape, x: float, *supports: Placed, start: float | None = None) -> float:
    """The bottom of a ball lowered at x until it touches a support, from a centre height `start` (default: above all)."""
    radius = shape.height / 2
    height = start if start is not None else max(support.top for support in supports) + radius
    return float(slid(shape, np.array((x, height)), np.array((0.0, -1.0)), *supports)[1]) - radius


def slid(shape: PuzzleShape, start: Floats, direction: Floats, *obstacles: Placed) -> Floats:
    """The centre of a ball moved in a direction until it touches an obstacle, by sphere tracing.

    Raises `ValueError` if there is no obstacle in the way.
    """
    place = start * SCENE_PIXELS
    while (np.abs(place) < 2 * SCENE_PIXELS).all():
        gap = min(
            float(distance(obstacle.shape, obstacle.angle, place - (obstacle.x, obstacle.y))) - shape.radius
            for obstacle in obstacles
        )
        if gap < _CLOSE:
            return place * PX
        place = place + gap * direction
    raise ValueError(
        f"Expected an obstacle in the way of a ball that starts at {start} (got none). Place it elsewhere."
    )


def jar_floor(height: float) -> float:
    """The height of the inner floor of a jar above its lower edge."""
    shape = jar(height)
    ground = shape.slabs[0]
    return (ground.y + ground.half_thickness - shape.bounds()[1]) * PX


def jar_on_a_step(scene: SceneBuilder, tilt: float, bottom: float, height: float, right: float) -> Placed:
    """A tilted step at the right wall and a jar on it with a ball inside; returns the ball."""
    step = scene.fixed(bar(0.3), tilt, right=1.0, bottom=bottom)
    shape = jar(height)
    x = right - shape.bounds(step.angle)[2] * PX
    sin, cos = math.sin(step.angle), math.cos(step.angle)
    rise = THICKNESS / 2 - shape.bounds()[1] * PX  # of the jar's centre of mass above the centre line of the step
    y = step.centre_y + (x - step.centre_x) * sin / cos + rise / cos
    bucket = scene.moving(shape, tilt, **centred_at(shape, tilt, x, y))
    return ball_in(scene, bucket, 0.05 + height / 8)


def tipped_ledge(scene: SceneBuilder, length: float, x: float, y: float, left_tip: bool, right_tip: bool) -> Placed:
    """A bar centred at x, y, with optional tips at its ends, two pixels high, that hold back slow balls."""
    ledge = scene.fixed(bar(length), centre_x=x, centre_y=y)
    if left_tip:
        scene.fixed(bar(0.01), left=ledge.left, bottom=ledge.bottom + 2 * PX)
    if right_tip:
        scene.fixed(bar(0.01), right=ledge.right, bottom=ledge.bottom + 2 * PX)
    return ledge


def floor_between_traps(scene: SceneBuilder) -> Placed:
    """The middle part of the floor, between two ramps in the corners that trap balls."""
    left = scene.fixed(bar(0.15), 10, left=0.0, bottom=0.0)
    right = scene.fixed(bar(0.15), -10, right=1.0, bottom=0.0)
    return scene.fixed(bar(right.left - left.right), left=left.right, bottom=0.0)
