import pytest
import torch

from comphy.scene.objects import FPS
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.rollout import predict_counterfactual, predict_future
from models.pcr.dynamics.state import Bodies, State
from models.pcr.dynamics.trajectories import Trajectories

FRAMES = 40


@pytest.fixture
def dynamics() -> Dynamics:
    torch.manual_seed(0)
    return Dynamics(2)


def recording(*speeds: float, gap: float = 1.2) -> Trajectories:
    """Two objects on a line; whatever the laws say, in the recording each keeps its speed."""
    times = torch.arange(FRAMES) / FPS
    x = torch.stack([times * speeds[0], gap + times * speeds[1]], dim=-1)
    position = torch.stack([x, torch.zeros_like(x)], dim=-1)[None]
    velocity = torch.tensor([[speed, 0.0] for speed in speeds]).expand_as(position).clone()
    return Trajectories(position, velocity, torch.ones(1, FRAMES, 2, dtype=torch.bool))


BODIES = Bodies(torch.eye(3)[None, :2], torch.zeros(1, 2), torch.zeros(1, 1), torch.ones(1, 2, dtype=torch.bool))
NOBODY = torch.zeros(1, 2, dtype=torch.bool)
FIRST = torch.tensor([[True, False]])


def test_a_change_that_reaches_nobody_leaves_the_recording_as_it_is(dynamics: Dynamics):
    seen = recording(0.2, 0.4)
    imagined = predict_counterfactual(dynamics, seen, BODIES, FIRST, NOBODY)
    assert torch.equal(imagined.position, seen.position)


def test_the_recording_is_left_just_before_a_touch(dynamics: Dynamics):
    seen = recording(1.0, 0.0)
    imagined = predict_counterfactual(dynamics, seen, BODIES, FIRST, NOBODY)
    same = (imagined.position == seen.position).all(dim=-1).all(dim=-1)[0]
    left = int((~same).int().argmax())
    touch = int(((seen.position[0, :, 1, 0] - seen.position[0, :, 0, 0]) < 0.43).int().argmax())
    assert same[:left].all() and 1 <= touch - left <= 6
    assert imagined.velocity[0, -1, 1, 0] > 0.1  # pushed, as it was not in the recording


def test_without_replay_only_the_first_states_are_taken(dynamics: Dynamics):
    seen = recording(0.5, 0.5)
    imagined = predict_counterfactual(dynamics, seen, BODIES, FIRST, NOBODY, follow_recording=False)
    assert torch.equal(imagined.position[:, 0], seen.position[:, 0])
    assert not torch.equal(imagined.position[:, 5], seen.position[:, 5])


def test_the_future_begins_where_the_recording_ends(dynamics: Dynamics):
    seen = recording(0.5, 0.0, gap=3.0)
    imagined = predict_future(dynamics, seen, BODIES, frames=20, lookback=10)
    assert imagined.start == FRAMES - 10 and imagined.position.shape[1] == 30
    assert torch.equal(imagined.position[:, :4], seen.position[:, 30:34])
    steps = imagined.position[0, 1:, 0, 0] - imagined.position[0, :-1, 0, 0]
    assert (steps > 0).all() and steps[-1] < 0.5 / FPS  # it goes on, and slows down


def test_who_has_not_shown_up_is_not_there(dynamics: Dynamics):
    seen = recording(0.2, 0.0)
    late = seen.known.clone()
    late[:, :25, 1] = False
    imagined = predict_counterfactual(dynamics, Trajectories(seen.position, seen.velocity, late), BODIES, FIRST, NOBODY)
    assert not imagined.there[0, :25, 1].any() and imagined.there[0, 25:, 1].all()
    assert torch.equal(imagined.position[:, 25:, 1], seen.position[:, 25:, 1])


class Chaos(Dynamics):
    """Everything stays where it is, and yet depends on where it was a hundred times as much with every frame."""

    def step(self, state: State, edges: object, there: torch.Tensor) -> tuple[State, torch.Tensor]:
        place = state.position
        return State(place + 99 * (place - place.detach()), state.velocity), place[..., 0].sum(dim=1, keepdim=True)


def test_what_cannot_be_foretold_leaves_finite_gradients():
    seen = recording(0.5, 0.5)
    start = seen.position[:, 0].clone().requires_grad_()
    held = Trajectories(seen.position.clone(), seen.velocity, seen.known)
    held.position[:, 0] = start
    imagined = predict_counterfactual(Chaos(2), held, BODIES, FIRST, NOBODY, follow_recording=False)
    imagined.position[:, -1].sum().backward()
    assert start.grad is not None and torch.isfinite(start.grad).all()
    assert 0 < start.grad.abs().max() <= 1000  # the most of a frame, once more a hundred times


class _Standing(torch.autograd.Function):
    """Gives no gradient of speeds back at all, as compiled code does for what it has not used."""

    @staticmethod
    def forward(ctx: object, place: torch.Tensor, speed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return place.clone(), speed.clone()

    @staticmethod
    def backward(ctx: object, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return gradients[0], None


class Standing(Dynamics):
    def step(self, state: State, edges: object, there: torch.Tensor) -> tuple[State, torch.Tensor]:
        return State(*_Standing.apply(state.position, state.velocity)), state.position[..., 0].sum(dim=1, keepdim=True)


def test_what_no_gradient_comes_back_for_is_left_alone():
    seen = recording(0.5, 0.5)
    start = seen.position[:, 0].clone().requires_grad_()
    speed = seen.velocity[:, 0].clone().requires_grad_()
    held = Trajectories(seen.position.clone(), seen.velocity.clone(), seen.known)
    held.position[:, 0], held.velocity[:, 0] = start, speed
    imagined = predict_counterfactual(Standing(2), held, BODIES, FIRST, NOBODY, follow_recording=False)
    imagined.position[:, -1].sum().backward()
    assert start.grad is not None and start.grad.abs().sum() > 0
