"""Scenes as parts: the geometry is that of the simulator, and a mirror changes sides and nothing else."""

import numpy as np
import pytest
import torch

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.shapes import ball, bar, distance, jar, standing_sticks
from models.agents.scorers.parts import Column, balls_of, mirrored, mirrored_actions, parts_of, seen_from
from tests.support.tiny_world import puzzles


def one_of_each() -> SceneBuilder:
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=0.2, bottom=0.6)
    second = scene.fixed(bar(0.4), 30, centre_x=0.6, bottom=0.2)
    scene.moving(jar(0.2), -20, centre_x=0.5, bottom=0.7)
    scene.fixed(standing_sticks(0.3), 10, centre_x=0.8, bottom=0.5)
    scene.goal(first, second)
    return scene


def test_parts_are_the_balls_and_slabs_of_a_scene() -> None:
    parts = parts_of([one_of_each().build()])[0]
    assert len(parts) == 1 + 1 + 3 + 2 and (parts[:, Column.PRESENT] == 1).all()
    colors = parts[:, Column.FIRST_COLOR :].argmax(dim=1) + 1
    assert colors.tolist() == [Color.GREEN, Color.PURPLE, *[Color.GRAY] * 3, *[Color.BLACK] * 2]
    assert (parts[:, Column.RIM] > 0).tolist() == [True] + [False] * 6
    assert parts[1, Column.HALF_LENGTH] == pytest.approx(0.2)
    centres = parts[:, Column.X : Column.Y + 1] + parts[:, Column.BODY_X : Column.BODY_Y + 1]
    torch.testing.assert_close(centres[2:5], centres[2].expand(3, 2), msg="the parts of a body know where it is")


def test_the_gap_is_the_distance_that_forbids_actions() -> None:
    scene = one_of_each().build()
    actions = BALL.sample(50, np.random.default_rng(0))
    where = seen_from(balls_of(torch.from_numpy(actions)), parts_of([scene]).double().expand(50, -1, -1))
    exact = BALL.exact_balls(actions)[:, 0]
    owners = [0, 1, 2, 2, 2, 3, 3]
    for k, body in enumerate(scene.bodies):
        expected = distance(body.shape, body.angle, exact[:, :2] - (body.x, body.y)) - exact[:, 2]
        found = where[:, 0, [i for i, owner in enumerate(owners) if owner == k], 4].amin(dim=1)
        outside = expected + exact[:, 2] > 0
        np.testing.assert_allclose(256 * found.numpy()[outside], expected[outside], atol=1e-3)


def test_balls_are_those_of_the_tier() -> None:
    actions = TWO_BALLS.sample(5, np.random.default_rng(0))
    np.testing.assert_allclose(balls_of(torch.from_numpy(actions)) * 256, TWO_BALLS.exact_balls(actions), atol=1e-9)


def test_a_mirror_changes_sides_alone() -> None:
    parts = parts_of([one_of_each().build(), puzzles(1)[0].scene]).double()
    actions = torch.from_numpy(TWO_BALLS.sample(2, np.random.default_rng(0)))
    there = mirrored(parts)
    torch.testing.assert_close(mirrored(there), parts)
    torch.testing.assert_close(mirrored_actions(mirrored_actions(actions)), actions)
    direct, seen = seen_from(balls_of(actions), parts), seen_from(balls_of(mirrored_actions(actions)), there)
    present = parts[:, None, :, Column.PRESENT].expand(direct.shape[:-1]) > 0
    torch.testing.assert_close(seen[..., 4][present], direct[..., 4][present])
    torch.testing.assert_close(seen[..., 0][present], -direct[..., 0][present])
    torch.testing.assert_close(seen[..., 1][present], direct[..., 1][present])
