"""The property-aware dynamics predictor: objects on the ground as a graph whose edges carry what they do to each other.

As in the paper (Eq. 3) an edge's message depends on the charges' relation and on both masses. Unlike there it sees only
what physics lets it see, and has the form of physics: rigid outlines that touch at one moment and one point, pushes that
are returned, sliding that brakes, charges that act at a distance. So what is learned in one corner of the table holds in
every other. The constants are learned: widths, roundness, bounce, masses, friction, and the force of charges.

Shapes: B scenes, N objects, P pairs i < j. Places in scene units, velocities in units per second, angles in radians.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import torch
from torch import Tensor, nn

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.time_of_impact import Moving, next_impact
from models.pcr.tracks.observed import mapped
from models.perceiver.representation import all_pairs

SUBSTEPS: Final = 2  # of a frame: in half of it hardly anything is hit twice
_SHAPES: Final = len(Shape)
_LEAST_DISTANCE: Final = 0.3  # of two centres; charges do not come nearer
_PARTING: Final = 0.4  # of an overlap, undone in a substep
_SHARPNESS: Final = 4.0  # of roundness, which has to go all the way from one end to the other
_REST: Final = 1e-4  # units per second


@dataclass(frozen=True)
class Bodies:
    """What the laws depend on. shape [B, N, 3] (a distribution), heavy [B, N] from 0 to 1, charge [B, P]: from -1, the
    pair attracts, to 1, it repels; there [B, N]: what is an object and no padding."""

    shape: Tensor
    heavy: Tensor
    charge: Tensor
    there: Tensor


@dataclass(frozen=True)
class State:
    """position and velocity [B, N, 2]; where a predictor keeps them, earlier [B, N, 2]: the velocity a frame ago, and
    yaw and spin [B, N]."""

    position: Tensor
    velocity: Tensor
    earlier: Tensor | None = None
    yaw: Tensor | None = None
    spin: Tensor | None = None

    def following(self, recorded: "State", who: Tensor) -> "State":
        """The objects `who` [B, N] as they are recorded, the others as they are here."""
        which = who[..., None]
        position = torch.where(which, recorded.position, self.position)
        velocity = torch.where(which, recorded.velocity, self.velocity)
        earlier = None if self.earlier is None else torch.where(which, recorded.velocity, self.earlier)
        yaw, spin = _either(who, recorded.yaw, self.yaw), _either(who, recorded.spin, self.spin)
        return State(position, velocity, earlier, yaw, spin)

    def turning(self) -> tuple[Tensor, Tensor]:
        """yaw and spin; zero where they are not known (never one tensor for both: compiled code tells such apart)."""
        yaw, spin = (torch.zeros_like(self.position[..., 0]) if one is None else one for one in (self.yaw, self.spin))
        return yaw, spin


@dataclass(frozen=True)
class Edges:
    """What stays the same during a rollout: of objects [B, N], and of pairs [B, P]."""

    core: Tensor
    rounding: Tensor
    friction: Tensor
    ease: tuple[Tensor, Tensor]  # of objects: 1 / mass, and 1 / moment of inertia
    grip: Tensor  # of objects: how far from the middle friction brakes a spin
    reach: Tensor  # distance of the centres up to which the two may touch
    bounce: Tensor
    charge: Tensor


class Dynamics(nn.Module):
    """Steps of half a frame. Everything but the form of the laws is learned."""

    pairs: Tensor
    incidence: Tensor
    kinds: Tensor

    def __init__(self, objects: int, hidden: int = 32) -> None:
        super().__init__()
        kinds = _SHAPES * (_SHAPES + 1) // 2
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.register_buffer("incidence", incidence(objects), persistent=False)
        self.register_buffer("kinds", _kinds_of_pairs(), persistent=False)
        self.log_heavy = nn.Parameter(torch.tensor(1.0))
        self.half_width = nn.Parameter(torch.full((_SHAPES,), 0.2))
        self.roundness = nn.Parameter(torch.full((_SHAPES,), 0.2))
        self.bounce = nn.Parameter(torch.full((kinds,), -1.5))
        self.friction = nn.Parameter(torch.full((_SHAPES,), -2.0))
        self.drag = nn.Parameter(torch.tensor(-2.0))
        self.log_inertia = nn.Parameter(torch.tensor(-0.5))  # in masses times half widths squared
        self.log_grip = nn.Parameter(torch.tensor(-0.2))  # in half widths
        self.field = _mlp(2, hidden, 1)
        self.log_strength = nn.Parameter(torch.tensor(-2.5))

    def compile(self, backend: str | Callable[..., Any] = "inductor") -> None:
        """On a GPU: most of the time a step waits for its many small operations to be launched."""
        self._substep = torch.compile(self._substep, dynamic=True, backend=backend)  # type: ignore[method-assign]

    def edges(self, bodies: Bodies) -> Edges:
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        ease = torch.exp(-bodies.heavy * self.log_heavy)
        half = bodies.shape @ self.half_width
        rounding = half * (bodies.shape @ torch.sigmoid(_SHARPNESS * self.roundness))
        core = half - rounding
        both = bodies.shape[:, first, :, None] * bodies.shape[:, second, None, :]
        outer = core * 2**0.5 + rounding
        return Edges(
            core,
            rounding,
            bodies.shape @ nn.functional.softplus(self.friction),
            (ease, ease / (half.square() * self.log_inertia.exp()).clamp(min=1e-4)),
            half * self.log_grip.exp(),
            outer[:, first] + outer[:, second],
            torch.sigmoid(both.flatten(-2) @ self.kinds @ self.bounce),
            bodies.charge,
        )

    def step(self, state: State, edges: Edges, there: Tensor) -> State:
        """One frame on. Only objects that are there [B, N] act on others. What changes slowly is worked out once."""
        active = self.both(there)
        charge = edges.charge * self._strength(self._distance(state)) * active
        yaw, spin = state.turning()
        state = _alike(replace(state, yaw=yaw, spin=spin))
        for _ in range(SUBSTEPS):
            state = self._substep(state, edges, active, charge, 1 / (FPS * SUBSTEPS))
        return state

    def about_to_touch(self, state: State, edges: Edges, there: Tensor, within: float, margin: float) -> Tensor:
        """[B, P]: pairs that would be no more than a margin apart within a time, if they went on as they do."""
        return (nearest(state, self.pairs, within) < edges.reach + margin) & self.both(there)

    def both(self, there: Tensor) -> Tensor:
        """[B, N] to [B, P]."""
        return there[:, self.pairs[:, 0]] & there[:, self.pairs[:, 1]]

    def _substep(self, state: State, edges: Edges, active: Tensor, charge: Tensor, time: float) -> State:
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        velocity, spin = self._braked(state, edges, time)
        yaw = state.turning()[0]
        apart = state.position[:, second] - state.position[:, first]
        distance = apart.square().sum(dim=-1).clamp(min=_LEAST_DISTANCE**2).sqrt()
        pulled = (charge / distance**3 * time)[..., None] * apart
        velocity = velocity + self._shared(-pulled, pulled) * edges.ease[0][..., None]
        moving = Moving(state.position, velocity, yaw, spin, edges.core, edges.rounding)
        impact = next_impact(moving, self.pairs, time)
        met = impact.contact
        torque = _cross(met.arms[0], met.normal), _cross(met.arms[1], met.normal)
        ease = [[part[:, which] for part in edges.ease] for which in (first, second)]
        yielding = ease[0][0] + ease[1][0] + ease[0][1] * torque[0].square() + ease[1][1] * torque[1].square()
        hit = active & (impact.closing > 0) & (impact.moment < time)
        impulse = hit * (1 + edges.bounce) * impact.closing / yielding
        # A push comes at its moment; what it would have moved until then is taken back.
        early = impulse * impact.moment.clamp(0, time)
        overlap = met.gap.clamp(max=0) * active * _PARTING / (ease[0][0] + ease[1][0])
        push, back = (amount[..., None] * met.normal for amount in (impulse, early + overlap))
        velocity = velocity + self._shared(-push, push) * edges.ease[0][..., None]
        spin = spin + self._twist(impulse, torque) * edges.ease[1]
        position = state.position + velocity * time + self._shared(back, -back) * edges.ease[0][..., None]
        yaw = yaw + spin * time - self._twist(early, torque) * edges.ease[1]
        return State(position, velocity, state.earlier, yaw, spin)

    def _braked(self, state: State, edges: Edges, time: float) -> tuple[Tensor, Tensor]:
        """velocity and spin of what slides freely: friction acts against the motion of its base, drag against all."""
        spin = state.turning()[1]
        sliding = (state.velocity.square().sum(dim=-1) + (edges.grip * spin).square()).clamp(min=_REST**2).sqrt()
        slower = edges.friction * time / sliding
        rest = 1 - nn.functional.softplus(self.drag) * time
        turning = edges.grip.square() * edges.ease[1] / edges.ease[0]
        velocity = state.velocity * ((1 - slower).clamp(min=0) * rest)[..., None]
        return velocity, spin * (1 - slower * turning).clamp(min=0) * rest

    def _shared(self, first: Tensor, second: Tensor) -> Tensor:
        """[B, N, K]: what pairs do to their first and to their second object [B, P, K], summed."""
        return self.incidence @ torch.cat([first, second], dim=1)

    def _twist(self, impulse: Tensor, torque: tuple[Tensor, Tensor]) -> Tensor:
        """[B, N]: what impulses [B, P] do to the spin of both objects."""
        return self._shared(-(impulse * torque[0])[..., None], (impulse * torque[1])[..., None])[..., 0]

    def _distance(self, state: State) -> Tensor:
        apart = state.position[:, self.pairs[:, 1]] - state.position[:, self.pairs[:, 0]]
        return apart.square().sum(dim=-1).clamp(min=1e-4).sqrt()

    def _strength(self, distance: Tensor) -> Tensor:
        """How strong two charges are at a distance, but for its square."""
        bounded = distance.clamp(min=_LEAST_DISTANCE)
        seen = torch.stack([bounded.log(), bounded], dim=-1)
        return (self.log_strength + self.field(seen).squeeze(-1)).exp()

    def force(self, distance: Tensor) -> Tensor:
        """Between two charges; the masses tell what it does."""
        return self._strength(distance) / distance.clamp(min=_LEAST_DISTANCE).square()


def nearest(state: State, pairs: Tensor, within: float) -> Tensor:
    """[B, P]: distance of the centres of pairs now or after a time, whichever is less, if they went on as they do."""
    first, second = pairs[:, 0], pairs[:, 1]
    apart = state.position[:, second] - state.position[:, first]
    later = apart + within * (state.velocity[:, second] - state.velocity[:, first])
    return torch.minimum(apart.norm(dim=-1), later.norm(dim=-1))


def _alike(state: State) -> State:
    """The same, but all of it learned through, or nothing: for a first state, which nothing is learned through, the
    compiler would make its code a second time."""
    if not torch.is_grad_enabled():
        return state
    return mapped(state, lambda part: part if part.requires_grad else part.detach().requires_grad_())


def _either(who: Tensor, recorded: Tensor | None, here: Tensor | None) -> Tensor | None:
    if recorded is None or here is None:
        return here
    return torch.where(who, recorded, here)


def _cross(arm: Tensor, direction: Tensor) -> Tensor:
    return arm[..., 0] * direction[..., 1] - arm[..., 1] * direction[..., 0]


def _mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    last = nn.Linear(hidden, outputs)
    nn.init.normal_(last.weight, std=1e-2)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(inputs, hidden), nn.SiLU(), last)


def incidence(objects: int) -> Tensor:
    """[N, 2 P]: which object is the first of a pair, and which the second."""
    return nn.functional.one_hot(all_pairs(objects).T.flatten(), objects).float().T


def _kinds_of_pairs() -> Tensor:
    """[9, 6]: the unordered pair that an ordered pair of shapes is."""
    order = [(a, b) for a in range(_SHAPES) for b in range(a, _SHAPES)]
    table = torch.zeros(_SHAPES * _SHAPES, len(order))
    for a in range(_SHAPES):
        for b in range(_SHAPES):
            table[a * _SHAPES + b, order.index((min(a, b), max(a, b)))] = 1
    return table
