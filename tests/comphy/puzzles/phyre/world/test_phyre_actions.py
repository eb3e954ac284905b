"""Actions: pixels, validity in an empty scene, and overlap against a brute-force count of pixels."""

import numpy as np
import pytest

from comphy.errors import ConfigError
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS, Tier, occluded, tier_named
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, distance, jar, standing_sticks
from tests.support.two_templates import reach_the_wall


def furnished() -> Scene:
    scene = SceneBuilder()
    target = scene.moving(ball(0.2), centre_x=0.3, centre_y=0.7)
    scene.goal(target, scene.fixed(bar(0.4), 30, left=0.5, bottom=0.5))
    scene.fixed(jar(0.3), 20, left=0.1, bottom=0.05)
    scene.moving(standing_sticks(0.5), -20, right=0.95, bottom=0.05)
    return scene.build()


def test_the_cube_becomes_whole_pixels() -> None:
    actions = [(0.0, 1.0, 0.0), (0.5, 0.999, 1.0), (0.1, 0.2, 0.51)]
    expected = [(0, 255, 2), (127, 254, 32), (25, 51, 17)]
    np.testing.assert_array_equal(BALL.balls_of(actions)[:, 0], expected)
    np.testing.assert_array_equal(TWO_BALLS.balls_of([actions[1] + actions[2]])[0], expected[1:])


def test_whole_pixels_have_an_action() -> None:
    balls = [(2, 254, 2), (127, 100, 32), (51, 25, 17)]
    np.testing.assert_array_equal(BALL.balls_of(BALL.actions_of(balls))[:, 0], balls)
    both = TWO_BALLS.actions_of([balls[1] + balls[2]])
    np.testing.assert_array_equal(TWO_BALLS.balls_of(both)[0], balls[1:])
    sampled = TWO_BALLS.sample(500, np.random.default_rng(0))
    pixels = TWO_BALLS.balls_of(sampled)
    np.testing.assert_array_equal(TWO_BALLS.balls_of(TWO_BALLS.actions_of(pixels)), pixels)


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        ((0.5, 0.5, 0.5), True),
        ((0.5, 0.5, 1.01), False),
        ((-0.01, 0.5, 0.0), False),
        ((0.5, float("nan"), 0.0), False),
        ((2 / 255, 0.5, 0.0), True),  # x = r
        ((1.99 / 255, 0.5, 0.0), False),
        ((254 / 255, 0.5, 0.0), True),  # x = 256 - r
        ((0.5, 254.5 / 255, 0.0), False),
        ((0.12, 0.5, 1.0), False),  # x = 30.6, r = 32
    ],
)
def test_a_ball_must_be_inside(action: tuple[float, ...], allowed: bool) -> None:
    assert bool(BALL.in_space([action])[0]) is allowed


@pytest.mark.parametrize(("gap", "allowed"), [(0.99, False), (1.01, True)])
def test_two_balls_keep_a_pixel_apart(gap: float, allowed: bool) -> None:
    first, second = (100 / 255, 0.5, 0.0), ((100 + 4 + gap) / 255, 0.5, 0.0)
    assert bool(TWO_BALLS.in_space([first + second])[0]) is allowed


def test_exactly_touching_is_allowed() -> None:
    scene = furnished()
    target = scene.bodies[0]
    beside = target.x + target.shape.radius
    balls = np.array([[[beside + 5.0, target.y, 5.0]], [[beside + 4.99, target.y, 5.0]]])
    assert occluded(scene, balls).tolist() == [False, True]


def test_occlusion_agrees_with_counting_points() -> None:
    scene, rng = furnished(), np.random.default_rng(0)
    balls = np.concatenate([rng.uniform(30, 226, (300, 1, 2)), rng.integers(2, 33, (300, 1, 1))], axis=-1)
    disc = np.stack(np.meshgrid(*[np.linspace(-1, 1, 81)] * 2), axis=-1).reshape(-1, 2)
    disc = disc[np.hypot(*disc.T) <= 1]
    verdicts = occluded(scene, balls)
    for (x, y, radius), verdict in zip(balls[:, 0], verdicts, strict=True):
        points = disc * radius + (x, y)
        depth = min(distance(body.shape, body.angle, points - (body.x, body.y)).min() for body in scene.bodies)
        if abs(depth) > 1.0:
            assert verdict == (depth < 0), (x, y, radius)
    assert 0.2 < verdicts.mean() < 0.95


def test_overlapping_balls_of_the_player_are_occluded() -> None:
    scene = reach_the_wall()
    apart = np.array([[[60, 200, 10], [81, 200, 10]], [[60, 200, 10], [79, 200, 10]]], dtype=float)
    assert occluded(scene, apart).tolist() == [False, True]


@pytest.mark.parametrize("tier", [BALL, TWO_BALLS])
def test_samples_are_allowed_uniform_and_reproducible(tier: Tier) -> None:
    actions = tier.sample(500, np.random.default_rng(3))
    assert actions.shape == (500, tier.dimensions)
    assert tier.in_space(actions).all()
    np.testing.assert_array_equal(actions, tier.sample(500, np.random.default_rng(3)))
    assert abs(actions[:, 0].mean() - 0.5) < 0.05
    assert tier.sample(0, np.random.default_rng(3)).shape == (0, tier.dimensions)


def test_valid_is_both_rules_at_once() -> None:
    scene = furnished()
    actions = np.random.default_rng(1).random((400, 3))
    expected = BALL.in_space(actions) & ~occluded(scene, BALL.balls_of(actions))
    np.testing.assert_array_equal(BALL.valid(scene, actions), expected)
    assert 0 < expected.sum() < BALL.in_space(actions).sum()


def test_mistakes_name_what_was_expected() -> None:
    with pytest.raises(ValueError, match=r"actions \[N, 6\] in tier two_balls \(got shape \(1, 3\)\)"):
        TWO_BALLS.valid(furnished(), [(0.5, 0.5, 0.5)])
    with pytest.raises(ConfigError, match="did you mean 'two_balls'"):
        tier_named("twoballs")
    assert tier_named("ball") is BALL
