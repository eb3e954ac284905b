"""Shots as a template sees them."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyq.templates.variation import Placement
from comphy.puzzles.phyq.world.constants import GRAVITY, MAX_STRETCH, Point
from comphy.puzzles.phyq.world.launch import Shot
from data_gen.phyq.solutions.aims import OTHER_STRETCHES, Aim, restretched

TARGET = (-3.0, 1.0)


def height_at(x: float, shot: Shot) -> float:
    """Of a free flight."""
    seconds = (x - shot.start[0]) / shot.velocity[0]
    return shot.start[1] + shot.velocity[1] * seconds - GRAVITY / 2 * seconds**2


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("place", [(0.0, 0.0), (1.5, -0.5)])
def test_another_stretch_goes_through_the_same_point(high: bool, place: Point) -> None:
    placement = Placement(*place, ())
    reached = 0
    for number in range(10):
        [aim] = restretched([Aim(TARGET, high, MAX_STRETCH)], np.random.default_rng(number))
        shot = aim.shot(placement)
        if shot is None:
            continue  # out of reach
        reached += 1
        assert OTHER_STRETCHES[0] <= math.hypot(shot.dx, shot.dy) < MAX_STRETCH
        assert height_at(TARGET[0] + place[0], shot) == pytest.approx(
            TARGET[1] + place[1], abs=0.05
        )  # a shot is rounded
    assert reached >= 5


def test_one_aim_at_least_has_another_stretch_and_angles_without_a_target_stay() -> None:
    aims = [Aim(TARGET, False, MAX_STRETCH), Aim(TARGET, True, 0.9)]
    for number in range(10):
        changed = restretched(aims, np.random.default_rng(number))
        assert any(one != other for one, other in zip(aims, changed, strict=True))
    at_an_angle = Aim(None, False, 0.8, degrees=30.0)
    assert restretched([at_an_angle], np.random.default_rng(0)) == (at_an_angle,)
