"""The energy bound: a run is given up where energy cannot suffice, and not where it can."""

import pytest

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.energy_bound import out_of_reach
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar
from comphy.puzzles.phyre.world.task_world import Ball, TaskWorld

pytestmark = pytest.mark.bullet


def on_a_shelf(height: float, goal_on_the_floor: bool) -> Scene:
    """The goal ball lies on a shelf; what it must touch is on the floor below, or hangs above."""
    scene = SceneBuilder()
    shelf = scene.fixed(bar(0.3), left=0.6, bottom=height)
    target = scene.moving(ball(0.1), centre_x=0.75, bottom=shelf.top)
    bottom = 0.0 if goal_on_the_floor else 0.95
    scene.goal(target, scene.fixed(bar(0.2), left=0.1, bottom=bottom))
    return scene.build()


ROLLING_APART = [Ball(60, 12, 10), Ball(66, 40, 10)]


def after(world: TaskWorld, balls: list[Ball], blocks: int) -> None:
    world.start(balls)
    for _ in range(blocks):
        world.physics.advance()


def test_a_ball_on_the_floor_cannot_wake_one_on_a_high_shelf() -> None:
    with TaskWorld(on_a_shelf(0.5, goal_on_the_floor=False)) as world:
        after(world, ROLLING_APART, 12)
        assert not world.physics.asleep
        assert out_of_reach(world.physics, world.goal, 500)


def test_a_ball_that_falls_from_above_can() -> None:
    with TaskWorld(on_a_shelf(0.5, goal_on_the_floor=False)) as world:
        after(world, [Ball(100, 230, 10)], 4)
        assert len(world.physics.awake) == 1, "the ball on the shelf sleeps"
        assert not out_of_reach(world.physics, world.goal, 500)


def test_a_goal_ball_that_is_awake_can_fall_to_what_lies_below() -> None:
    with TaskWorld(on_a_shelf(0.5, goal_on_the_floor=True)) as world:
        world.start([])
        assert not out_of_reach(world.physics, world.goal, 900)


def test_time_sets_a_limit_to_those_on_the_floor() -> None:
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), left=0.6, bottom=0.0)
    scene.goal(first, scene.moving(ball(0.1), right=0.95, bottom=0.0))
    with TaskWorld(scene.build()) as world:
        after(world, ROLLING_APART, 12)
        assert world.physics.awake
        assert out_of_reach(world.physics, world.goal, 10)
        assert not out_of_reach(world.physics, world.goal, 100_000)
