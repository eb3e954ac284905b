"""The network of DQN: a ResNet-18 on the observation, told the action before its last stage.

Shapes: B pairs of D = 3 K numbers for K balls, W the width (64 in a ResNet-18), S the side of the picture that the
network sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d
from torchvision.models.resnet import BasicBlock

from comphy.puzzles.phyre.world.observation import NUM_COLORS
from models.agents.contract import Puzzle
from models.agents.scorers.parts import balls_of, mirrored_actions
from models.agents.scorers.scorer import Judge

BLOCKS: Final = 2  # in each of the four stages
_OFFSETS: Final = 4.0  # are told in quarters of the scene's side, to count as much as the action's own numbers


@dataclass(frozen=True)
class DQNNetwork:
    width: int = 64  # channels of the first stage
    hidden: int = 256  # units between the action and what it does to the features
    pooling: int = 1  # pixels of the observation, along a side, that become one; 2 leaves a quarter of them
    placed: bool = False  # each place is also told where the balls are, seen from there; the paper tells all the same

    def __post_init__(self) -> None:
        if min(self.width, self.hidden, self.pooling) < 1:
            raise ValueError(f"expected width, hidden and pooling of at least 1 (got {self})")


class DQN(Judge):
    """Colours become one-hot channels. The action scales and shifts the channels that enter the last stage (FiLM); the
    greatest value of each channel that leaves it makes the logit."""

    def __init__(self, network: DQNNetwork, action_size: int) -> None:
        super().__init__()
        width, self._pooling, self._placed = network.width, network.pooling, network.placed
        self.eyes = nn.Sequential(
            nn.Conv2d(NUM_COLORS, width, 7, stride=2, padding=3, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, stride=2, padding=1),
            _stage(width, width, stride=1),
            _stage(width, 2 * width, stride=2),
            _stage(2 * width, 4 * width, stride=2),
        )
        told = action_size + (2 * action_size // 3 if network.placed else 0)
        self.action = nn.Sequential(
            nn.Linear(told, network.hidden), nn.ReLU(inplace=True), nn.Linear(network.hidden, 8 * width)
        )
        self.last_stage = _stage(4 * width, 8 * width, stride=2)
        self.head = nn.Linear(8 * width, 1)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def see(self, puzzles: Sequence[Puzzle]) -> Tensor:
        """Observations [P, 256, 256], uint8."""
        return torch.from_numpy(np.stack([puzzle.image() for puzzle in puzzles]))

    def encode(self, views: Tensor) -> Tensor:
        """[B, 4 W, S / 16, S / 16]"""
        colors = torch.arange(NUM_COLORS, dtype=torch.uint8, device=views.device)
        channels = (views[:, None] == colors[:, None, None]).float()
        if self._pooling > 1:
            channels = avg_pool2d(channels, self._pooling)
        features: Tensor = self.eyes(channels.contiguous(memory_format=torch.channels_last))
        return features

    def judge(self, features: Tensor, actions: Tensor) -> Tensor:
        told = seen_from_places(actions, features.shape[-1]) if self._placed else actions[:, None, None]
        gain, bias = self.action(told).movedim(-1, 1).chunk(2, dim=1)
        last = self.last_stage(features * (1.0 + gain) + bias)
        with torch.autocast(last.device.type, enabled=False):
            logits: Tensor = self.head(last.amax(dim=(2, 3)).float()).squeeze(-1)
        return logits

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        return views.flip(-1), mirrored_actions(actions)


def seen_from_places(actions: Tensor, side: int) -> Tensor:
    """[B, side, side, 5 K]: actions [B, 3 K], and how far right of and above each place of a grid their balls are."""
    middles = (torch.arange(side, device=actions.device) + 0.5) / side
    rows, columns = torch.meshgrid(middles, middles, indexing="ij")
    balls = balls_of(actions)[:, None, None, :, :2]
    offsets = _OFFSETS * (balls - torch.stack([columns, rows], dim=-1)[:, :, None])
    return torch.cat([actions[:, None, None].expand(-1, side, side, -1), offsets.flatten(3)], dim=-1)


def _stage(entering: int, leaving: int, stride: int) -> nn.Sequential:
    shortcut = None
    if stride != 1 or entering != leaving:
        shortcut = nn.Sequential(nn.Conv2d(entering, leaving, 1, stride=stride, bias=False), nn.BatchNorm2d(leaving))
    first = BasicBlock(entering, leaving, stride, shortcut)
    return nn.Sequential(first, *(BasicBlock(leaving, leaving) for _ in range(BLOCKS - 1)))
