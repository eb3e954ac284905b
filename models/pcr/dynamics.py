"""The property-aware dynamics predictor: objects on the ground as a graph whose edges carry what they do to each other.

As in the paper (Eq. 3) an edge's message depends on the charges' relation and on both masses. Unlike there it sees only
what physics lets it see: distance and relative velocity along and across the line between the two. So what is learned
in one corner of the table holds in every other, and a push is returned (the message of the reverse edge is its negative).

Shapes: B scenes, N objects, P pairs i < j. Places in scene units, velocities in units per second.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import Shape
from models.perceiver.representation import all_pairs

SUBSTEPS: Final = 4  # of a frame: in a quarter of it nothing gets through anything else
_SHAPES: Final = len(Shape)
_LEAST_DISTANCE: Final = 0.3  # of two centres; charges do not come nearer


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
    """position and velocity [B, N, 2]; earlier [B, N, 2]: the velocity a frame ago, where a predictor keeps it."""

    position: Tensor
    velocity: Tensor
    earlier: Tensor | None = None

    def following(self, recorded: "State", who: Tensor) -> "State":
        """The objects `who` [B, N] as they are recorded, the others as they are here."""
        which = who[..., None]
        position = torch.where(which, recorded.position, self.position)
        velocity = torch.where(which, recorded.velocity, self.velocity)
        if self.earlier is None:
            return State(position, velocity)
        return State(position, velocity, torch.where(which, recorded.velocity, self.earlier))


@dataclass(frozen=True)
class Edges:
    """What stays the same during a rollout, by pair [B, P]."""

    shape: Tensor  # [B, N, 3]
    reach: Tensor  # distance of the centres at touch
    softness: Tensor
    kind: Tensor  # [B, P, 6]: chances of the unordered pairs of shapes
    bounce: Tensor
    rub: Tensor
    inverse: tuple[Tensor, Tensor]  # 1 / mass of the first and of the second
    reduced: Tensor
    charge: Tensor


class Dynamics(nn.Module):
    """Steps of a quarter of a frame. Everything but the form of the laws is learned."""

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
        self.reach = nn.Parameter(torch.full((kinds,), 0.42))
        self.log_softness = nn.Parameter(torch.full((kinds,), -4.5))
        self.bounce = nn.Parameter(torch.full((kinds,), -1.5))
        self.rub = nn.Parameter(torch.full((kinds,), -3.0))
        self.slowing = _mlp(1 + _SHAPES, hidden, 1)
        self.push = _mlp(3 + kinds, hidden, 2)
        self.field = _mlp(2, hidden, 1)
        self.log_strength = nn.Parameter(torch.tensor(-2.5))
        nn.init.constant_(self.slowing[-1].get_parameter("bias"), -2.0)

    def compile(self) -> None:
        """On a GPU: most of the time a step waits for its many small operations to be launched."""
        self._substep = torch.compile(self._substep, dynamic=True)  # type: ignore[method-assign]

    def edges(self, bodies: Bodies) -> Edges:
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        mass = torch.exp(bodies.heavy * self.log_heavy)
        a, b = mass[:, first], mass[:, second]
        both = bodies.shape[:, first, :, None] * bodies.shape[:, second, None, :]
        kind = both.flatten(-2) @ self.kinds
        return Edges(
            bodies.shape,
            kind @ self.reach,
            (kind @ self.log_softness).exp(),
            kind,
            torch.sigmoid(kind @ self.bounce),
            kind @ self.rub,
            (1 / a, 1 / b),
            a * b / (a + b),
            bodies.charge,
        )

    def step(self, state: State, edges: Edges, there: Tensor) -> State:
        """One frame on. Only objects that are there [B, N] act on others. What changes slowly is worked out once."""
        active = self.both(there).to(state.position.dtype)
        slowing = self._slowing(state.velocity, edges.shape)
        charge = edges.charge * self._strength(self._distance(state))
        for _ in range(SUBSTEPS):
            state = self._substep(state, edges, active, slowing, charge, 1 / (FPS * SUBSTEPS))
        return state

    def about_to_touch(self, state: State, edges: Edges, there: Tensor, within: float, margin: float) -> Tensor:
        """[B, P]: pairs that would be no more than a margin apart within a time, if they went on as they do."""
        return (nearest(state, self.pairs, within) < edges.reach + margin) & self.both(there)

    def both(self, there: Tensor) -> Tensor:
        """[B, N] to [B, P]."""
        return there[:, self.pairs[:, 0]] & there[:, self.pairs[:, 1]]

    def _substep(
        self, state: State, edges: Edges, active: Tensor, slowing: Tensor, charge: Tensor, time: float
    ) -> State:
        speed = state.velocity.square().sum(dim=-1, keepdim=True).clamp(min=1e-8).sqrt()
        position, velocity = state.position, state.velocity * (1 - slowing * time / speed).clamp(min=0)
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        apart = position[:, second] - position[:, first]
        distance = apart.square().sum(dim=-1).clamp(min=1e-4).sqrt()
        along = apart / distance[..., None]
        across = torch.stack([-along[..., 1], along[..., 0]], dim=-1)
        relative = velocity[:, second] - velocity[:, first]
        parting, sliding = (relative * along).sum(dim=-1), (relative * across).sum(dim=-1)
        struck, rubbed = self._touch(distance, parting, sliding, edges, time)
        pulled = charge / distance.clamp(min=_LEAST_DISTANCE).square() * time
        push = ((struck + pulled)[..., None] * along + rubbed[..., None] * across) * active[..., None]
        change = torch.cat([-push * edges.inverse[0][..., None], push * edges.inverse[1][..., None]], dim=1)
        velocity = velocity + self.incidence @ change
        return State(position + velocity * time, velocity)

    def _slowing(self, velocity: Tensor, shape: Tensor) -> Tensor:
        """[B, N, 1]: deceleration of what moves freely."""
        speed = velocity.square().sum(dim=-1, keepdim=True).clamp(min=1e-8).sqrt()
        return nn.functional.softplus(self.slowing(torch.cat([speed, shape], dim=-1)))

    def _touch(
        self, distance: Tensor, parting: Tensor, sliding: Tensor, edges: Edges, time: float
    ) -> tuple[Tensor, Tensor]:
        """[B, P]: impulses along and across the line from the first to the second, on the second."""
        gap = distance - edges.reach
        touch = torch.sigmoid(-(gap + parting * time) / edges.softness)
        closing = (-parting).clamp(min=0)
        seen = torch.stack([(gap * 10).clamp(-2, 2), parting, sliding.abs()], dim=-1)
        extra = self.push(torch.cat([seen, edges.kind], dim=-1))
        apart = nn.functional.softplus(-gap * 20 - 3) * 0.1  # bodies that overlap come apart
        along = touch * (closing * (1 + edges.bounce + extra[..., 0]) + apart)
        across = -touch * sliding * torch.sigmoid(edges.rub + extra[..., 1])
        return edges.reduced * along, edges.reduced * across

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
