"""The parts of templates: what rests touches, what is mirrored mirrors, what leads down leads down."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.parts import (
    THICKNESS,
    ball_in,
    jar_floor,
    jar_on_a_step,
    mirrored,
    resting_ball,
    shelf_with_hole,
    slid,
    valley,
)
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Placed
from comphy.puzzles.phyre.world.shapes import ball, bar, distance, jar


def gap(stone: Placed, other: Placed) -> float:
    """Pixels between a ball and another body."""
    centre = np.array((stone.x - other.x, stone.y - other.y))
    return float(distance(other.shape, other.angle, centre)) - stone.shape.radius


def test_a_ball_rests_on_both_sides_of_a_cradle() -> None:
    scene = SceneBuilder()
    sides = [scene.fixed(bar(0.1), -5, right=0.5, bottom=0.3), scene.fixed(bar(0.1), 5, left=0.5, bottom=0.3)]
    stone = resting_ball(scene, ball(0.1), 0.5, *sides)
    assert [gap(stone, side) for side in sides] == pytest.approx([0.0, 0.0], abs=1e-3)


def test_a_ball_lies_on_the_floor_of_a_jar() -> None:
    scene = SceneBuilder()
    bucket = scene.moving(jar(0.3), centre_x=0.4, bottom=0.1)
    stone = ball_in(scene, bucket, 0.08)
    assert gap(stone, bucket) == pytest.approx(0.0, abs=1e-3)
    assert stone.bottom == pytest.approx(bucket.bottom + jar_floor(0.3), abs=1e-5)
    assert jar_floor(0.3) == pytest.approx(THICKNESS, abs=0.5 * PX)


@pytest.mark.parametrize("tilt", [-10.0, 0.0, 7.0])
def test_a_jar_stands_on_its_step(tilt: float) -> None:
    scene = SceneBuilder()
    stone = jar_on_a_step(scene, tilt, 0.2, 0.225, 0.94)
    scene.goal(stone, scene.moving(ball(0.05), left=0.0, bottom=0.0))
    step, bucket, _, _ = scene.build().bodies
    assert bucket.bounds[2] * PX == pytest.approx(0.94)
    assert bucket.angle == pytest.approx(math.radians(tilt))
    above = np.array((bucket.x - step.x, bucket.y - step.y)) @ (-math.sin(step.angle), math.cos(step.angle))
    assert above == pytest.approx(THICKNESS / 2 / PX - bucket.shape.bounds()[1])


def test_a_scene_is_mirrored_twice_into_itself() -> None:
    scene = SceneBuilder()
    target = scene.moving(jar(0.2), 30, left=0.1, bottom=0.2)
    scene.goal(target, scene.fixed(bar(0.3), 20, left=0.5, bottom=0.1))
    original = scene.build()
    turned = mirrored(original)
    for body, image in zip(original.bodies, turned.bodies, strict=True):
        left, bottom, right, top = body.bounds
        assert image.bounds == pytest.approx((256 - right, bottom, 256 - left, top))
    assert mirrored(turned) == original


def test_a_valley_is_lowest_in_the_middle() -> None:
    scene = SceneBuilder()
    valley(scene, 0.2, 0.8, 10)
    scene.goal(scene.moving(ball(0.1), left=0, top=1), scene.moving(ball(0.05), right=1, top=1))
    left, right = scene.build().bodies[:2]
    assert (left.bounds[0], left.bounds[2]) == pytest.approx((0.2 * 256, 128.0))
    assert (right.bounds[0], right.bounds[2]) == pytest.approx((128.0, 0.8 * 256))
    assert left.angle < 0 < right.angle
    assert left.bounds[1] == right.bounds[1] == pytest.approx(0.0)


def test_a_shelf_leaves_out_the_part_without_length() -> None:
    for hole, parts in (((0.2, 0.5), 2), ((0.0, 0.5), 1), ((0.4, 1.0), 1)):
        scene = SceneBuilder()
        shelf_with_hole(scene, 0.4, *hole)
        scene.goal(scene.moving(ball(0.1), left=0, top=1), scene.moving(ball(0.05), right=1, top=1))
        shelves = [body for body in scene.build().bodies if body.static]
        assert len(shelves) == parts
        assert sum(body.bounds[2] - body.bounds[0] for body in shelves) == pytest.approx((1 - hole[1] + hole[0]) * 256)


def test_a_ball_without_support_is_an_error() -> None:
    scene = SceneBuilder()
    ledge = scene.fixed(bar(0.2), left=0.0, bottom=0.5)
    with pytest.raises(ValueError, match="Expected an obstacle in the way"):
        slid(ball(0.1), np.array((0.5, 0.9)), np.array((0.0, -1.0)), ledge)
