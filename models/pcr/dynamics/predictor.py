"""The property-aware dynamics predictor: objects on the ground as a graph whose edges carry what they do to each other.

As in the paper (Eq. 3) an edge's message depends on the charges' relation and on both masses. Unlike there it is
translation and rotation invariant and has the form of rigid-body mechanics: impulses at one time and point of impact, equal
and opposite, with restitution; Coulomb friction; charges that act at a distance. What is learned in one corner of the table
holds in every other. The constants are learned: widths, roundness, restitution, masses, friction, and the charges' force.

Shapes: B scenes, N objects, P pairs i < j. Places in scene units, velocities in units per second, angles in radians.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import torch
from torch import Tensor, nn

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.state import FAR, Bodies, State, incidence, least_distance
from models.pcr.dynamics.time_of_impact import Moving, next_impact
from models.pcr.executor.soft_scene import both_of
from models.pcr.tracks.tensor_trees import mapped
from models.perceiver.representation import all_pairs

SUBSTEPS: Final = 2  # of a frame: within half a frame an object is hardly ever hit twice
_SHAPES: Final = len(Shape)
_LEAST_DISTANCE: Final = 0.3  # of two centres; softens the force of charges
_POSITION_CORRECTION: Final = 0.4  # share of an overlap that a substep undoes
GAIN: Final = 4.0  # of parameters behind a sigmoid or softplus: some have to cross its whole range
_REST: Final = 1e-4  # units per second; slower counts as resting


@dataclass(frozen=True)
class Edges:
    """Constants of a rollout: of objects [B, N], and of pairs [B, P]."""

    core: Tensor
    rounding: Tensor
    friction: Tensor
    inverse_mass: Tensor  # of objects
    inverse_inertia: Tensor  # of objects
    friction_radius: Tensor  # of objects: lever arm with which friction brakes a spin
    reach: Tensor  # distance of the centres up to which the two may touch
    restitution: Tensor
    charge: Tensor


class Dynamics(nn.Module):
    """Semi-implicit Euler steps of half a frame. Everything but the form of the laws is learned."""

    pairs: Tensor
    incidence: Tensor
    kinds: Tensor
    stride = 1
    history = 1

    def __init__(self, objects: int, hidden: int = 32) -> None:
        super().__init__()
        self.hidden = hidden
        kinds = _SHAPES * (_SHAPES + 1) // 2
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.register_buffer("incidence", incidence(objects), persistent=False)
        self.register_buffer("kinds", _kinds_of_pairs(), persistent=False)
        self.log_heavy = nn.Parameter(torch.tensor(1.0))
        self.half_width = nn.Parameter(torch.full((_SHAPES,), 0.2))
        self.roundness = nn.Parameter(torch.full((_SHAPES,), 0.2))
        self.restitution = nn.Parameter(torch.full((kinds,), -1.5 / GAIN))
        self.friction = nn.Parameter(torch.full((_SHAPES,), -2.0 / GAIN))
        self.drag = nn.Parameter(torch.tensor(-2.0 / GAIN))
        self.log_inertia = nn.Parameter(torch.tensor(-0.5))  # in units of mass times half width squared
        self.log_friction_radius = nn.Parameter(torch.tensor(-0.2))  # in half widths
        self.field = _mlp(2, hidden, 1)
        self.log_strength = nn.Parameter(torch.tensor(-2.5))

    def compile(self, backend: str | Callable[..., Any] = "inductor") -> None:
        """Compile the substep: on a GPU its run time is mostly the launch of many small kernels."""
        self._substep = torch.compile(self._substep, dynamic=True, backend=backend)  # type: ignore[method-assign]

    def in_double(self) -> "Dynamics":
        """The same laws in double precision, not compiled."""
        copied = Dynamics(len(self.incidence), self.hidden).to(self.incidence.device)
        copied.load_state_dict(self.state_dict())
        return copied.double()

    @torch.no_grad()
    def constants(self) -> dict[str, Tensor]:
        """What has been learned, in units of the scene: by shape (cube, sphere, cylinder), by pair of shapes, or one."""
        return {
            "mass ratio": self.log_heavy.exp(),
            "half width": self.half_width.detach(),
            "roundness": torch.sigmoid(GAIN * self.roundness),
            "restitution": torch.sigmoid(GAIN * self.restitution),
            "friction": nn.functional.softplus(GAIN * self.friction),
            "drag": nn.functional.softplus(GAIN * self.drag),
            "inertia": self.log_inertia.exp(),
            "friction radius": self.log_friction_radius.exp(),
            "force of charges at distance 1": self._strength(self.half_width.new_ones(())),
        }

    def edges(self, bodies: Bodies) -> Edges:
        """The constants of a rollout of these bodies."""
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        inverse_mass = torch.exp(-bodies.heavy * self.log_heavy)
        half = bodies.shape @ self.half_width
        rounding = half * (bodies.shape @ torch.sigmoid(GAIN * self.roundness))
        core = half - rounding
        both = bodies.shape[:, first, :, None] * bodies.shape[:, second, None, :]
        outer = core * 2**0.5 + rounding
        return Edges(
            core,
            rounding,
            bodies.shape @ nn.functional.softplus(GAIN * self.friction),
            inverse_mass,
            inverse_mass / (half.square() * self.log_inertia.exp()).clamp(min=1e-4),
            half * self.log_friction_radius.exp(),
            outer[:, first] + outer[:, second],
            torch.sigmoid(both.flatten(-2) @ self.kinds @ (GAIN * self.restitution)),
            bodies.charge,
        )

    def step(self, state: State, edges: Edges, there: Tensor) -> tuple[State, Tensor]:
        """One frame on, and clearance [B, P]: the gap that pairs would have had within the frame without an impact, below
        0 for those that collide. Only objects that are there [B, N] act on others. Charges' strength is computed once per
        frame."""
        active = both_of(there, self.pairs)
        charge = self.field_strength(state, edges, there)
        yaw, spin = state.rotation()
        state = _all_requiring_grad(replace(state, yaw=yaw, spin=spin))
        clearances = []
        for _ in range(SUBSTEPS):
            state, clearance = self._substep(state, edges, active, charge, 1 / (FPS * SUBSTEPS))
            clearances.append(clearance)
        return state, torch.where(active, torch.stack(clearances).amin(dim=0), FAR)

    def field_strength(self, state: State, edges: Edges, there: Tensor) -> Tensor:
        """[B, P]: the force of the charges of pairs in a state, times their distance squared; positive ones repel."""
        return edges.charge * self._strength(self._distance(state)) * both_of(there, self.pairs)

    def drift(self, state: State, sources: State, edges: Edges, charge: Tensor) -> State:
        """One frame on without impacts. Each object moves by itself, in the field of charges [B, P] at the places of
        `sources`: differences of it with respect to a state are those of each object's own motion."""
        time, pairs = 1 / (FPS * SUBSTEPS), self.pairs
        for substep in range(SUBSTEPS):
            others = sources.position + sources.velocity * (substep * time)
            ahead = others[:, pairs[:, 1]] - state.position[:, pairs[:, 0]]
            behind = state.position[:, pairs[:, 1]] - others[:, pairs[:, 0]]
            velocity, spin = self._after_friction(state, edges, time)
            pulled = self._summed(-_pull(ahead, charge * time), _pull(behind, charge * time))
            velocity = velocity + pulled * edges.inverse_mass[..., None]
            yaw = state.rotation()[0] + spin * time
            state = State(state.position + velocity * time, velocity, state.earlier, yaw, spin)
        return state

    def about_to_touch(self, state: State, edges: Edges, there: Tensor, within: float, margin: float) -> Tensor:
        """[B, P]: pairs that would be no more than a margin apart within a time, at constant velocities."""
        return (least_distance(state, self.pairs, within) < edges.reach + margin) & both_of(there, self.pairs)

    def _substep(self, state: State, edges: Edges, active: Tensor, charge: Tensor, time: float) -> tuple[State, Tensor]:
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        velocity, spin = self._after_friction(state, edges, time)
        yaw = state.rotation()[0]
        pulled = _pull(state.position[:, second] - state.position[:, first], charge * time)
        velocity = velocity + self._summed(-pulled, pulled) * edges.inverse_mass[..., None]
        moving = Moving(state.position, velocity, yaw, spin, edges.core, edges.rounding)
        impact = next_impact(moving, self.pairs, time)
        met = impact.contact
        torque = _cross(met.arms[0], met.normal), _cross(met.arms[1], met.normal)
        inverse_mass = edges.inverse_mass[:, first] + edges.inverse_mass[:, second]
        inertia = edges.inverse_inertia[:, first], edges.inverse_inertia[:, second]
        compliance = inverse_mass + inertia[0] * torque[0].square() + inertia[1] * torque[1].square()
        hit = active & (impact.closing > 0) & (impact.moment < time)
        impulse = hit * (1 + edges.restitution) * impact.closing / compliance
        clearance = torch.where(impact.closing > 0, impact.closing * (impact.moment - time), met.gap)
        # The impulse acts from the time of impact on; the displacement it would have caused before is taken back.
        early = impulse * impact.moment.clamp(0, time)
        overlap = met.gap.clamp(max=0) * active * _POSITION_CORRECTION / inverse_mass
        push, back = (amount[..., None] * met.normal for amount in (impulse, early + overlap))
        velocity = velocity + self._summed(-push, push) * edges.inverse_mass[..., None]
        spin = spin + self._angular(impulse, torque) * edges.inverse_inertia
        position = state.position + velocity * time + self._summed(back, -back) * edges.inverse_mass[..., None]
        yaw = yaw + spin * time - self._angular(early, torque) * edges.inverse_inertia
        return State(position, velocity, state.earlier, yaw, spin), clearance

    def _after_friction(self, state: State, edges: Edges, time: float) -> tuple[Tensor, Tensor]:
        """Velocity and spin of freely sliding objects: Coulomb friction against the motion of the base, and linear drag."""
        spin, radius = state.rotation()[1], edges.friction_radius
        sliding = (state.velocity.square().sum(dim=-1) + (radius * spin).square()).clamp(min=_REST**2).sqrt()
        slower = edges.friction * time / sliding
        kept = 1 - nn.functional.softplus(GAIN * self.drag) * time
        angular = radius.square() * edges.inverse_inertia / edges.inverse_mass
        velocity = state.velocity * ((1 - slower).clamp(min=0) * kept)[..., None]
        return velocity, spin * (1 - slower * angular).clamp(min=0) * kept

    def _summed(self, first: Tensor, second: Tensor) -> Tensor:
        """[B, N, K]: the sum over pairs of what each does to its first and to its second object [B, P, K]."""
        return self.incidence @ torch.cat([first, second], dim=1)

    def _angular(self, impulse: Tensor, torque: tuple[Tensor, Tensor]) -> Tensor:
        """[B, N]: angular impulses on both objects of pairs, from linear ones [B, P]."""
        return self._summed(-(impulse * torque[0])[..., None], (impulse * torque[1])[..., None])[..., 0]

    def _distance(self, state: State) -> Tensor:
        apart = state.position[:, self.pairs[:, 1]] - state.position[:, self.pairs[:, 0]]
        return apart.square().sum(dim=-1).clamp(min=1e-4).sqrt()

    def _strength(self, distance: Tensor) -> Tensor:
        """The force of two charges at a distance, times the distance squared."""
        bounded = distance.clamp(min=_LEAST_DISTANCE)
        seen = torch.stack([bounded.log(), bounded], dim=-1)
        return (self.log_strength + self.field(seen).squeeze(-1)).exp()


