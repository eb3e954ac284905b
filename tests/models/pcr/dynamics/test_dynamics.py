import math
from collections.abc import Callable

import pytest
import torch

from models.pcr.dynamics.predictor import GAIN, Dynamics, Edges
from models.pcr.dynamics.state import Bodies, State

OBJECTS = 3
EVERYONE = torch.ones(1, OBJECTS, dtype=torch.bool)


@pytest.fixture
def dynamics() -> Dynamics:
    torch.manual_seed(0)
    return Dynamics(OBJECTS)


def bodies(charge: float = 0.0, heavy: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Bodies:
    shape = torch.eye(3)[None]
    return Bodies(shape, torch.tensor([heavy]), torch.tensor([[charge, 0.0, 0.0]]), EVERYONE)


def run(dynamics: Dynamics, state: State, edges: Edges, frames: int, there: torch.Tensor = EVERYONE) -> State:
    for _ in range(frames):
        state = dynamics.step(state, edges, there)[0]
    return state


@torch.no_grad()
def without_friction(dynamics: Dynamics) -> None:
    dynamics.friction.fill_(-30.0)
    dynamics.drag.fill_(-30.0)


def shaped(dynamics: Dynamics, half_width: float, roundness: float) -> None:
    with torch.no_grad():
        dynamics.half_width.fill_(half_width)
        dynamics.roundness.fill_(roundness)


def head_on() -> State:
    """The first runs into the second; the third rests far away."""
    return State(
        torch.tensor([[[-0.6, 0.02], [0.0, 0.0], [3.0, 3.0]]]), torch.tensor([[[1.5, 0.0], [0.0, 0.0], [0, 0]]])
    )


def test_a_push_is_returned(dynamics: Dynamics):
    """With no friction, what one loses in momentum the other gains, heavy or not."""
    without_friction(dynamics)
    edges = dynamics.edges(bodies(heavy=(0.0, 1.0, 0.0)))
    mass = torch.tensor([1.0, dynamics.log_heavy.exp().item(), 1.0])
    before, after = head_on(), run(dynamics, head_on(), edges, 20)
    momentum = [(mass[:, None] * state.velocity[0]).sum(dim=0) for state in (before, after)]
    assert torch.allclose(*momentum, atol=1e-4)
    assert after.velocity[0, 1, 0] > 0.1 and after.velocity[0, 2].abs().max() < 1e-6


def test_nothing_passes_through_anything(dynamics: Dynamics):
    after = run(dynamics, head_on(), dynamics.edges(bodies()), 25)
    assert after.position[0, 0, 0] < after.position[0, 1, 0]


def test_a_heavy_object_is_pushed_less(dynamics: Dynamics):
    light, heavy = (
        run(dynamics, head_on(), dynamics.edges(bodies(heavy=(0.0, weight, 0.0))), 20).velocity[0, 1, 0]
        for weight in (0.0, 1.0)
    )
    assert heavy < 0.8 * light


def test_who_is_not_there_is_not_met(dynamics: Dynamics):
    there = torch.tensor([[True, False, True]])
    after = run(dynamics, head_on(), dynamics.edges(bodies()), 20, there)
    assert after.position[0, 0, 0] > 0.1 and after.velocity[0, 1].abs().max() < 1e-6


@pytest.mark.parametrize("charge", [-1.0, 1.0])
def test_charges_attract_and_repel(dynamics: Dynamics, charge: float):
    rest = State(torch.tensor([[[-0.4, 0.0], [0.4, 0.0], [3.0, 3.0]]]), torch.zeros(1, OBJECTS, 2))
    without_friction(dynamics)
    after = run(dynamics, rest, dynamics.edges(bodies(charge)), 10)
    gap = after.position[0, 1, 0] - after.position[0, 0, 0]
    assert math.copysign(1, gap.item() - 0.8) == charge


def test_the_table_has_no_preferred_direction(dynamics: Dynamics):
    """A turned and moved scene goes on turned and moved: what is learned here holds there."""
    angle = 0.7
    turn = torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    shift = torch.tensor([0.3, -1.1])
    start, edges = head_on(), dynamics.edges(bodies(0.5, (0.3, 0.0, 0.0)))
    yaw = torch.full((1, OBJECTS), angle)
    turned = State(start.position @ turn.T + shift, start.velocity @ turn.T, yaw=yaw)
    expected, found = run(dynamics, start, edges, 12), run(dynamics, turned, edges, 12)
    assert torch.allclose(found.position, expected.position @ turn.T + shift, atol=1e-4)


def test_gradients_reach_laws_and_properties(dynamics: Dynamics):
    heavy, charge = torch.full((1, OBJECTS), 0.5, requires_grad=True), torch.full((1, 3), 0.5, requires_grad=True)
    edges = dynamics.edges(Bodies(torch.eye(3)[None], heavy, charge, EVERYONE))
    run(dynamics, head_on(), edges, 12).position.sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in dynamics.parameters())
    assert heavy.grad is not None and heavy.grad[0, 0] != 0
    assert charge.grad is not None and charge.grad[0, 0] != 0


