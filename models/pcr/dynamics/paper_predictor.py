"""The paper's dynamics predictor (Eq. 3): the next places of all objects from their last three, by message passing. As in
the published code, places are five frames apart, and functions have 256 hidden units.

Places are absolute and contacts are not modelled: what is learned in one corner of the table holds only there. Places are
on the ground plane, as everywhere in this toolkit; an object's shape stands in for its width and height in the image, which
the paper uses. The residual to constant velocity is predicted. For a last layer that sees the last places this is
equivalent to the residual to the last place, and is learned far faster.

Shapes: B scenes, N objects, P pairs, M = 2 P messages (both directions of every pair), K kinds of pairs, O values of an
object.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.dynamics.state import CHARGE_KINDS, FAR, Bodies, State, incidence, least_distance
from models.pcr.executor.soft_scene import both_of
from models.perceiver.representation import all_pairs

HISTORY: Final = 3  # places
_OBJECT: Final = 2 * HISTORY + 1 + len(Shape)
_SPAN: Final = 4.0  # units: scales input places to about -1 to 1
_MOVE: Final = 0.1  # units that the last layer's 1 stands for, times the frames of a step: what a fast object moves
_REACH: Final = 2 * OBJECT_RADIUS
_FAR: Final = 20.0  # units from the table's centre, far out of sight: positions are clamped to it


@dataclass(frozen=True)
class PaperEdges:
    """Constants of a rollout: body [B, N, 1 + 3], mass and shape; kind [B, M, K], chances."""

    body: Tensor
    kind: Tensor


class PerKind(nn.Module):
    """One MLP per kind of pair; the results are averaged with the probabilities of the kinds."""

    def __init__(self, inputs: int, size: int, kinds: int) -> None:
        super().__init__()
        self.functions = nn.ModuleList(
            nn.Sequential(nn.Linear(inputs, size), nn.SiLU(), nn.Linear(size, size), nn.SiLU()) for _ in range(kinds)
        )

    def forward(self, pairs: Tensor, kind: Tensor) -> Tensor:
        """[B, M, inputs] and [B, M, K] to [B, M, size]."""
        weighted = [function(pairs) * kind[..., k, None] for k, function in enumerate(self.functions)]
        return torch.stack(weighted).sum(dim=0)


class PaperDynamics(nn.Module):
    """A drop-in replacement of `models.pcr.dynamics.predictor.Dynamics`, with steps of several frames."""

    pairs: Tensor
    incidence: Tensor
    history = HISTORY
    kinds = CHARGE_KINDS

    def __init__(self, objects: int, size: int = 256, stride: int = 5) -> None:
        super().__init__()
        self.stride = stride
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.register_buffer("incidence", incidence(objects), persistent=False)
        self.emb = PerKind(2 * _OBJECT, size, self.kinds)
        self.enc = PerKind(4 * _OBJECT, size, self.kinds)
        self.rel = nn.ModuleList(nn.Linear(size, _OBJECT) for _ in range(2))
        self.pred = nn.Linear(_OBJECT, 2)
        nn.init.normal_(self.pred.weight, std=1e-2)
        nn.init.zeros_(self.pred.bias)

    def edges(self, bodies: Bodies) -> PaperEdges:
        same, opposite = bodies.charge.clamp(min=0), (-bodies.charge).clamp(min=0)
        kind = torch.stack([1 - same - opposite, same, opposite], dim=-1)
        return PaperEdges(torch.cat([bodies.heavy[..., None], bodies.shape], dim=-1), torch.cat([kind, kind], dim=1))

    def step(self, state: State, edges: PaperEdges, there: Tensor) -> tuple[State, Tensor]:
        """One step on, and clearance [B, P]: the gap of pairs, as if all objects were spheres; this predictor has no
        impacts. Only objects that are there [B, N] act on others."""
        active = both_of(there, self.pairs).repeat(1, 2).to(state.position.dtype)
        seconds = self.stride / FPS
        first = torch.cat([_history(state, seconds), edges.body], dim=-1)
        messages = self.emb(self._of_pairs(first), edges.kind)
        now = first + self._gathered(messages, active, 0)
        messages = self.enc(self._of_pairs(torch.cat([now, first], dim=-1)), edges.kind)
        now = now + self._gathered(messages, active, 1)
        straight_on = state.position + state.velocity * seconds
        position = (straight_on + self.stride * _MOVE * self.pred(now)).clamp(-_FAR, _FAR)
        moved = State(position, (position - state.position) / seconds, state.velocity)
        gap = least_distance(moved, self.pairs, 0.0) - _REACH
        return moved, torch.where(both_of(there, self.pairs), gap, FAR)

    def about_to_touch(self, state: State, edges: PaperEdges, there: Tensor, within: float, margin: float) -> Tensor:
        """[B, P]: as if all objects were spheres. Only replay of a recording needs it; the paper's rollouts do not."""
        return (least_distance(state, self.pairs, within) < _REACH + margin) & both_of(there, self.pairs)

    def _of_pairs(self, objects: Tensor) -> Tensor:
        """[B, N, O] to [B, M, 2 O]: the receiver and the sender of every message."""
        first, second = objects[:, self.pairs[:, 0]], objects[:, self.pairs[:, 1]]
        return torch.cat([torch.cat([first, second], dim=1), torch.cat([second, first], dim=1)], dim=-1)

    def _gathered(self, messages: Tensor, active: Tensor, layer: int) -> Tensor:
        return self.rel[layer](self.incidence @ (messages * active[..., None]))


class DPIDynamics(PaperDynamics):
    """The same without hidden properties, as in CPL-DPI: all pairs are of one kind, and masses are not seen."""

    kinds = 1

    def edges(self, bodies: Bodies) -> PaperEdges:
        unknown = torch.zeros_like(bodies.heavy)[..., None]
        kind = bodies.charge.new_ones(len(bodies.charge), 2 * len(self.pairs), 1)
        return PaperEdges(torch.cat([unknown, bodies.shape], dim=-1), kind)


def _history(state: State, seconds: float) -> Tensor:
    """[B, N, 2 * HISTORY]: places now, a step ago and two steps ago."""
    before = state.position - state.velocity * seconds
    earlier = before - (state.velocity if state.earlier is None else state.earlier) * seconds
    return torch.cat([state.position, before, earlier], dim=-1) / _SPAN
