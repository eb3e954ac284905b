"""The physical property inferencer: message passing over the objects of each video (Eq. 2), evidence summed over a set.

Every video is a graph. The motion of two objects is first encoded frame by frame, in coordinates along and across the line
between them, and pooled over time; two rounds of message passing then tell which object is heavy and which pair is charged.

Shapes: V videos, T frames, N objects, X = V * N nodes, Y directed edges, P pairs.
"""

from typing import Final

import torch
from torch import Tensor, nn

from models.pcr.dynamics.state import CHARGE_KINDS
from models.pcr.properties.message_passing import DirectedEdges, Evidence, Round
from models.pcr.tracks.line_fits import Motion
from models.pcr.tracks.observed import VideoMotion
from models.perceiver.representation import all_pairs

_EDGE_FEATURES: Final = 18


class PropertyInferencer(nn.Module):
    """Evidence about mass and charge from relative motion."""

    pairs: Tensor

    def __init__(self, objects: int, size: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.per_frame = nn.Sequential(nn.Linear(_EDGE_FEATURES, size), nn.SiLU(), nn.Linear(size, size), nn.SiLU())
        self.over_time = nn.Conv1d(size, size, 5, padding=2)
        self.gather = nn.Sequential(nn.Linear(2 * size, size), nn.SiLU(), nn.Dropout(dropout))
        self.embed = nn.Sequential(nn.Linear(3, size), nn.SiLU())
        self.rounds = nn.ModuleList([Round(size), Round(size)])
        self.dropout = nn.Dropout(dropout)
        self.mass = nn.Linear(size, 1)
        self.charge = nn.Linear(size, CHARGE_KINDS)

    def forward(self, video: VideoMotion, shape: Tensor, there: Tensor) -> Evidence:
        """Evidence of videos, given the shapes [V, N, 3] of their objects; there [V, N] is false for padding."""
        edges = DirectedEdges.of(there, self.pairs)
        messages = self._interactions(video.tracks.position, video.motion, edges)
        nodes = self.embed(shape.flatten(0, 1))
        for layer in self.rounds:
            nodes, messages = layer(nodes, edges.index, messages)
        heavy, charge = self.mass(self.dropout(nodes)), self.charge(self.dropout(messages))
        return edges.evidence(heavy, charge, there, self.pairs)

    def _interactions(self, position: Tensor, motion: Motion, edges: DirectedEdges) -> Tensor:
        """[Y, size]: the motion of receiver and source relative to each other, pooled over time by maximum and sum."""
        features, both = edge_features(position, motion, edges)
        read = self.per_frame(features) * both[..., None]
        mixed = nn.functional.silu(self.over_time(read.transpose(1, 2))).transpose(1, 2)
        known = both[..., None]
        highest = torch.where(known > 0, mixed, -10.0).amax(dim=1).clamp(min=-1.0)
        total = (mixed * known).sum(dim=1) / 50.0
        return self.gather(torch.cat([highest, total], dim=-1))


def edge_features(position: Tensor, motion: Motion, edges: DirectedEdges) -> tuple[Tensor, Tensor]:
    """Features of directed edges [Y, T, F], and where the motion of both objects is known [Y, T]."""
    receiver, source = edges.receiver, edges.source

    def of(values: Tensor, which: Tensor) -> Tensor:
        return values[edges.video, :, which]

    apart = of(position, source) - of(position, receiver)
    distance = apart.norm(dim=-1).clamp(min=0.2)
    along = apart / distance[..., None]
    across = torch.stack([-along[..., 1], along[..., 0]], dim=-1)
    both = of(motion.around.known, receiver) & of(motion.around.known, source)
    turned = of(motion.before.known, receiver) & of(motion.before.known, source)
    turned = turned & of(motion.after.known, receiver) & of(motion.after.known, source)
    pulled = of(motion.accelerated, receiver) & of(motion.accelerated, source)
    change = motion.after.velocity - motion.before.velocity
    seen = [1 / distance.square() * 0.2, torch.sigmoid((0.5 - distance) / 0.03), distance.clamp(max=3.0)]
    for which in (receiver, source):
        for vector, known in ((motion.around.velocity, both), (change, turned), (motion.acceleration, pulled)):
            picked = of(vector, which).clamp(-3, 3)
            seen += [(picked * along).sum(dim=-1) * known, (picked * across).sum(dim=-1) * known]
    seen += [turned.float(), pulled.float(), both.float()]
    return torch.stack(seen, dim=-1) * both[..., None], both.float()
