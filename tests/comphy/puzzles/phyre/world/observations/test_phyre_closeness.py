"""Closeness: the smallest gap, and how long it was none."""

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.observations.closeness import closeness, goal_gaps
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import PuzzleShape, ball, bar


def scene_of(shape: PuzzleShape) -> Scene:
    """The shape over a floor whose upper side is at 5.12 pixels."""
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    scene.goal(scene.moving(shape, centre_x=0.5, bottom=0.5), floor)
    return scene.build()


def lowered(scene: Scene, *heights: float) -> np.ndarray:
    """States in which the first goal body is so many pixels over the floor."""
    rows = np.array([[(body.x, body.y, body.angle, 0.0, 0.0, 0.0) for body in scene.bodies]] * len(heights))
    bottom = -scene.bodies[1].shape.bounds(0.0)[1]
    rows[:, 1, 1] = np.array(heights) + 5.12 + bottom
    return rows


@pytest.mark.parametrize("shape", [ball(0.1), bar(0.2)])
def test_the_gap_is_between_the_edges_of_the_goals_bodies(shape: PuzzleShape) -> None:
    scene = scene_of(shape)
    np.testing.assert_allclose(goal_gaps(scene, lowered(scene, 64.0, 10.0, 0.0)), (64.0, 10.0, 0.0), atol=1e-9)


def test_nearer_is_closer_and_longer_is_closer_still() -> None:
    scene = scene_of(ball(0.1))
    far, near, touching = ((128.0, 64.0), (128.0, 32.0), (128.0, 0.0))
    assert closeness(scene, lowered(scene, *far), 10) == pytest.approx(1 - 64 / 256)
    assert closeness(scene, lowered(scene, *near), 10) == pytest.approx(1 - 32 / 256)
    assert closeness(scene, lowered(scene, *touching), 10) == pytest.approx(1 + 10 / 180)
    bounces = (0.0, 20.0, 0.0, 0.0, 0.0, 20.0)
    assert closeness(scene, lowered(scene, *bounces), 10) == pytest.approx(1 + 30 / 180)
    assert closeness(scene, lowered(scene, *[0.0] * 40), 10) == 2.0
