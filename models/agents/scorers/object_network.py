"""A transformer that scores actions from the parts of objects instead of pixels.

Shapes: B pairs, M parts, K balls of the player, H hidden units.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.agents.contract import Puzzle
from models.agents.scorers.parts import PART_SIZE, Column, balls_of, mirrored, mirrored_actions, parts_of, seen_from
from models.agents.scorers.scorer import ActionScorer


@dataclass(frozen=True)
class ObjectNetworkSettings:
    hidden: int = 128
    heads: int = 4
    scene_layers: int = 2  # self-attention among parts, once for a puzzle
    action_layers: int = 2  # self-attention among parts, for each action
    octaves: int = 6  # of the Fourier features of lengths; the shortest wave of 6 is 16 pixels long

    def __post_init__(self) -> None:
        if min(self.hidden, self.heads, self.action_layers, self.octaves) < 1 or self.scene_layers < 0:
            raise ValueError(f"expected hidden, heads, action_layers and octaves of at least 1 (got {self})")
        if self.hidden % self.heads:
            raise ValueError(f"expected hidden to be a multiple of heads (got {self.hidden} and {self.heads})")


class ObjectNetwork(ActionScorer):
    """Each part of the scene is a token. To each token is added an embedding of the action: where its balls are relative to
    the part, along it, across it and how far away. Self-attention then lets what a ball does to one part matter to another,
    and a max pool over the tokens gives the logit. Nothing depends on the order of parts or of balls.

    A network on pictures has to learn distances from pixels; here they are given, so that far fewer tried actions are needed
    and scoring a thousand actions costs little.
    """

    bf16 = False  # positions to a pixel in 256 need more digits

    def __init__(self, settings: ObjectNetworkSettings) -> None:
        super().__init__()
        hidden, waves = settings.hidden, 2 * settings.octaves
        self._octaves = settings.octaves
        self.part = _mlp(PART_SIZE + 2 * waves, hidden)
        self.scene = _transformer(settings, settings.scene_layers)
        self.ball = _mlp(5 * (1 + waves) + 3, hidden)
        self.action = _transformer(settings, settings.action_layers)
        self.head = nn.Sequential(nn.LayerNorm(hidden), _mlp(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def observe(self, puzzles: Sequence[Puzzle]) -> Tensor:
        return parts_of([puzzle.scene for puzzle in puzzles])

    def encode(self, views: Tensor) -> Tensor:
        """[B, M, 16 + H]: the parts, and the embedding of each in its scene."""
        parts = views[:, : int(views[..., Column.PRESENT].sum(dim=1).max())]
        places = parts[..., Column.X : Column.Y + 1]
        known = self.part(torch.cat([parts, self._waves(places)], dim=-1))
        for layer in self.scene:
            known = layer(known, src_key_padding_mask=parts[..., Column.PRESENT] == 0)
        return torch.cat([parts, known], dim=-1)

    def score(self, features: Tensor, actions: Tensor) -> Tensor:
        parts, known = features[..., :PART_SIZE], features[..., PART_SIZE:]
        absent = parts[..., Column.PRESENT] == 0
        balls = balls_of(actions)
        where = seen_from(balls, parts)
        itself = balls[:, :, None].expand(*where.shape[:-1], 3)
        known = known + self.ball(torch.cat([where, self._waves(where), itself], dim=-1)).sum(dim=1)
        for layer in self.action:
            known = layer(known, src_key_padding_mask=absent)
        logits: Tensor = self.head(known.masked_fill(absent[..., None], -torch.inf).amax(dim=1)).squeeze(-1)
        return logits

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        return mirrored(views), mirrored_actions(actions)

    def _waves(self, lengths: Tensor) -> Tensor:
        """Fourier features of lengths [..., L]: sines and cosines in octaves [..., L * 2 octaves]."""
        octaves = math.pi * 2.0 ** torch.arange(self._octaves, device=lengths.device)
        phases = (lengths[..., None] * octaves).flatten(-2)
        return torch.cat([phases.sin(), phases.cos()], dim=-1)


def _mlp(entering: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(entering, hidden), nn.GELU(), nn.Linear(hidden, hidden))


def _transformer(settings: ObjectNetworkSettings, layers: int) -> nn.ModuleList:
    hidden = settings.hidden
    return nn.ModuleList(
        nn.TransformerEncoderLayer(
            hidden, settings.heads, 2 * hidden, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        for _ in range(layers)
    )
