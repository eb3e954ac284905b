"""Graphs of videos for message passing (Eq. 2), and the evidence about hidden properties that comes of it.

Shapes: V videos, N objects, X = V * N nodes, Y directed edges, P pairs.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.pcr.executor.soft_scene import pair_numbers


@dataclass(frozen=True)
class Evidence:
    """Of videos: heavy [V, N], log-odds; charge [V, P, 3], logits. Zero where a video has no evidence."""

    heavy: Tensor
    charge: Tensor


@dataclass(frozen=True)
class DirectedEdges:
    """Between objects that a video shows: index [2, Y] of nodes; video, receiver and source [Y]."""

    index: Tensor
    video: Tensor
    receiver: Tensor
    source: Tensor

    @staticmethod
    def of(there: Tensor, pairs: Tensor) -> "DirectedEdges":
        """Both directions of all pairs of objects that are there [V, N]."""
        objects = there.shape[1]
        ordered = torch.cat([pairs, pairs.flip(1)])
        video, which = (there[:, ordered[:, 0]] & there[:, ordered[:, 1]]).nonzero(as_tuple=True)
        receiver, source = ordered[which, 0], ordered[which, 1]
        return DirectedEdges(
            torch.stack([video * objects + source, video * objects + receiver]), video, receiver, source
        )

    def evidence(self, heavy: Tensor, charge: Tensor, there: Tensor, pairs: Tensor) -> "Evidence":
        """From logits of nodes (heavy [X, 1]) and of edges (charge [Y, K]); both directions of an edge are summed."""
        videos, objects = there.shape
        place = self.video * len(pairs) + pair_numbers(pairs, objects)[self.receiver, self.source]
        total = charge.new_zeros(videos * len(pairs), charge.shape[1]).index_add(0, place, charge)
        return Evidence(heavy.reshape(videos, objects) * there, total.reshape(videos, len(pairs), -1))


class Round(nn.Module):
    """One round of message passing (Eq. 2): edges from their nodes, then nodes from the sum of their edges. Beyond the
    equation, an edge has a value of its own, and a node sees its own value."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.relate = nn.Sequential(nn.Linear(3 * size, size), nn.SiLU(), nn.Linear(size, size))
        self.encode = nn.Sequential(nn.Linear(2 * size, size), nn.SiLU(), nn.Linear(size, size))

    def forward(self, nodes: Tensor, edge_index: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
        source, receiver = edge_index
        messages = self.relate(torch.cat([nodes[receiver], nodes[source], edges], dim=-1))
        gathered = torch.zeros_like(nodes).index_add(0, receiver, messages)
        return self.encode(torch.cat([gathered, nodes], dim=-1)), messages
