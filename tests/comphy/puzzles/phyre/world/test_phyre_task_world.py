"""A task's physics: what stands stays, touching counts as the rules say, and stopping early changes no verdict."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS, Tier
from comphy.puzzles.phyre.world.constants import MAX_STEPS, PX, STEPS_FOR_SOLUTION
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar, standing_sticks
from comphy.puzzles.phyre.world.task_world import Ball, TaskWorld
from data_gen.phyre.verdict_agreement import verdicts_that_differ
from tests.support.two_templates import reach_the_wall, two_balls_meet

pytestmark = pytest.mark.bullet


def everything_stands() -> Scene:
    """A pole, dominoes, an upright jar with a ball, an overturned jar, a trestle."""
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    target = scene.moving(bar(0.4), 90, centre_x=0.1, bottom=floor.top)
    for k in range(3):
        scene.moving(bar(0.15 + 0.05 * k), 90, centre_x=0.2 + 0.1 * k, bottom=floor.top)
    bucket = scene.moving(jar(0.2), centre_x=0.55, bottom=floor.top)
    scene.moving(ball(0.05), centre_x=bucket.centre_x, bottom=bucket.bottom + 5 * PX)
    scene.moving(jar(0.12), 180, centre_x=0.75, bottom=floor.top)
    scene.moving(standing_sticks(0.3), centre_x=0.92, bottom=floor.top)
    scene.goal(target, scene.fixed(bar(0.1), left=0.0, bottom=0.9))
    return scene.build()


def toppling() -> Scene:
    """A pole beside a wall, a jar under a ball, a loose plank."""
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    pole = scene.moving(bar(0.3), 90, centre_x=0.2, bottom=floor.top)
    bucket = scene.moving(jar(0.2), centre_x=0.5, bottom=floor.top)
    scene.moving(ball(0.08), centre_x=bucket.centre_x + 0.02, bottom=0.7)
    post = scene.fixed(ball(0.1), centre_x=0.8, bottom=floor.top)
    scene.moving(bar(0.25), centre_x=0.8, bottom=post.top)
    scene.goal(pole, bucket)
    return scene.build()


def test_what_stands_stays_for_the_whole_time() -> None:
    with TaskWorld(everything_stands()) as world:
        world.start([])
        first = world.states()
        for _ in world.watched_steps():
            pass
        last = world.states()
    moved = np.abs(last - first)
    assert moved[:, :2].max() < 0.5
    assert np.degrees(moved[:, 2]).max() < 1.0


def test_a_ball_falls_to_the_floor_in_the_time_that_gravity_takes() -> None:
    with TaskWorld(two_balls_meet(bottom=0.8)) as world:
        world.start([])
        fallen = next(step for step, _ in world.watched_steps() if world.states()[0, 1] < 15.5 + 0.5)
    assert fallen / 60 == pytest.approx(math.sqrt(2 * 0.8 * 256 / 6 / 9.8), abs=2 / 60)


def test_a_ball_dropped_between_solves_and_one_far_off_does_not() -> None:
    with TaskWorld(two_balls_meet(d1=0.12, d2=0.12, x1=0.45, x2=0.6, bottom=0.2)) as world:
        outcomes = {x: world.solves([Ball(x, 200, 14)]) for x in range(60, 240, 10)}
    assert any(outcomes.values()) and not all(outcomes.values())
    assert not outcomes[230]


def test_balls_touch_at_a_tenth_of_a_pixel() -> None:
    for gap, touching in ((0.08, True), (0.12, False)):
        scene = SceneBuilder()
        first = scene.moving(ball(0.1), left=0.3, bottom=0.0)
        second = scene.moving(ball(0.1), left=first.right + gap * PX, bottom=0.0)
        scene.goal(first, second)
        with TaskWorld(scene.build()) as world:
            world.start([])
            next(world.watched_steps())
            assert world.touching() is touching


@pytest.mark.parametrize("bottom", [0.0, 0.5])
def test_touching_must_last(bottom: float) -> None:
    """A ball on the goal from the start solves after 180 steps; one that falls there, after its fall and its bounces."""
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    scene.goal(scene.moving(ball(0.1), centre_x=0.5, bottom=floor.top + bottom), floor)
    with TaskWorld(scene.build()) as world:
        assert world.solves([])
        world.start([])
        solved = next(step for step, held in world.watched_steps() if held == STEPS_FOR_SOLUTION)
    fall = math.sqrt(2 * bottom * 256 / 6 / 9.8)
    assert STEPS_FOR_SOLUTION <= solved - fall * 60 < STEPS_FOR_SOLUTION + 90


def test_a_touch_that_begins_too_late_does_not_count() -> None:
    """A ball rolls down to a wall, on flatter and flatter slopes, up to those that leave it less than three seconds."""
    arrivals, verdicts = [], []
    for degrees in (2.6, 3.0, 3.3, 3.6, 4.0, 5.0, 7.0, 9.0):
        scene = SceneBuilder()
        slope = scene.fixed(bar(1.1), -degrees, left=-0.05, bottom=0.0)
        wall = scene.fixed(bar(0.3), 90, right=1.0, bottom=0.05)
        scene.goal(scene.moving(ball(0.1), left=0.02, bottom=slope.top), wall)
        with TaskWorld(scene.build()) as world:
            verdicts.append(world.solves([]))
            world.start([])
            arrivals.append(next((step for step, held in world.watched_steps() if held), MAX_STEPS))
    last = MAX_STEPS - STEPS_FOR_SOLUTION + 1
    assert arrivals == sorted(arrivals, reverse=True)
    assert last < arrivals[0] < MAX_STEPS and arrivals[-1] < last - 100
    assert [verdict for arrival, verdict in zip(arrivals, verdicts, strict=True) if arrival > last].count(True) == 0
    assert all(verdict for arrival, verdict in zip(arrivals, verdicts, strict=True) if arrival < last - 100)


@pytest.mark.parametrize("tier", [BALL, TWO_BALLS], ids=lambda tier: tier.name)
@pytest.mark.parametrize("make", [two_balls_meet, reach_the_wall, toppling])
def test_stopping_early_changes_no_verdict(make: object, tier: Tier) -> None:
    scene = make()  # type: ignore[operator]
    tried, solved, different = verdicts_that_differ(scene, tier, count=12, rng=np.random.default_rng(7))
    assert tried == 12
    assert 0 <= solved < tried
    assert different == []


def test_verdicts_do_not_depend_on_what_was_tried_before() -> None:
    scene, rng = toppling(), np.random.default_rng(2)
    actions = BALL.sample(60, rng)
    balls = BALL.balls_of(actions[BALL.valid(scene, actions)])[:12, 0]

    def states(world: TaskWorld, k: int) -> bytes:
        world.start([Ball(*balls[k])])
        for _ in range(20):
            world.physics.advance()
        return world.states().tobytes()

    fresh = []
    for k in range(12):
        with TaskWorld(scene) as world:
            fresh.append(states(world, k))
    with TaskWorld(scene) as world:
        for k in rng.permutation(24) % 12:
            assert states(world, k) == fresh[k]
            world.solves([Ball(*balls[k - 1])])
