"""The paper's physical property inferencer (Eq. 2): a video's objects as a graph of whole paths in the picture.

A path is read as one vector, so that what is learned of one moment and one place of the picture says nothing of others.

Shapes: V videos, T frames, N objects, Y directed edges, P pairs.
"""

from typing import Final

from torch import Tensor, nn

from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.properties.inferencer import CHARGE_KINDS, DirectedEdges, Evidence, Round
from models.pcr.tracks.observed import Sight
from models.perceiver.representation import all_pairs

FRAMES: Final = TARGET_VISIBLE_FRAMES  # of a path; what a shorter video does not show is zero


class PaperInferencer(nn.Module):
    pairs: Tensor

    def __init__(self, objects: int, size: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("pairs", all_pairs(objects), persistent=False)
        self.embed = nn.Sequential(nn.Linear(2 * FRAMES, size), nn.SiLU(), nn.Linear(size, size))
        self.rounds = nn.ModuleList(Round(size, 0, size, recalls=False) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        self.mass = nn.Linear(size, 1)
        self.charge = nn.Linear(size, CHARGE_KINDS)

    def forward(self, sight: Sight, shape: Tensor, there: Tensor) -> Evidence:
        """Videos as they are seen; there [V, N]. What shape the objects have makes no difference here."""
        videos, objects = there.shape
        edges = DirectedEdges.of(there, self.pairs)
        nodes = self.embed(paths(sight).flatten(0, 1))
        nothing = nodes.new_zeros(len(edges.video), 0)
        for layer in self.rounds:
            nodes, messages = layer(nodes, edges.index, nothing)
        heavy = self.mass(self.dropout(nodes)).reshape(videos, objects) * there
        return Evidence(heavy, edges.by_pair(self.charge(self.dropout(messages)), videos, self.pairs))


def paths(sight: Sight) -> Tensor:
    """p_n: [V, N, 2 * FRAMES], an object's middle in the picture at all frames, zero where it is absent."""
    seen = sight.tracks.centre * sight.tracks.present[..., None]
    missing = FRAMES - seen.shape[1]
    if missing < 0:
        raise ValueError(f"Expected videos of at most {FRAMES} frames (got {seen.shape[1]}).")
    return nn.functional.pad(seen.transpose(1, 2).flatten(2), (0, 2 * missing))
