"""A predictor whose steps are five frames long: what it sees of a recording, and what is told of every frame."""

import pytest
import torch

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS
from models.pcr.dynamics.paper_predictor import PaperDynamics
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories, rollout_loss, window_starts
from models.pcr.dynamics.rollout import predict_counterfactual, predict_future
from models.pcr.dynamics.state import Bodies
from models.pcr.dynamics.strides import densely, every
from models.pcr.dynamics.trajectories import Trajectories

FRAMES, STRIDE = 61, 5
TIME = torch.arange(FRAMES) / FPS
SHOWN = torch.ones(1, FRAMES, 2, dtype=torch.bool)
NOBODY = torch.zeros(1, 2, dtype=torch.bool)
BODIES = Bodies(torch.eye(3)[None, 1:].repeat(1, 1, 1), torch.zeros(1, 2), torch.zeros(1, 1), ~NOBODY)


def moving(first: tuple[float, float], second: tuple[float, float], pull: float = 0.0) -> torch.Tensor:
    """[1, T, 2, 2]: two objects on a line, each with a start and a speed, and the same acceleration."""
    x = torch.stack([start + speed * TIME + pull * TIME**2 / 2 for start, speed in (first, second)], dim=-1)
    return torch.stack([x, torch.zeros_like(x)], dim=-1)[None]


def recording(place: torch.Tensor) -> Trajectories:
    velocity = torch.gradient(place, spacing=1 / FPS, dim=1)[0]
    return Trajectories(place, velocity, SHOWN)


@pytest.fixture
def straight_on() -> PaperDynamics:
    """Predicts that everything goes on as it did."""
    dynamics = PaperDynamics(2, 8, STRIDE)
    with torch.no_grad():
        dynamics.pred.weight.zero_()
    return dynamics


def test_it_starts_from_three_recorded_places():
    place = moving((0.0, 1.0), (1.0, -0.5), pull=0.8)
    state = every(recording(place), STRIDE)[0].state(4)
    assert state.earlier is not None
    before = state.position - state.velocity * STRIDE / FPS
    assert torch.allclose(state.position, place[:, 20])
    assert torch.allclose(before, place[:, 15], atol=1e-5)
    assert torch.allclose(before - state.earlier * STRIDE / FPS, place[:, 10], atol=1e-5)


def test_where_no_place_before_is_known_the_recorded_velocity_stands_in():
    place = moving((0.0, 1.0), (1.0, -0.5))
    known = SHOWN.clone()
    known[:, :10, 0] = False
    seen, whole = every(Trajectories(place, torch.full_like(place, 7.0), known), STRIDE)
    assert seen.known[0, :, 0].tolist() == [False] * 2 + [True] * 11
    assert whole[0, :, 0].tolist() == [False] * 4 + [True] * 9
    assert seen.velocity[0, 2, 0].tolist() == [7.0, 7.0]
    assert torch.allclose(seen.velocity[0, 3:, 0, 0], torch.tensor(1.0), atol=1e-4)


def test_values_between_steps_are_interpolated():
    values = torch.tensor([[0.0, 5.0, 20.0]])
    assert densely(values, STRIDE, 3, 6).tolist() == [[3.0, 4.0, 5.0, 8.0, 11.0, 14.0]]
    assert densely(values, STRIDE, -2, 3).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("start", [60, 58])
def test_what_goes_straight_on_is_told_for_every_frame(straight_on: PaperDynamics, start: int):
    seen = recording(moving((0.0, 1.0), (3.0, 0.5)))
    imagined = predict_future(straight_on, seen, BODIES, frames=20, lookback=FRAMES - start)
    times = torch.arange(start, FRAMES + 20) / FPS
    assert imagined.start == start and imagined.position.shape == (1, len(times), 2, 2)
    assert torch.allclose(imagined.position[0, :, 0, 0], times, atol=1e-4)
    assert imagined.there.all()


def test_a_counterfactual_follows_the_first_three_places_alone(straight_on: PaperDynamics):
    place = moving((0.0, 0.5), (3.0, 0.5), pull=1.0)
    imagined = predict_counterfactual(straight_on, recording(place), BODIES, NOBODY, NOBODY, follow_recording=False)
    assert imagined.position.shape == place.shape
    assert torch.allclose(imagined.position[:, [0, 5, 10]], place[:, [0, 5, 10]])
    speed = (place[0, 10, 0, 0] - place[0, 5, 0, 0]) * FPS / STRIDE
    assert torch.allclose(imagined.position[0, 10:, 0, 0], place[0, 10, 0, 0] + speed * TIME[: FRAMES - 10], atol=1e-4)


def test_clearances_are_those_of_the_next_frame(straight_on: PaperDynamics):
    """Two objects approach at 1 unit per second from 1.4 units and touch after a second, at frame 25."""
    seen = recording(moving((0.0, 0.5), (2 * OBJECT_RADIUS + 1.0, -0.5)))
    clearance = predict_counterfactual(straight_on, seen, BODIES, NOBODY, NOBODY, follow_recording=False).clearance[
        0, :, 0
    ]
    gap = 1.0 - (torch.arange(FRAMES) + 1) / FPS
    assert torch.allclose(clearance[STRIDE:30], gap[STRIDE:30], atol=1e-3)


def test_the_loss_of_what_goes_straight_on_is_nothing(straight_on: PaperDynamics):
    place = moving((0.0, 1.0), (3.0, 0.5))
    trajectories = RecordedTrajectories(recording(place), SHOWN, BODIES).every(STRIDE)
    starts = window_starts(trajectories, 4, 2, torch.Generator().manual_seed(0))
    assert (starts[:, 1] >= 2).all()
    assert rollout_loss(straight_on, trajectories, starts, 4) < 1e-6
