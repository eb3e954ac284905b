"""CPL's property learner (Chen et al., ICLR 2022): the factor graph of NRI's encoder on whole box tracks, one for masses and
one for charges. Read beside `paper_inferencer`: nodes here are shapes, boxes and their velocities at all frames.

Shapes: V videos, T frames, N objects, X nodes and Y directed edges of objects that are there, P pairs.
"""

from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from comphy.scene.vocabulary import Shape
from models.pcr.dynamics.state import CHARGE_KINDS
from models.pcr.properties.message_passing import DirectedEdges, Evidence
from models.pcr.tracks.observed import VideoMotion
from models.perceiver.representation import all_pairs

FRAMES: Final = TARGET_VISIBLE_FRAMES  # of a track; shorter videos are padded
INPUTS: Final = FRAMES * (len(Shape) + 4 + 4)
# Numbers of a box (centre, width, height, in widths of the image) enter as (number - typical) * scale, and its changes from
# frame to frame are scaled: as published, without scales, hardly anything is learned of a motion of 0.01 widths a frame.
_TYPICAL: Final = (0.5, 0.33, 0.1, 0.1)
_SCALE: Final = (4.0, 6.0, 20.0, 20.0)
_SCALE_OF_CHANGES: Final = 150.0
_MISSING: Final = 0.0  # what stands for a box that is not seen


class FactorMLP(nn.Module):
    """Two layers with ELU, dropout between them and normalisation after them: of layers, not of batches as published, since
    targets and references come in batches of their own, whose statistics differ."""

    def __init__(self, inputs: int, size: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, size), nn.ELU(), nn.Dropout(dropout), nn.Linear(size, size), nn.ELU()
        )
        self.norm = nn.LayerNorm(size)

    def forward(self, values: Tensor) -> Tensor:
        normalised: Tensor = self.norm(self.layers(values))
        return normalised


class FactorGraph(nn.Module):
    """Nodes to edges to nodes."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.embed = FactorMLP(INPUTS, size, dropout)
        self.relate = FactorMLP(2 * size, size, dropout)
        self.gather = FactorMLP(size, size, dropout)

    def forward(self, tracks: Tensor, edge_index: Tensor, objects: int) -> tuple[Tensor, Tensor]:
        """Nodes [X, size] and edges [Y, size]; `edge_index` [2, Y] has the source and the receiver."""
        nodes = self.embed(tracks)
        edges = self.relate(of_edges(nodes, edge_index))
        incoming = torch.zeros_like(nodes).index_add(0, edge_index[1], edges) / objects
        return self.gather(incoming), edges


class PropertyLearner(nn.Module):
    """A drop-in replacement of `models.pcr.properties.inferencer.PropertyInferencer`, to be trained with labels."""

    pairs: Tensor

    def __init__(self, objects: int, size: int = 512, dropout: float = 0.5) -> None:
        super().__init__()
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.mass_graph, self.charge_graph = FactorGraph(size, dropout), FactorGraph(size, dropout)
        self.relate = FactorMLP(3 * size, size, dropout)
        self.mass = nn.Linear(size, 1)
        self.charge = nn.Linear(size, CHARGE_KINDS)

    def forward(self, video: VideoMotion, shape: Tensor, there: Tensor) -> Evidence:
        """Evidence of videos; shape [V, N, 3], there [V, N] is false for padding."""
        objects = there.shape[1]
        edges = DirectedEdges.of(there, self.pairs)
        shown = there.flatten()
        index = (shown.long().cumsum(0) - 1)[edges.index]  # among the objects that are there
        tracks = box_tracks(video, shape).flatten(0, 1)[shown]
        nodes, _ = self.mass_graph(tracks, index, objects)
        heavy = nodes.new_zeros(len(shown), 1).index_put((shown.nonzero().squeeze(1),), self.mass(nodes))
        nodes, messages = self.charge_graph(tracks, index, objects)
        related = self.relate(torch.cat([of_edges(nodes, index), messages], dim=-1))
        return edges.evidence(heavy, self.charge(related), there, self.pairs)


def of_edges(nodes: Tensor, edge_index: Tensor) -> Tensor:
    """[Y, 2 size]: the receiver and the source of every edge."""
    source, receiver = edge_index
    return torch.cat([nodes[receiver], nodes[source]], dim=-1)


def box_tracks(video: VideoMotion, shape: Tensor) -> Tensor:
    """[V, N, INPUTS]: at every frame the shape, the box (centre, width, height) and how it has changed since the frame
    before, each on a scale of about 1; 0 where it is not seen."""
    boxes, seen = video.tracks.boxes, video.tracks.present
    missing = FRAMES - boxes.shape[1]
    if missing < 0:
        raise ValueError(f"Expected videos of at most {FRAMES} frames (got {boxes.shape[1]}).")
    low, high = boxes[..., :2], boxes[..., 2:]
    found = torch.cat([(low + high) / 2, high - low], dim=-1)  # [V, T, N, 4]
    moved = torch.cat([torch.zeros_like(found[:, :1]), found[:, 1:] - found[:, :-1]], dim=1) * _SCALE_OF_CHANGES
    found = (found - found.new_tensor(_TYPICAL)) * found.new_tensor(_SCALE)
    before = torch.cat([seen[:, :1], seen[:, :-1]], dim=1)
    parts = [torch.where(seen[..., None], found, _MISSING), torch.where((seen & before)[..., None], moved, _MISSING)]
    whole = nn.functional.pad(torch.cat(parts, dim=-1), (0, 0, 0, 0, 0, missing), value=_MISSING)
    shapes = shape[:, None].expand(-1, FRAMES, -1, -1)
    return torch.cat([shapes, whole], dim=-1).transpose(1, 2).flatten(2)
