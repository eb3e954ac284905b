"""Fitted states are those that the boxes were made from: motion by formulas, boxes by the exact outlines."""

import math

import pytest
import torch

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.fitting.state_fit import fit_states
from models.pcr.dynamics.predictor import GAIN, Dynamics
from models.pcr.dynamics.state import Bodies
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import VideoMotion
from models.pcr.tracks.projection import Projection

FRAMES, WIDTH, HEIGHT = 60, 480, 320
TIME = torch.arange(FRAMES) / FPS
FRICTION, DRAG = 0.2, 0.15
NOISE = 0.3  # pixels


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    laws = Dynamics(2)
    with torch.no_grad():
        laws.friction.fill_(math.log(math.expm1(FRICTION)) / GAIN)
        laws.drag.fill_(math.log(math.expm1(DRAG)) / GAIN)
        laws.roundness.copy_(torch.tensor([-2.0, 2.0, 2.0]))
    return laws


def sliding(speed: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Distance and speed under v' = -mu - c v, until it stops: the solution of the differential equation."""
    stop = math.log(1 + DRAG * speed / FRICTION) / DRAG
    t = TIME.clamp(max=stop)
    left = (speed + FRICTION / DRAG) * torch.exp(-DRAG * t) - FRICTION / DRAG
    gone = (speed + FRICTION / DRAG) * (1 - torch.exp(-DRAG * t)) / DRAG - FRICTION / DRAG * t
    return gone, left


def fitted(
    dynamics: Dynamics, place: torch.Tensor, yaw: torch.Tensor, shapes: tuple[Shape, Shape], unseen: int = 0
) -> FittedMotion:
    """Fit to the noisy boxes of two objects at places [T, 2, 2] with yaw [T, 2]; the first is `unseen` at first."""
    kinds = torch.tensor([list(Shape).index(shape) for shape in shapes])
    shape = torch.nn.functional.one_hot(kinds, len(Shape)).float()[None]
    boxes = Projection.of(place).boxes(place, yaw, shape.expand(FRAMES, 2, 3)) * WIDTH
    boxes = boxes + NOISE * torch.randn(boxes.shape, generator=torch.Generator().manual_seed(0))
    boxes[:unseen, 0] = 0
    video = VideoMotion.of(boxes[None], WIDTH, HEIGHT)
    bodies = Bodies(shape, torch.zeros(1, 2), torch.zeros(1, 1), torch.ones(1, 2, dtype=torch.bool))
    return fit_states(dynamics, bodies, video.tracks, video.motion, samples=3)


def far_away() -> torch.Tensor:
    return torch.tensor([-2.0, 1.5]).expand(FRAMES, 2)


@pytest.mark.parametrize("shape", Shape)
def test_a_sliding_object_is_where_the_law_says(dynamics: Dynamics, shape: Shape):
    gone, speed = sliding(0.9)
    place = torch.stack([torch.stack([0.5 - 0.6 * gone, -1.0 + 0.8 * gone], dim=-1), far_away()], dim=1)
    found = fitted(dynamics, place, torch.full((FRAMES, 2), 0.4), (shape, Shape.SPHERE))
    assert (found.position[0] - place).norm(dim=-1).max() < 0.012
    velocity = torch.stack([-0.6 * speed, 0.8 * speed], dim=-1)
    assert (found.velocity[0, :, 0] - velocity).norm(dim=-1).max() < 0.03
    assert found.velocity[0, :, 1].norm(dim=-1).max() < 0.06  # at which friction stops it within a centimetre
    assert found.known.all() and found.samples.shape == (1, 3, FRAMES, 2, 6)


def test_who_comes_late_is_followed_back(dynamics: Dynamics):
    gone, speed = sliding(1.2)
    place = torch.stack([torch.stack([0 * gone, -2.0 + gone], dim=-1), far_away()], dim=1)
    found = fitted(dynamics, place, torch.zeros(FRAMES, 2), (Shape.SPHERE, Shape.SPHERE), unseen=20)
    assert (found.position[0, 0, 0] - place[0, 0]).norm() < 0.05
    assert abs(float(found.velocity[0, 0, 0, 1] - speed[0])) < 0.06
    assert found.deviation[0, 0, 0] > 3 * found.deviation[0, 40, 0]


def test_a_cube_s_yaw_is_told_by_how_it_passes(dynamics: Dynamics):
    """Passing by the camera, the line of sight turns, and of two mirrored yaws one remains."""
    gone, _ = sliding(1.6)
    place = torch.stack([torch.stack([0 * gone + 1.0, -1.6 + gone], dim=-1), far_away()], dim=1)
    yaw = torch.full((FRAMES, 2), 0.35)
    found = fitted(dynamics, place, yaw, (Shape.CUBE, Shape.SPHERE))
    error = torch.remainder(found.yaw[0, :, 0] - 0.35 + math.pi / 4, math.pi / 2) - math.pi / 4
    assert error.abs().max() < math.radians(3)


def test_an_impact_changes_velocities_at_once(dynamics: Dynamics):
    """Two equal balls, one at rest; they meet head-on and part with speeds (1 - e) / 2 and (1 + e) / 2 of the first's."""
    speed, meeting, bounce = 0.8, 30, 0.2
    frame = torch.arange(FRAMES)
    after = (frame - meeting).clamp(min=0) / FPS
    before = (frame - meeting).clamp(max=0) / FPS
    first = -0.4 + speed * before + speed * (1 - bounce) / 2 * after
    second = speed * (1 + bounce) / 2 * after
    free = Dynamics(2)
    with torch.no_grad():
        free.friction.fill_(-3.0)
        free.drag.fill_(-3.0)
        free.roundness.fill_(2.0)
    place = torch.stack([torch.stack([0 * along, along], dim=-1) for along in (first, second)], dim=1)
    found = fitted(free, place, torch.zeros(FRAMES, 2), (Shape.SPHERE, Shape.SPHERE))
    for moment, expected in ((meeting - 3, (speed, 0.0)), (meeting + 3, (speed * 0.4, speed * 0.6))):
        for which, along in enumerate(expected):
            assert abs(float(found.velocity[0, moment, which, 1]) - along) < 0.05


def test_a_video_is_fitted_alike_whatever_it_is_fitted_with(dynamics: Dynamics):
    gone, _ = sliding(0.9)
    place = torch.stack([torch.stack([0.5 - 0.6 * gone, -1.0 + 0.8 * gone], dim=-1), far_away()], dim=1)
    shape = torch.nn.functional.one_hot(torch.tensor([0, 1]), 3).float()
    boxes = Projection.of(place).boxes(place, torch.full((FRAMES, 2), 0.4), shape.expand(FRAMES, 2, 3)) * WIDTH
    together = torch.stack([boxes.flip(1), boxes])
    results = []
    for rows, kinds in ((together, torch.stack([shape.flip(0), shape])), (boxes[None], shape[None])):
        video = VideoMotion.of(rows, WIDTH, HEIGHT)
        count = len(rows)
        there = torch.ones(count, 2, dtype=torch.bool)
        bodies = Bodies(kinds, torch.zeros(count, 2), torch.zeros(count, 1), there)
        results.append(fit_states(dynamics, bodies, video.tracks, video.motion, samples=2))
    for name, part in vars(results[1]).items():
        assert torch.allclose(getattr(results[0], name)[-1].float(), part[0].float(), atol=1e-4), name
