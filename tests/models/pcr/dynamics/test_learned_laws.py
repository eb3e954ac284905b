"""The constants of the laws arrive at known values from the poor start that training has: motion by formulas."""

import math
from itertools import product

import pytest
import torch
from torch.nn.functional import one_hot

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories, rollout_loss, window_starts
from models.pcr.dynamics.state import Bodies
from models.pcr.dynamics.trajectories import Trajectories

pytestmark = pytest.mark.slow
FRAMES, STEPS, HORIZON, RATE = 50, 70, 8, 0.04
TIME = torch.arange(FRAMES) / FPS
FRICTION, DRAG, RESTITUTION, MASS_RATIO = 0.3, 0.2, 0.3, 5.0
Track = tuple[torch.Tensor, torch.Tensor]  # distance and speed [T]


def sliding(speed: float) -> Track:
    """v' = -mu - c v until it stops."""
    t = TIME.clamp(max=math.log(1 + DRAG * speed / FRICTION) / DRAG)
    whole = (speed + FRICTION / DRAG) * torch.exp(-DRAG * t)
    return (speed + FRICTION / DRAG - whole) / DRAG - FRICTION / DRAG * t, whole - FRICTION / DRAG


def rolling(speed: float, since: float = 0.0) -> Track:
    """v' = -c v from a moment on; nothing before it."""
    t = (TIME - since).clamp(min=0)
    left = speed * torch.exp(-DRAG * t) * (since <= TIME)
    return speed * (1 - torch.exp(-DRAG * t)) / DRAG, left


def colliding(speed: float, masses: tuple[float, float], room: float) -> tuple[Track, Track]:
    """A ball runs head-on into one that rests, `room` away from it: momentum and restitution give the speeds after it."""
    hit = -math.log(1 - DRAG * room / speed) / DRAG
    came = speed - DRAG * room
    first = came * (masses[0] - RESTITUTION * masses[1]) / sum(masses)
    second = came * (1 + RESTITUTION) * masses[0] / sum(masses)
    before, after, other = rolling(speed), rolling(first, hit), rolling(second, hit)
    met = hit <= TIME
    place = torch.where(met, room + after[0], before[0])
    far = 2 * OBJECT_RADIUS + room
    return (place, torch.where(met, after[1], before[1])), (far + other[0], other[1])


@pytest.fixture(scope="module")
def trajectories() -> RecordedTrajectories:
    """Cubes and cylinders that slide, and balls of equal and of different masses that collide, in several directions."""
    videos: list[tuple[tuple[Track, Track], tuple[Shape, Shape], tuple[float, float]]] = []
    resting = (torch.full((FRAMES,), 3.0), torch.zeros(FRAMES))
    for shape, speed in product((Shape.CUBE, Shape.CYLINDER), (0.5, 1.4)):
        videos.append(((sliding(speed), resting), (shape, Shape.SPHERE), (0.0, 0.0)))
    for heavy, speed in product(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), (0.9, 1.6)):
        masses = (MASS_RATIO ** heavy[0], MASS_RATIO ** heavy[1])
        videos.append((colliding(speed, masses, 0.35), (Shape.SPHERE, Shape.SPHERE), heavy))
    along = [torch.tensor([math.cos(angle), math.sin(angle)]) for angle in torch.arange(len(videos)).tolist()]
    tracks = torch.stack(
        [
            torch.stack([torch.stack(part, dim=-1)[..., None] * way for part in pair], dim=1)
            for (pair, _, _), way in zip(videos, along, strict=True)
        ]
    )
    place, velocity = tracks.unbind(dim=3)
    there = torch.ones(len(videos), 2, dtype=torch.bool)
    shape = one_hot(torch.tensor([[list(Shape).index(kind) for kind in kinds] for _, kinds, _ in videos]), 3).float()
    bodies = Bodies(shape, torch.tensor([heavy for _, _, heavy in videos]), torch.zeros(len(videos), 1), there)
    seen = there[:, None].expand(-1, FRAMES, -1)
    jump = (velocity.roll(-1, 1) - velocity.roll(1, 1)).norm(dim=-1)
    angle = torch.zeros(place.shape[:-1])
    return RecordedTrajectories(Trajectories(place, velocity, seen, angle, angle), seen & (jump < 0.15), bodies)


def test_constants_arrive_at_the_law_that_made_the_motion(trajectories: RecordedTrajectories):
    torch.manual_seed(0)
    laws, rng = Dynamics(2), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(laws.parameters(), lr=RATE)
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - 0.95 * step / STEPS)
        loss = rollout_loss(laws, trajectories, window_starts(trajectories, HORIZON, 3, rng), HORIZON)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    found = {name: values.tolist() for name, values in laws.constants().items()}
    cube, sphere, cylinder = found["friction"]
    assert cube == pytest.approx(FRICTION, abs=0.015) and cylinder == pytest.approx(FRICTION, abs=0.015)
    assert sphere < 0.025
    assert found["drag"] == pytest.approx(DRAG, abs=0.035)
    assert found["mass ratio"] == pytest.approx(MASS_RATIO, rel=0.06)
    of_balls = found["restitution"][3]  # kinds in order: cube with all, sphere with sphere
    assert of_balls == pytest.approx(RESTITUTION, abs=0.03)
