"""The paper's physical property inferencer (Eq. 2): a graph whose nodes are whole image tracks.

A track is one input vector, so that what is learned at one time and place does not transfer to others.

Shapes: V videos, T frames, N objects, Y directed edges, P pairs.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing

from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.dynamics.state import CHARGE_KINDS
from models.pcr.properties.message_passing import DirectedEdges, Evidence
from models.pcr.tracks.observed import VideoMotion
from models.perceiver.representation import all_pairs

FRAMES: Final = TARGET_VISIBLE_FRAMES  # of a track; shorter videos are padded with zeros


class GraphRound(MessagePassing):
    """One round of message passing as the paper has it: edges from their nodes, then nodes from the sum of their edges."""

    def __init__(self, size: int) -> None:
        super().__init__(aggr="sum")
        self.relate = nn.Sequential(nn.Linear(2 * size, size), nn.SiLU(), nn.Linear(size, size))
        self.encode = nn.Sequential(nn.Linear(size, size), nn.SiLU(), nn.Linear(size, size))

    def forward(self, nodes: Tensor, edge_index: Tensor) -> tuple[Tensor, Tensor]:
        source, receiver = edge_index
        messages = self.relate(torch.cat([nodes[receiver], nodes[source]], dim=-1))
        gathered = self.propagate(edge_index, messages=messages, size=(len(nodes), len(nodes)))
        return self.encode(gathered), messages

    def message(self, messages: Tensor) -> Tensor:
        return messages


class PaperInferencer(nn.Module):
    """A drop-in replacement of `models.pcr.properties.inferencer.PropertyInferencer`."""

    pairs: Tensor

    def __init__(self, objects: int, size: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.embed = nn.Sequential(nn.Linear(2 * FRAMES, size), nn.SiLU(), nn.Linear(size, size))
        self.rounds = nn.ModuleList(GraphRound(size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        self.mass = nn.Linear(size, 1)
        self.charge = nn.Linear(size, CHARGE_KINDS)

    def forward(self, video: VideoMotion, shape: Tensor, there: Tensor) -> Evidence:
        """Evidence of videos; there [V, N] is false for padding. Shapes are not used."""
        edges = DirectedEdges.of(there, self.pairs)
        nodes = self.embed(image_tracks(video).flatten(0, 1))
        for layer in self.rounds:
            nodes, messages = layer(nodes, edges.index)
        heavy, charge = self.mass(self.dropout(nodes)), self.charge(self.dropout(messages))
        return edges.evidence(heavy, charge, there, self.pairs)


def image_tracks(video: VideoMotion) -> Tensor:
    """p_n: [V, N, 2 * FRAMES], an object's centre in the image at all frames, zero where it is absent."""
    seen = video.tracks.centre * video.tracks.present[..., None]
    missing = FRAMES - seen.shape[1]
    if missing < 0:
        raise ValueError(f"Expected videos of at most {FRAMES} frames (got {seen.shape[1]}).")
    return nn.functional.pad(seen.transpose(1, 2).flatten(2), (0, 2 * missing))
