"""The simulator's laws in the predictor: motion follows the formulas that the simulator is built on."""

import math
from collections.abc import Sequence
from itertools import product

import pytest
import torch
from torch import Tensor

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from comphy.sim.tabletop import LAWS
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.state import Bodies, State
from models.pcr.evaluation.true_laws import true_laws

SHAPES = list(Shape)
ASIDE = 0.01  # units by which a hit is off centre: corners that meet corners exactly have no contact normal


@pytest.fixture(scope="module")
def laws() -> Dynamics:
    return true_laws(2)


def bodies(shapes: Sequence[tuple[Shape, Shape]], heavy: float = 0.0, charge: float = 0.0) -> Bodies:
    """Scenes of two objects, the second of which may be heavy."""
    shape = torch.eye(3)[torch.tensor([[SHAPES.index(one) for one in both] for both in shapes])]
    count = len(shapes)
    weights, charges = torch.tensor([0.0, heavy]).expand(count, 2), torch.full((count, 1), charge)
    return Bodies(shape, weights, charges, torch.ones(count, 2, dtype=torch.bool))


def motion(laws: Dynamics, of: Bodies, apart: tuple[float, float], speed: float, frames: int) -> tuple[Tensor, Tensor]:
    """The first moves along x, the second rests at a place; x and its rate [B, F, 2] of both in all frames."""
    count = len(of.there)
    place, velocity = torch.tensor([[0.0, 0.0], apart]), torch.tensor([[speed, 0.0], [0.0, 0.0]])
    states = [State(place.expand(count, 2, 2), velocity.expand(count, 2, 2))]
    with torch.no_grad():
        edges = laws.edges(of)
        for _ in range(frames):
            states.append(laws.step(states[-1], edges, of.there)[0])
    places, velocities = ([getattr(state, name)[..., 0] for state in states] for name in ("position", "velocity"))
    return torch.stack(places, dim=1), torch.stack(velocities, dim=1)


def test_free_motion_decelerates_by_mu_and_c_v(laws: Dynamics):
    """v' = -mu - c v: its solution, until friction stops the object."""
    speed, drag = 0.6, LAWS.drag
    places, speeds = motion(laws, bodies([(shape, Shape.SPHERE) for shape in Shape]), (50.0, 0.0), speed, 60)
    for row, shape in enumerate(Shape):
        friction = LAWS.sliding(shape)
        stop = math.log1p(drag * speed / friction) / drag if friction else math.inf
        for frame in (10, 30, 60):
            t = min(frame / FPS, stop)
            left = (speed + friction / drag) * math.exp(-drag * t) - friction / drag
            gone = (speed + friction / drag) * (1 - math.exp(-drag * t)) / drag - friction / drag * t
            assert speeds[row, frame, 0].item() == pytest.approx(left, abs=0.002)
            assert places[row, frame, 0].item() == pytest.approx(gone, rel=0.02)


def test_pairs_bounce_with_the_restitution_where_their_outlines_meet(laws: Dynamics):
    """Head-on, cubes face to face: they come no nearer than two half widths, and part at e times the speed at which they
    met. One that is five times as heavy gains (1 + e) / 6 of it."""
    kinds = list(product(Shape, Shape))
    places, speeds = motion(laws, bodies(kinds, heavy=1.0), (0.5, ASIDE), 1.5, 8)
    for row in range(len(kinds)):
        hit = int((speeds[row, :, 1] > 0.05).int().argmax())
        came, (left, gained) = speeds[row, hit - 1, 0].item(), speeds[row, hit].tolist()
        assert (gained - left) / came == pytest.approx(LAWS.restitution, abs=0.03), kinds[row]
        assert gained == pytest.approx((1 + LAWS.restitution) * came / 6, abs=0.02), kinds[row]
        nearest = (places[row, :, 1] - places[row, :, 0]).min().item()
        assert 2 * OBJECT_RADIUS - 0.005 < nearest < 2 * OBJECT_RADIUS + 0.06, kinds[row]


@pytest.mark.parametrize(("distance", "charge"), [(1.0, 1.0), (1.0, -1.0), (2.0, 1.0), (0.7, -1.0)])
def test_charges_act_by_the_square_of_their_distance(laws: Dynamics, distance: float, charge: float):
    _, speeds = motion(laws, bodies([(Shape.SPHERE, Shape.SPHERE)], 1.0, charge), (distance, 0.0), 0.0, 1)
    pull = charge * LAWS.coulomb / distance**2
    assert (speeds[0, 1] * FPS).tolist() == pytest.approx([-pull, pull / 5], rel=0.02)


def test_a_cube_that_is_hit_off_centre_turns(laws: Dynamics):
    """A ball hits the face of a cube at rest, 0.1 from its middle: impulse J = (1 + e) v / (2 / m + 0.1^2 / I), with I = 2/3
    m h^2, and the spin is 0.1 J / I."""
    speed, arm = 1.5, 0.1
    place = torch.tensor([[[-0.41, arm], [0.0, 0.0]]])
    velocity = torch.tensor([[[speed, 0.0], [0.0, 0.0]]])
    state = State(place, velocity, yaw=torch.zeros(1, 2), spin=torch.zeros(1, 2))
    hit = bodies([(Shape.SPHERE, Shape.CUBE)])
    with torch.no_grad():
        after, _ = laws.step(state, laws.edges(hit), hit.there)
    inertia = 2 / 3 * OBJECT_RADIUS**2
    impulse = (1 + LAWS.restitution) * speed / (2 + arm**2 / inertia)
    assert after.spin is not None
    assert after.spin[0, 1].item() == pytest.approx(-arm * impulse / inertia, rel=0.05)
    assert after.velocity[0, 1, 0].item() == pytest.approx(impulse, rel=0.05)