def test_about_to_touch(dynamics: Dynamics):
    edges = dynamics.edges(bodies())
    soon = dynamics.about_to_touch(head_on(), edges, EVERYONE, 0.12, 0.02)
    later = dynamics.about_to_touch(head_on(), edges, EVERYONE, 0.01, 0.02)
    assert soon[0].tolist() == [True, False, False] and not later.any()


def test_discs_part_as_billiard_balls_do(dynamics: Dynamics):
    """Along the line between the centres at the touch the closing speed comes back as the bounce says; across it nothing
    changes. The step that a touch falls into does not matter."""
    without_friction(dynamics)
    shaped(dynamics, 0.2, 9.0)
    with torch.no_grad():
        dynamics.restitution.fill_(math.log(0.3 / 0.7) / GAIN)
    miss = 0.24
    normal = torch.tensor([math.sqrt(0.4**2 - miss**2), -miss]) / 0.4
    closing = 1.5 * normal[0]
    for start in (-0.7, -0.71, -0.72, -0.73):
        state = State(
            torch.tensor([[[start, miss], [0.0, 0.0], [3.0, 3.0]]]), torch.tensor([[[1.5, 0.0], [0.0, 0.0], [0, 0]]])
        )
        after = run(dynamics, state, dynamics.edges(bodies()), 12)
        assert torch.allclose(after.velocity[0, 1], 0.65 * closing * normal, atol=0.02)


def test_a_square_that_is_hit_off_its_middle_spins(dynamics: Dynamics):
    """And what both turn about any point stays the same."""
    without_friction(dynamics)
    shaped(dynamics, 0.2, -9.0)
    edges = dynamics.edges(bodies())
    state = State(
        torch.tensor([[[-0.7, 0.25], [0.0, 0.0], [3.0, 3.0]]]), torch.tensor([[[1.0, 0.0], [0.0, 0.0], [0, 0]]])
    )
    after = run(dynamics, state, edges, 12)
    assert after.spin is not None and after.spin[0, 1] < -0.3

    def angular_momentum(state: State) -> torch.Tensor:
        spin = state.rotation()[1][0] / edges.inverse_inertia[0]
        (x, y), (vx, vy) = state.position[0].T, state.velocity[0].T
        return (spin + x * vy - y * vx).sum()

    assert torch.allclose(angular_momentum(after), angular_momentum(state), atol=0.01)


def test_squares_touch_where_their_edges_are(dynamics: Dynamics):
    """Edge on, one square stops another later than corner on."""
    shaped(dynamics, 0.2, -9.0)
    edges = dynamics.edges(bodies())
    places = []
    for yaw in (0.0, math.pi / 4):
        state = State(head_on().position, head_on().velocity, yaw=torch.tensor([[0.0, yaw, 0.0]]))
        nearest = [torch.tensor(9.0)]
        for _ in range(15):
            state = dynamics.step(state, edges, EVERYONE)[0]
            nearest.append((state.position[0, 1] - state.position[0, 0]).norm())
        places.append(min(nearest).item())
    assert places[0] == pytest.approx(0.4, abs=0.02) and places[1] == pytest.approx(0.2 + 0.2 * 2**0.5, abs=0.03)


def test_what_slides_stops(dynamics: Dynamics):
    """By friction alone after speed / friction seconds, spin included."""
    with torch.no_grad():
        dynamics.drag.fill_(-30.0)
        dynamics.friction.fill_(math.log(math.expm1(0.25)) / GAIN)
    speed = torch.tensor([[[0.2, 0.0], [0.0, 0.1], [0.0, 0.0]]])
    state = State(torch.tensor([[[0.0, 0.0], [1.0, 0.0], [3.0, 3.0]]]), speed, spin=torch.tensor([[0.0, 0.0, 1.0]]))
    edges = dynamics.edges(bodies())
    soon, late = run(dynamics, state, edges, 15), run(dynamics, state, edges, 30)
    assert soon.velocity[0, 0, 0].item() == pytest.approx(0.05, abs=0.01) and soon.velocity[0, 1].norm() < 1e-3
    assert late.velocity.abs().max() < 1e-3 and late.spin is not None and late.spin.abs().max() < 1e-2


@pytest.mark.slow
@pytest.mark.usefixtures("compiling")
def test_code_for_learning_is_compiled_once(dynamics: Dynamics):
    """Whether or not anything is learned through the state that a rollout begins with."""
    made: list[torch.fx.GraphModule] = []

    def count(graph: torch.fx.GraphModule, _: list[torch.Tensor]) -> Callable[..., tuple[torch.Tensor, ...]]:
        made.append(graph)
        return graph.forward

    expected = run(dynamics, head_on(), dynamics.edges(bodies()), 3)
    dynamics.compile(count)
    for frames in (1, 3):
        after = run(dynamics, head_on(), dynamics.edges(bodies()), frames)
    assert len(made) == 1
    assert torch.equal(after.position, expected.position) and after.position.requires_grad
    with torch.no_grad():
        assert not run(dynamics, head_on(), dynamics.edges(bodies()), 3).position.requires_grad
    assert len(made) == 2
