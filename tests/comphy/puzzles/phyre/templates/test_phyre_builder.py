"""The builder and the shape vocabulary: placement after turning, colours from the goal, mistakes explained."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.constants import PX, Color, ShapeKind
from comphy.puzzles.phyre.world.shapes import (
    PuzzleShape,
    ball,
    ball_of_radius,
    bar,
    distance,
    jar,
    standing_sticks,
    turned,
)
from tests.support.two_templates import reach_the_wall, two_balls_meet

SHAPES = [ball(0.1), bar(0.3), jar(0.2), standing_sticks(0.5)]


def test_sizes_are_those_of_the_benchmark() -> None:
    assert ball(0.1).radius == 12.5
    assert ball(0.1).diameter == 25.0
    assert (bar(0.5).width, bar(0.5).height) == pytest.approx((0.5, 1 / 50))
    bucket = jar(0.3)
    assert bucket.height == pytest.approx(0.3)
    assert bucket.width == pytest.approx(0.3 / 1.2, abs=0.1 * PX)
    assert bucket.diameter == pytest.approx(math.hypot(0.9 * 64.0, 76.8))
    assert min(2 * slab.half_thickness for slab in bucket.slabs) == pytest.approx(5.12, abs=0.6)
    sticks, half = standing_sticks(0.6), 0.2 * 256
    steep = math.radians(77.5)
    assert sticks.height * 256 == pytest.approx(2 * half * math.sin(steep) + 5.12 * 2 / 3 * math.cos(steep))


@pytest.mark.parametrize("height", [0.1, 0.2, 0.4])
def test_a_jar_is_open_at_the_top_and_closed_everywhere_else(height: float) -> None:
    bucket = jar(height)
    _, bottom, right, top = bucket.bounds()
    middle = np.array([(0.0, (top + bottom) / 2), (0.0, top + 1.0)])
    assert (distance(bucket, 0.0, middle) > 2.0).all()
    sides = np.linspace(bottom + 0.6, top - 1.0, 60)
    across = np.linspace(-right, right, 2000)
    for y in sides:
        wall = distance(bucket, 0.0, np.stack([across, np.full_like(across, y)], axis=-1)) <= 0
        assert wall[:1000].any() and wall[1000:].any()
    floor = np.stack([np.linspace(-0.3, 0.3, 50) * right * 2, np.full(50, bottom + 2.0)], axis=-1)
    assert (distance(bucket, 0.0, floor) <= 0).all()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind.name)
def test_the_origin_of_a_shape_is_its_centre_of_mass(shape: PuzzleShape) -> None:
    grid = np.stack(np.meshgrid(*[np.arange(-100, 100, 0.25)] * 2), axis=-1).reshape(-1, 2) + 0.125
    inside = grid[distance(shape, 0.0, grid) <= 0]
    np.testing.assert_allclose(inside.mean(axis=0), 0.0, atol=0.15)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind.name)
@pytest.mark.parametrize("degrees", [0, 35, 90, 180, -146])
def test_edges_are_those_of_the_turned_shape(shape: PuzzleShape, degrees: float) -> None:
    scene = SceneBuilder()
    low, high = (
        scene.moving(shape, degrees, left=0.25, bottom=0.1),
        scene.fixed(shape, degrees, right=0.75, top=0.9),
    )
    middle = scene.moving(shape, degrees, centre_x=0.5, centre_y=0.4)
    assert (low.left, low.bottom) == pytest.approx((0.25, 0.1))
    assert (high.right, high.top) == pytest.approx((0.75, 0.9))
    assert ((middle.left + middle.right) / 2, (middle.bottom + middle.top) / 2) == pytest.approx((0.5, 0.4))
    assert (middle.width, middle.height) == pytest.approx((high.right - high.left, low.top - low.bottom))
    if shape.slabs:
        corners = turned(np.concatenate([slab.corners for slab in shape.slabs]), math.radians(degrees))
        assert low.width == pytest.approx(np.ptp(corners[:, 0]) * PX)


def test_colours_follow_from_the_goal() -> None:
    assert [body.color for body in two_balls_meet().bodies] == [Color.GREEN, Color.BLUE]
    scene = reach_the_wall()
    assert [body.color for body in scene.bodies] == [Color.PURPLE, Color.BLACK, Color.BLACK, Color.BLACK, Color.GREEN]
    assert scene.goal == (4, 0)
    assert scene.goal_sentence == "Make sure the green ball is touching the purple bar."
    extra = SceneBuilder()
    first, second = extra.moving(ball(0.1), left=0, bottom=0), extra.moving(jar(0.1), left=0.5, bottom=0)
    extra.moving(standing_sticks(0.2), left=0.8, bottom=0)
    extra.goal(first, second)
    assert [body.color for body in extra.build().bodies] == [Color.GREEN, Color.BLUE, Color.GRAY]


def test_the_aprons_of_00001_hang_from_the_table() -> None:
    _, table, left_apron, right_apron, target = reach_the_wall(d=0.1, left=0.4, above=20).bodies
    assert table.bounds[3] == pytest.approx(20.0)
    assert left_apron.bounds[2] == pytest.approx(table.bounds[0])
    assert right_apron.bounds[0] == pytest.approx(table.bounds[2])
    assert target.bounds[1] == pytest.approx(40.0)
    assert target.shape.kind is ShapeKind.BALL


def test_mistakes_are_explained() -> None:
    scene = SceneBuilder()
    with pytest.raises(ValueError, match="exactly one of left, centre_x, right \\(got none\\)"):
        scene.moving(ball(0.1), bottom=0.0)
    with pytest.raises(ValueError, match="exactly one of bottom, centre_y, top \\(got bottom, top\\)"):
        scene.moving(ball(0.1), left=0.0, bottom=0.0, top=0.5)
    with pytest.raises(ValueError, match="length above 0"):
        bar(0.0)
    floor, stone = scene.fixed(bar(1.0), left=0, bottom=0), scene.moving(ball_of_radius(7), left=0.3, bottom=0.3)
    with pytest.raises(ValueError, match="Call goal"):
        scene.build()
    with pytest.raises(ValueError, match="Name the fixed body second"):
        scene.goal(floor, stone)
    with pytest.raises(ValueError, match="two bodies of this scene"):
        scene.goal(stone, stone)
    with pytest.raises(ValueError, match="two bodies of this scene"):
        SceneBuilder().goal(stone, floor)
    scene.goal(stone, floor)
    with pytest.raises(ValueError, match="one goal"):
        scene.goal(stone, floor)


def test_inside_tells_what_sticks_out() -> None:
    scene = SceneBuilder()
    assert scene.fixed(bar(1.0), left=0.0, bottom=0.0).inside()
    assert not scene.fixed(bar(2.0), 10, left=0.0, bottom=-2 * PX).inside()
