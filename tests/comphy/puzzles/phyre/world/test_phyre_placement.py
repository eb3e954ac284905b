"""Reasons against placements: there is one exactly where the action is not valid, and it is the right one."""

import numpy as np
import pytest

from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS, Tier
from comphy.puzzles.phyre.world.placement import problems
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.task_world import Ball
from tests.support.two_templates import reach_the_wall, two_balls_meet


@pytest.mark.parametrize("tier", [BALL, TWO_BALLS], ids=lambda tier: tier.name)
@pytest.mark.parametrize("scene", [reach_the_wall(), two_balls_meet()], ids=["wall", "balls"])
def test_a_placement_without_problems_is_a_valid_action(scene: Scene, tier: Tier) -> None:
    rng = np.random.default_rng(0)
    placed = rng.integers((0, 0, 1), (256, 256, 34), size=(300, tier.balls, 3))
    valid = tier.valid(scene, tier.actions_of(placed))
    found = [not problems(scene, [Ball(*ball) for ball in balls]) for balls in placed.tolist()]
    assert found == valid.tolist()
    assert 20 < sum(found) < 280


@pytest.mark.parametrize("x", [14, 15, 240, 241])
def test_a_ball_may_touch_the_edge_of_the_scene(x: int) -> None:
    assert bool(problems(two_balls_meet(), [Ball(x, 200, 15)])) == (x in (14, 241))


def test_reasons_name_what_is_wrong() -> None:
    scene = two_balls_meet(x1=0.3, x2=0.6, bottom=0.35)
    blue = scene.bodies[1]
    [overlap] = problems(scene, [Ball(20, 200, 5), Ball(blue.x + 3, blue.y, 6)])
    assert (overlap.ball, overlap.body, overlap.reason) == (1, 1, "The ball overlaps a blue body.")
    [outside] = problems(scene, [Ball(3, 200, 5)])
    assert (outside.body, outside.reason) == (None, "The ball sticks out of the scene.")
    [large] = problems(scene, [Ball(100, 200, 33)])
    assert large.reason == "The radius must be from 2 to 32 pixels (it is 33)."
    close = problems(scene, [Ball(100, 200, 10), Ball(120, 200, 10)])
    assert [problem.ball for problem in close] == [0, 1]
    assert "one pixel apart" in close[0].reason
    assert not problems(scene, [Ball(100, 200, 10), Ball(121, 200, 10)])