def _all_requiring_grad(state: State) -> State:
    """The same state, all of whose tensors require gradients if any are recorded. The first state of a rollout requires
    none, and the compiler would compile the substep a second time for it."""
    if not torch.is_grad_enabled():
        return state
    return mapped(state, lambda part: part if part.requires_grad else part.detach().requires_grad_())


def _pull(apart: Tensor, charge: Tensor) -> Tensor:
    """[B, P, 2]: the force along `apart` of charges that are so far apart; positive ones repel."""
    distance = apart.square().sum(dim=-1).clamp(min=_LEAST_DISTANCE**2).sqrt()
    return (charge / distance**3)[..., None] * apart


def _cross(arm: Tensor, direction: Tensor) -> Tensor:
    return arm[..., 0] * direction[..., 1] - arm[..., 1] * direction[..., 0]


def _mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    last = nn.Linear(hidden, outputs)
    nn.init.normal_(last.weight, std=1e-2)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(inputs, hidden), nn.SiLU(), last)


def _kinds_of_pairs() -> Tensor:
    """[9, 6]: the unordered pair that an ordered pair of shapes is."""
    order = [(a, b) for a in range(_SHAPES) for b in range(a, _SHAPES)]
    table = torch.zeros(_SHAPES * _SHAPES, len(order))
    for a in range(_SHAPES):
        for b in range(_SHAPES):
            table[a * _SHAPES + b, order.index((min(a, b), max(a, b)))] = 1
    return table
