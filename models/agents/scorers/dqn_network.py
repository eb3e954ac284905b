"""The network of DQN: a ResNet-18 on the observation, conditioned on the action before its last stage (FiLM).

Shapes: B pairs of D = 3 K numbers for K balls, W the width (64 in a ResNet-18), S the side of the picture that the
network sees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d

from comphy.puzzles.phyre.world.observations.observation import NUM_COLORS
from models.agents.contract import Puzzle
from models.agents.resnet import residual_stage, resnet_backbone
from models.agents.scorers.parts import balls_of, mirrored_actions
from models.agents.scorers.scorer import ActionScorer

_OFFSET_SCALE: Final = 4.0  # offsets are in quarters of the scene's side, of the size of the action's own numbers


@dataclass(frozen=True)
class DQNNetwork:
    RENAMED: ClassVar[Mapping[str, str]] = {"placed": "relative_action"}

    width: int = 64  # channels of the first stage
    hidden: int = 256  # units of the MLP from the action to the FiLM gains and biases
    pooling: int = 1  # average pooling of the observation; 2 leaves a quarter of its pixels
    relative_action: bool = (
        False  # FiLM at each cell also sees the balls' offsets from it; in the paper it is the same everywhere
    )

    def __post_init__(self) -> None:
        if min(self.width, self.hidden, self.pooling) < 1:
            raise ValueError(f"expected width, hidden and pooling of at least 1 (got {self})")


class DQN(ActionScorer):
    """Colours become one-hot channels. The action scales and shifts the channels that enter the last stage (FiLM
    conditioning); a linear layer on the global max pool of that stage gives the logit."""

    def __init__(self, network: DQNNetwork, action_size: int) -> None:
        super().__init__()
        width, self._pooling, self._relative_action = network.width, network.pooling, network.relative_action
        self.backbone = resnet_backbone(NUM_COLORS, width, stages=3)
        inputs = action_size + (2 * action_size // 3 if network.relative_action else 0)
        self.film = nn.Sequential(
            nn.Linear(inputs, network.hidden), nn.ReLU(inplace=True), nn.Linear(network.hidden, 8 * width)
        )
        self.last_stage = residual_stage(4 * width, 8 * width, stride=2)
        self.head = nn.Linear(8 * width, 1)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def observe(self, puzzles: Sequence[Puzzle]) -> Tensor:
        """Observations [P, 256, 256], uint8."""
        return torch.from_numpy(np.stack([puzzle.image() for puzzle in puzzles]))

    def encode(self, views: Tensor) -> Tensor:
        """[B, 4 W, S / 16, S / 16]"""
        colors = torch.arange(NUM_COLORS, dtype=torch.uint8, device=views.device)
        channels = (views[:, None] == colors[:, None, None]).float()
        if self._pooling > 1:
            channels = avg_pool2d(channels, self._pooling)
        features: Tensor = self.backbone(channels.contiguous(memory_format=torch.channels_last))
        return features

    def score(self, features: Tensor, actions: Tensor) -> Tensor:
        inputs = relative_actions(actions, features.shape[-1]) if self._relative_action else actions[:, None, None]
        gain, bias = self.film(inputs).movedim(-1, 1).chunk(2, dim=1)
        last = self.last_stage(features * (1.0 + gain) + bias)
        with torch.autocast(last.device.type, enabled=False):
            logits: Tensor = self.head(last.amax(dim=(2, 3)).float()).squeeze(-1)
        return logits

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        return views.flip(-1), mirrored_actions(actions)


def relative_actions(actions: Tensor, side: int) -> Tensor:
    """[B, side, side, 5 K]: actions [B, 3 K], and the offsets of their balls from the middle of each cell of a grid."""
    middles = (torch.arange(side, device=actions.device) + 0.5) / side
    rows, columns = torch.meshgrid(middles, middles, indexing="ij")
    balls = balls_of(actions)[:, None, None, :, :2]
    offsets = _OFFSET_SCALE * (balls - torch.stack([columns, rows], dim=-1)[:, :, None])
    return torch.cat([actions[:, None, None].expand(-1, side, side, -1), offsets.flatten(3)], dim=-1)
