"""Observations and features of scenes whose pixels and numbers can be worked out by hand."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.observations.features import (
    OBJECT_FEATURE_SIZE,
    FeaturizedObjects,
    featurize,
    featurized_objects_vector_to_raster,
)
from comphy.puzzles.phyre.world.observations.observation import NUM_COLORS, RGB, observation, to_rgb
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar, standing_sticks
from tests.support.two_templates import reach_the_wall


def one_of_each() -> Scene:
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    scene.goal(scene.moving(ball(0.2), centre_x=0.25, centre_y=0.5), floor)
    scene.moving(jar(0.3), centre_x=0.5, bottom=0.4)
    scene.moving(standing_sticks(0.4), -90, centre_x=0.8, centre_y=0.7)
    scene.fixed(bar(0.5), 90, right=1.25, bottom=0.9)
    return scene.build()


def test_row_0_is_the_bottom() -> None:
    picture = observation(one_of_each().bodies)
    assert (picture[:5] == Color.PURPLE).all()
    assert (picture[6:60] == 0).all()
    assert picture[128, 64] == Color.GREEN


def test_areas_are_those_of_the_shapes() -> None:
    picture = observation(one_of_each().bodies)
    assert (picture == Color.GREEN).sum() == pytest.approx(math.pi * 25.5**2, rel=0.01)
    assert (picture == Color.PURPLE).sum() == 256 * 5
    assert (picture == Color.BLACK).sum() == 0, "outside the scene"
    gray = 38.4 * 2 * 5 + 40 * 5 + 2 * 68.3 * 3.4
    assert (picture == Color.GRAY).sum() == pytest.approx(gray * 1.5, rel=0.3)


def test_later_bodies_cover_earlier_ones() -> None:
    scene = SceneBuilder()
    below = scene.fixed(bar(0.5), centre_x=0.5, centre_y=0.5)
    scene.goal(scene.moving(ball(0.1), centre_x=0.5, centre_y=0.5), below)
    assert observation(scene.build().bodies)[128, 128] == Color.GREEN


def test_pictures_for_people_are_the_right_way_up_in_the_published_colours() -> None:
    codes = observation(reach_the_wall().bodies)
    picture = to_rgb(codes)
    assert picture.shape == (256, 256, 3)
    np.testing.assert_array_equal(picture[255 - 20, 2], RGB[codes[20, 2]])
    assert bytes(RGB[Color.PURPLE]).hex() == "4b4aa4"
    assert NUM_COLORS == 7
    assert to_rgb(np.stack([codes, codes])).shape == (2, 256, 256, 3)


def test_features_are_places_sizes_shapes_and_colours() -> None:
    bodies = one_of_each().bodies
    poses = np.array([[(body.x, body.y, body.angle) for body in bodies]] * 2)
    poses[1, 1] += (25.6, -51.2, -math.pi / 2)
    found = featurize(bodies, poses)
    assert found.features.shape == (2, 5, OBJECT_FEATURE_SIZE)
    assert found.features.dtype == np.float32
    np.testing.assert_allclose(found.states[:, 1], [(0.25, 0.5, 0.0), (0.35, 0.3, 0.75)], atol=1e-6)
    np.testing.assert_allclose(found.diameters[:3], [1.0, 51 / 256, math.hypot(0.9 * 0.25, 0.3)], atol=1e-6)
    assert found.shapes[1:4] == ["BALL", "JAR", "STANDINGSTICKS"], "the published names"
    assert found.colors == ["PURPLE", "GREEN", "GRAY", "GRAY", "BLACK"]
    np.testing.assert_array_equal(found.shapes_one_hot[1:4], np.eye(4)[[0, 2, 3]])
    np.testing.assert_array_equal(found.colors_one_hot, np.eye(6)[[3, 1, 4, 4, 5]])
    assert found.xs[0, 4] > 1.0, "what sticks out keeps its place"
    assert found.angles[0, 3] == pytest.approx(0.75)
    assert (found.num_objects, found.num_user_inputs, found.num_scene_objects) == (5, 0, 5)
    np.testing.assert_array_equal(found.features[..., 4:].sum(axis=-1), 2.0)


def test_features_are_drawn_as_the_scene_they_describe() -> None:
    bodies = one_of_each().bodies
    described = featurize(bodies, np.array([[(body.x, body.y, body.angle) for body in bodies]]))
    drawn = featurized_objects_vector_to_raster(described.features[0])
    np.testing.assert_array_equal(drawn, observation(bodies))


def test_features_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"features \[T, N, 14\] \(got shape \(2, 14\)\)"):
        FeaturizedObjects(np.zeros((2, 14), dtype=np.float32))
