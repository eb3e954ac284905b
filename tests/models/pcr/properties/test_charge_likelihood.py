"""Charges are told by motion that obeys Coulomb's law: two equal masses, integrated here by Runge-Kutta steps."""

import math

import pytest
import torch

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.fitting.state_fit import fit_states
from models.pcr.dynamics.predictor import GAIN, Dynamics
from models.pcr.dynamics.state import Bodies
from models.pcr.properties.charge_likelihood import charge_gains
from models.pcr.tracks.observed import VideoMotion
from models.pcr.tracks.projection import Projection

FRAMES, WIDTH, HEIGHT, OBJECTS = 50, 480, 320, 3
STRENGTH = 0.1  # units cubed per square second
NOISE = 0.2  # pixels


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    """Laws without friction, in which two charges act as STRENGTH says."""
    laws = Dynamics(OBJECTS)
    with torch.no_grad():
        laws.friction.fill_(-8.0 / GAIN)
        laws.drag.fill_(-8.0 / GAIN)
        laws.log_strength.fill_(math.log(STRENGTH))
        for part in laws.field.parameters():
            part.zero_()
    return laws


def distances(sign: float) -> torch.Tensor:
    """[T]: of two objects that start at rest, 1.2 units apart; each is accelerated by sign * STRENGTH / distance squared."""
    found, substeps = [], 20
    step, distance, speed = 1 / (FPS * substeps), 1.2, 0.0

    def pull(apart: float) -> float:
        return 2 * sign * STRENGTH / apart**2

    for _ in range(FRAMES):
        found.append(distance)
        for _ in range(substeps):
            k1 = (speed, pull(distance))
            k2 = (speed + step / 2 * k1[1], pull(distance + step / 2 * k1[0]))
            k3 = (speed + step / 2 * k2[1], pull(distance + step / 2 * k2[0]))
            k4 = (speed + step * k3[1], pull(distance + step * k3[0]))
            distance += step / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            speed += step / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return torch.tensor(found)


def gains(dynamics: Dynamics, sign: float) -> torch.Tensor:
    """[P, 2] of three spheres, the first two of which are charged; the states were fitted without a charge."""
    half = distances(sign) / 2
    apart = torch.stack([torch.stack([-half, half], dim=-1), torch.zeros(FRAMES, 2)], dim=-1)
    place = torch.cat([apart, torch.tensor([0.0, -2.0]).expand(FRAMES, 1, 2)], dim=1)
    shape = torch.zeros(1, OBJECTS, len(Shape))
    shape[..., list(Shape).index(Shape.SPHERE)] = 1
    boxes = Projection.of(place).boxes(place, torch.zeros(FRAMES, OBJECTS), shape.expand(FRAMES, OBJECTS, 3)) * WIDTH
    boxes = boxes + NOISE * torch.randn(boxes.shape, generator=torch.Generator().manual_seed(0))
    video = VideoMotion.of(boxes[None], WIDTH, HEIGHT)
    there = torch.ones(1, OBJECTS, dtype=torch.bool)
    bodies = Bodies(shape, torch.zeros(1, OBJECTS), torch.zeros(1, len(dynamics.pairs)), there)
    states = fit_states(dynamics, bodies, video.tracks, video.motion)
    return charge_gains(dynamics, bodies, video.tracks, states)[0]


@pytest.mark.parametrize(("sign", "kind"), [(1.0, 0), (-1.0, 1)])
def test_the_true_charge_is_the_likeliest(dynamics: Dynamics, sign: float, kind: int):
    found = gains(dynamics, sign)
    assert found[0, kind] > 20 and found[0, kind] == found.max()
    assert found[0, 1 - kind] < -20


def test_what_moves_uniformly_has_no_charge(dynamics: Dynamics):
    assert gains(dynamics, 0.0).max() < 1


def test_pairs_that_are_not_there_have_no_gains(dynamics: Dynamics):
    there = torch.tensor([[True, True, False]])
    video = VideoMotion.of(torch.zeros(1, 8, OBJECTS, 4), WIDTH, HEIGHT)
    shape = torch.full((1, OBJECTS, len(Shape)), 1 / 3)
    bodies = Bodies(shape, torch.zeros(1, OBJECTS), torch.zeros(1, len(dynamics.pairs)), there)
    states = fit_states(dynamics, bodies, video.tracks, video.motion)
    assert charge_gains(dynamics, bodies, video.tracks, states)[0, 1:].eq(0).all()
