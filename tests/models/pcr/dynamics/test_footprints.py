import math

import pytest
import torch

from models.pcr.dynamics.footprints import Footprint, contact
from models.pcr.dynamics.time_of_impact import Moving, next_impact

HALF = 0.2
PAIR = torch.tensor([[0, 1]])


def placed(x: float, y: float, yaw: float = 0.0, square: bool = False) -> Footprint:
    core = torch.tensor([[HALF if square else 0.0]])
    return Footprint(torch.tensor([[[x, y]]]), torch.tensor([[yaw]]), core, HALF - core)


def test_two_discs():
    met = contact(placed(0, 0), placed(0.3, 0.4))
    assert met.gap.item() == pytest.approx(0.1, abs=1e-5)
    assert met.normal[0, 0].tolist() == pytest.approx([0.6, 0.8], abs=1e-4)


@pytest.mark.parametrize("first_is_square", [True, False])
def test_a_disc_beside_a_square_touches_its_face(first_is_square: bool):
    sides = placed(0, 0, square=True), placed(0.5, 0.1)
    met = contact(*sides) if first_is_square else contact(*sides[::-1])
    assert met.gap.item() == pytest.approx(0.1, abs=1e-4)
    sign = 1 if first_is_square else -1
    assert met.normal[0, 0].tolist() == pytest.approx([sign, 0.0], abs=5e-3)


def test_a_disc_before_a_turned_square_touches_its_corner():
    diagonal = HALF * 2**0.5
    met = contact(placed(0, 0, math.pi / 4, square=True), placed(diagonal + HALF + 1e-3, 0.0))
    assert met.gap.item() == pytest.approx(1e-3, abs=1e-4)
    assert met.arms[0][0, 0].tolist() == pytest.approx([diagonal, 0.0], abs=2e-3)


def test_faces_that_meet_touch_in_their_middle():
    """Not at one of two corners, which would set both spinning."""
    met = contact(placed(0, 0, square=True), placed(0.41, 0.0, square=True))
    assert met.gap.item() == pytest.approx(0.01, abs=1e-4)
    assert met.arms[0][0, 0, 1].item() == pytest.approx(0.0, abs=1e-4)


def test_squares_that_overlap_have_a_gap_below_zero():
    met = contact(placed(0, 0, square=True), placed(0.37, 0.1, 0.05, square=True))
    assert -0.06 < met.gap.item() < -0.02
    assert met.normal[0, 0, 0].item() == pytest.approx(1.0, abs=0.01)


def passing(speed: float) -> Moving:
    """A disc beside another that rests."""
    position = torch.tensor([[[-0.35, 0.24], [0.0, 0.0]]])
    velocity = torch.tensor([[[speed, 0.0], [0.0, 0.0]]])
    still = torch.zeros(1, 2)
    return Moving(position, velocity, still, still, still, torch.full((1, 2), HALF))


def test_a_touch_is_timed():
    """A disc that passes beside another touches it where the circle of twice the radius is crossed."""
    impact = next_impact(passing(1.0), PAIR, 0.04)
    assert impact.moment.item() == pytest.approx(0.35 - math.sqrt(0.4**2 - 0.24**2), abs=1e-3)
    assert impact.closing.item() == pytest.approx(0.8, abs=0.01)


def test_what_parts_does_not_touch():
    assert next_impact(passing(-1.0), PAIR, 0.04).closing.item() < 0
