"""The physical property inferencer: message passing over the objects of each video (Eq. 2), evidence summed over a set.

Every video is a graph. What an object does while others are near is first read frame by frame, in coordinates that go
from one object to the other, and gathered over time; then two rounds of messages settle who is heavy and which pairs
are charged.

Shapes: V videos, T frames, N objects, X = V * N nodes, Y directed edges, P pairs.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing

from models.pcr.tracks.line_fits import Motion
from models.pcr.tracks.observed import Sight
from models.perceiver.representation import all_pairs

CHARGE_KINDS: Final = 3  # of a pair: no relation, same sign, opposite signs
_EDGE_FEATURES: Final = 18


@dataclass(frozen=True)
class Evidence:
    """Of videos: heavy [V, N], log-odds; charge [V, P, 3], logits. Zero where a video tells nothing."""

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

    def by_pair(self, logits: Tensor, videos: int, pairs: Tensor) -> Tensor:
        """[Y, K] to [V, P, K]: both directions of an edge tell of the same pair."""
        low, high = torch.minimum(self.receiver, self.source), torch.maximum(self.receiver, self.source)
        objects = int(pairs.max()) + 1
        numbers = torch.full((objects, objects), -1, device=logits.device)
        numbers[pairs[:, 0], pairs[:, 1]] = torch.arange(len(pairs), device=logits.device)
        place = self.video * len(pairs) + numbers[low, high]
        total = logits.new_zeros(videos * len(pairs), logits.shape[1]).index_add(0, place, logits)
        return total.reshape(videos, len(pairs), -1)


class Round(MessagePassing):
    """One round of Eq. 2: edges from their nodes, then nodes from their edges. Beyond the equation an edge sees `edges`
    values of its own, and a node that `recalls` sees what it was."""

    def __init__(self, nodes: int, edges: int, size: int, recalls: bool = True) -> None:
        super().__init__(aggr="sum")
        self.recalls = recalls
        self.relate = nn.Sequential(nn.Linear(2 * nodes + edges, size), nn.SiLU(), nn.Linear(size, size))
        self.encode = nn.Sequential(nn.Linear(size + nodes * recalls, size), nn.SiLU(), nn.Linear(size, size))

    def forward(self, nodes: Tensor, edge_index: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
        source, receiver = edge_index
        messages = self.relate(torch.cat([nodes[receiver], nodes[source], edges], dim=-1))
        gathered = self.propagate(edge_index, messages=messages, size=(len(nodes), len(nodes)))
        return self.encode(torch.cat([gathered, nodes], dim=-1) if self.recalls else gathered), messages

    def message(self, messages: Tensor) -> Tensor:
        return messages


class PropertyInferencer(nn.Module):
    pairs: Tensor

    def __init__(self, objects: int, size: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.per_frame = nn.Sequential(nn.Linear(_EDGE_FEATURES, size), nn.SiLU(), nn.Linear(size, size), nn.SiLU())
        self.over_time = nn.Conv1d(size, size, 5, padding=2)
        self.gather = nn.Sequential(nn.Linear(2 * size, size), nn.SiLU(), nn.Dropout(dropout))
        self.embed = nn.Sequential(nn.Linear(3, size), nn.SiLU())
        self.rounds = nn.ModuleList([Round(size, size, size), Round(size, size, size)])
        self.dropout = nn.Dropout(dropout)
        self.mass = nn.Linear(size, 1)
        self.charge = nn.Linear(size, CHARGE_KINDS)

    def forward(self, sight: Sight, shape: Tensor, there: Tensor) -> Evidence:
        """Videos as they are seen; shape [V, N, 3], there [V, N]."""
        videos, objects = there.shape
        edges = DirectedEdges.of(there, self.pairs)
        messages = self._encounters(sight.tracks.position, sight.motion, edges)
        nodes = self.embed(shape.reshape(videos * objects, -1))
        for layer in self.rounds:
            nodes, messages = layer(nodes, edges.index, messages)
        heavy = self.mass(self.dropout(nodes)).reshape(videos, objects) * there
        return Evidence(heavy, edges.by_pair(self.charge(self.dropout(messages)), videos, self.pairs))

    def _encounters(self, position: Tensor, motion: Motion, edges: DirectedEdges) -> Tensor:
        """[Y, size]: what the receiver and the source do over time, seen along the line between them."""
        features, both = edge_features(position, motion, edges)
        read = self.per_frame(features) * both[..., None]
        mixed = nn.functional.silu(self.over_time(read.transpose(1, 2))).transpose(1, 2)
        known = both[..., None]
        highest = torch.where(known > 0, mixed, -10.0).amax(dim=1).clamp(min=-1.0)
        total = (mixed * known).sum(dim=1) / 50.0
        return self.gather(torch.cat([highest, total], dim=-1))


def edge_features(position: Tensor, motion: Motion, edges: DirectedEdges) -> tuple[Tensor, Tensor]:
    """Of directed edges [Y, T, F], and where both objects' motion is known [Y, T]."""
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
