import pytest
import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.dynamics.paper_predictor import PaperDynamics
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories, rollout_loss, window_starts
from models.pcr.dynamics.rollout import predict_counterfactual, predict_future
from models.pcr.dynamics.state import Bodies, State
from models.pcr.dynamics.trajectories import Trajectories

OBJECTS = 3
FRAMES = 20


@pytest.fixture
def dynamics() -> PaperDynamics:
    torch.manual_seed(0)
    return PaperDynamics(OBJECTS, 16, stride=1)


def bodies(scenes: int, charge: float = 0.0) -> Bodies:
    shape = torch.eye(3).expand(scenes, 3, 3)
    charges = torch.full((scenes, 3), charge)
    return Bodies(shape, torch.full((scenes, OBJECTS), 0.5), charges, torch.ones(scenes, OBJECTS, dtype=torch.bool))


def straight(scenes: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """position and velocity [V, T, N, 2] of objects that nothing stops."""
    rng = torch.Generator().manual_seed(seed)
    start = torch.rand(scenes, 1, OBJECTS, 2, generator=rng) * 4 - 2
    velocity = (torch.rand(scenes, 1, OBJECTS, 2, generator=rng) * 2 - 1).expand(-1, FRAMES, -1, -1)
    return start + velocity * (torch.arange(FRAMES) / FPS)[:, None, None], velocity


def test_learns_that_free_objects_go_straight_on(dynamics: PaperDynamics):
    position, velocity = straight(16)
    shown = torch.ones(position.shape[:-1], dtype=torch.bool)
    seen = RecordedTrajectories(Trajectories(position, velocity, shown), shown, bodies(16))
    optimizer = torch.optim.Adam(dynamics.parameters(), 3e-3)
    losses = []
    for step in range(40):
        starts = window_starts(seen, 4, 2, torch.Generator().manual_seed(step))
        losses.append(rollout_loss(dynamics, seen, starts, 4))
        optimizer.zero_grad()
        losses[-1].backward()
        optimizer.step()
    assert losses[-1] < losses[0] / 5
    other, speed = straight(16, seed=1)
    state, nobody = State(other[:, 0], speed[:, 0]), torch.zeros(16, OBJECTS, dtype=torch.bool)
    edges = dynamics.edges(bodies(16))
    for _ in range(4):
        state = dynamics.step(state, edges, nobody)[0]
    assert (state.position - other[:, 4]).norm(dim=-1).mean() < 0.03


def test_a_step_is_told_as_place_velocity_and_the_velocity_before(dynamics: PaperDynamics):
    position, velocity = straight(2)
    edges, there = dynamics.edges(bodies(2)), torch.ones(2, OBJECTS, dtype=torch.bool)
    first = dynamics.step(State(position[:, 0], velocity[:, 0]), edges, there)[0]
    second = dynamics.step(first, edges, there)[0]
    assert torch.allclose(first.velocity, (first.position - position[:, 0]) * FPS)
    assert first.earlier is velocity[:, 0] or torch.equal(first.earlier, velocity[:, 0])
    assert torch.equal(second.earlier, first.velocity)
    forgetful = dynamics.step(State(first.position, first.velocity), edges, there)[0]
    assert not torch.equal(forgetful.position, second.position)


def test_objects_that_follow_a_recording_have_its_history():
    zeros, ones = torch.zeros(1, 2, 2), torch.ones(1, 2, 2)
    state = State(zeros, zeros, zeros).following(State(ones, 2 * ones), torch.tensor([[True, False]]))
    assert state.position[0].tolist() == [[1, 1], [0, 0]]
    assert state.velocity[0].tolist() == state.earlier[0].tolist() == [[2, 2], [0, 0]]


def test_gradients_reach_every_parameter_and_the_properties(dynamics: PaperDynamics):
    heavy = torch.full((2, OBJECTS), 0.5, requires_grad=True)
    charge = torch.tensor([[0.5, -0.5, 0.2], [-0.1, 0.3, -0.8]], requires_grad=True)
    there = torch.ones(2, OBJECTS, dtype=torch.bool)
    edges = dynamics.edges(Bodies(torch.eye(3).expand(2, 3, 3), heavy, charge, there))
    position, velocity = straight(2)
    dynamics.step(State(position[:, 0], velocity[:, 0]), edges, there)[0].position.square().sum().backward()
    for name, parameter in dynamics.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name
    assert heavy.grad is not None and heavy.grad.any() and charge.grad is not None and charge.grad.all()


def test_each_relation_of_charges_has_a_function_of_its_own(dynamics: PaperDynamics):
    position, velocity = straight(1)
    there = torch.ones(1, OBJECTS, dtype=torch.bool)
    none, same, opposite = (
        dynamics.step(State(position[:, 0], velocity[:, 0]), dynamics.edges(bodies(1, charge)), there)[0].position
        for charge in (0.0, 1.0, -1.0)
    )
    assert not torch.equal(none, same) and not torch.equal(none, opposite) and not torch.equal(same, opposite)
    kind = dynamics.edges(bodies(1, -0.25)).kind
    assert torch.allclose(kind, torch.tensor([0.75, 0.0, 0.25]).expand_as(kind))


def test_who_is_not_there_acts_on_nobody(dynamics: PaperDynamics):
    position, velocity = straight(1)
    moved = position[:, 0].clone()
    moved[:, 2] += 1.0
    edges, there = dynamics.edges(bodies(1)), torch.tensor([[True, True, False]])
    here, elsewhere = (
        dynamics.step(State(places, velocity[:, 0]), edges, there)[0] for places in (position[:, 0], moved)
    )
    assert torch.equal(here.position[:, :2], elsewhere.position[:, :2])


def test_stands_where_ours_does_in_rollouts(dynamics: PaperDynamics):
    position, velocity = straight(2)
    seen = Trajectories(position, velocity, torch.ones(2, FRAMES, OBJECTS, dtype=torch.bool))
    future = predict_future(dynamics, seen, bodies(2), frames=5)
    assert future.position.shape == (2, FRAMES + 5, OBJECTS, 2)
    nobody = torch.zeros(2, OBJECTS, dtype=torch.bool)
    replayed = predict_counterfactual(dynamics, seen, bodies(2), nobody, nobody)
    predicted = predict_counterfactual(dynamics, seen, bodies(2), nobody, nobody, follow_recording=False)
    assert torch.equal(replayed.position, position)
    assert torch.equal(predicted.position[:, 0], position[:, 0])
    assert not torch.equal(predicted.position[:, 1:], position[:, 1:])


def test_objects_that_run_away_stay_within_bounds(dynamics: PaperDynamics):
    with torch.no_grad():
        dynamics.pred.bias.fill_(50.0)
    position, velocity = straight(1)
    state, there = State(position[:, 0], velocity[:, 0]), torch.ones(1, OBJECTS, dtype=torch.bool)
    for _ in range(100):
        state = dynamics.step(state, dynamics.edges(bodies(1)), there)[0]
    assert state.position.abs().max() <= 20 and state.velocity.isfinite().all()
