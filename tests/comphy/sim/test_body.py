"""Surfaces mix by the geometric mean; bodies without mass do not move."""

import math

import pytest

from comphy.sim.body import Body, Surface, mix
from comphy.sim.shapes import Sphere


def test_equal_surfaces_keep_their_values() -> None:
    mixed = mix(Surface(0.024, 0.2), Surface(0.024, 0.2))
    assert mixed.friction == pytest.approx(0.024)
    assert mixed.restitution == pytest.approx(0.2)


def test_unequal_surfaces_mix_to_the_geometric_mean() -> None:
    mixed = mix(Surface(0.4, 0.9), Surface(0.1, 0.4))
    assert mixed.friction == pytest.approx(0.2)
    assert mixed.restitution == pytest.approx(0.6)


def test_a_frictionless_surface_makes_the_pair_frictionless() -> None:
    assert mix(Surface(0.0, 1.0), Surface(5.0, 0.0)) == Surface(0.0, 0.0)


@pytest.mark.parametrize(("friction", "restitution"), [(-0.1, 0.0), (0.0, -0.1), (0.0, 1.1)])
def test_impossible_surfaces_are_refused(friction: float, restitution: float) -> None:
    with pytest.raises(ValueError, match="Expected friction >= 0 and 0 <= restitution <= 1"):
        Surface(friction, restitution)


@pytest.mark.parametrize(("mass", "static"), [(0.0, True), (1.0, False), (math.pi, False)])
def test_mass_zero_means_static(mass: float, static: bool) -> None:
    assert Body(Sphere(0.2), mass).static is static
