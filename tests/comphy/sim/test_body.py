"""Impossible surfaces are refused; bodies without mass do not move."""

import math

import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.shapes import Sphere


@pytest.mark.parametrize(("friction", "restitution"), [(-0.1, 0.0), (0.0, -0.1), (0.0, 1.1)])
def test_impossible_surfaces_are_refused(friction: float, restitution: float) -> None:
    with pytest.raises(ValueError, match="Expected friction >= 0 and 0 <= restitution <= 1"):
        Surface(friction, restitution)


@pytest.mark.parametrize(("mass", "static"), [(0.0, True), (1.0, False), (math.pi, False)])
def test_mass_zero_means_static(mass: float, static: bool) -> None:
    assert Body(Sphere(0.2), mass).static is static
