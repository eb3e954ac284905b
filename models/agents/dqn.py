"""The network of DQN: a ResNet-18 on the observation, told the action before its last stage.

Shapes: B pairs, W the width (64 in a ResNet-18), S the side of the picture that the network sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d
from torchvision.models.resnet import BasicBlock

from comphy.puzzles.phyre.render import NUM_COLORS
from models.agents.contract import Puzzle
from models.agents.judging import Judge
from models.agents.parts import mirrored_actions

BLOCKS: Final = 2  # in each of the four stages


@dataclass(frozen=True)
class DQNNetwork:
    width: int = 64  # channels of the first stage
    hidden: int = 256  # units between the action and what it does to the features
    pooling: int = 1  # pixels of the observation, along a side, that become one; 2 leaves a quarter of them

    def __post_init__(self) -> None:
        if min(self.width, self.hidden, self.pooling) < 1:
            raise ValueError(f"expected width, hidden and pooling of at least 1 (got {self})")


class DQN(Judge):
    """Colours become one-hot channels. The action scales and shifts the channels that enter the last stage (FiLM); the
    greatest value of each channel that leaves it makes the logit."""

    def __init__(self, network: DQNNetwork, action_size: int) -> None:
        super().__init__()
        width, self._pooling = network.width, network.pooling
        self.eyes = nn.Sequential(
            nn.Conv2d(NUM_COLORS, width, 7, stride=2, padding=3, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, stride=2, padding=1),
            _stage(width, width, stride=1),
            _stage(width, 2 * width, stride=2),
            _stage(2 * width, 4 * width, stride=2),
        )
        self.action = nn.Sequential(
            nn.Linear(action_size, network.hidden), nn.ReLU(inplace=True), nn.Linear(network.hidden, 8 * width)
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
        gain, bias = self.action(actions)[..., None, None].chunk(2, dim=1)
        last = self.last_stage(features * (1.0 + gain) + bias)
        with torch.autocast(last.device.type, enabled=False):
            logits: Tensor = self.head(last.amax(dim=(2, 3)).float()).squeeze(-1)
        return logits

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        return views.flip(-1), mirrored_actions(actions)


def _stage(entering: int, leaving: int, stride: int) -> nn.Sequential:
    shortcut = None
    if stride != 1 or entering != leaving:
        shortcut = nn.Sequential(nn.Conv2d(entering, leaving, 1, stride=stride, bias=False), nn.BatchNorm2d(leaving))
    first = BasicBlock(entering, leaving, stride, shortcut)
    return nn.Sequential(first, *(BasicBlock(leaving, leaving) for _ in range(BLOCKS - 1)))
