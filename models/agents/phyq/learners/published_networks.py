"""The published networks, from a view to Q-values of 180 release degrees.

Shapes: views [B, C, 120, 160] to [B, 180]; F channels of a feature map, N places of it.
"""

import torch
from torch import Tensor, nn

from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES
from models.agents.phyq.learners.views import COLUMNS, ROWS
from models.agents.resnet import resnet_backbone


class DuelingHead(nn.Module):
    """Q = V + A - mean A (dueling DQN)."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.value = _mlp(features, hidden, 1)
        self.advantage = _mlp(features, hidden, DEGREES)

    def forward(self, features: Tensor) -> Tensor:
        advantage = self.advantage(features)
        found: Tensor = self.value(features) + advantage - advantage.mean(dim=1, keepdim=True)
        return found


class SymbolicDDQN(nn.Module):
    """Planes are squeezed to one, on which filters of its full size look for what is where."""

    def __init__(self, channels: int, filters: int, hidden: int) -> None:
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(channels, 1, 1),
            nn.LeakyReLU(),
            nn.Flatten(),
            nn.LayerNorm(ROWS * COLUMNS),
            nn.Linear(ROWS * COLUMNS, filters),  # a convolution with filters of the size of its input
            nn.LeakyReLU(),
            nn.LayerNorm(filters),
            nn.Linear(filters, 2 * hidden),
            nn.LeakyReLU(),
        )
        self.head = DuelingHead(2 * hidden, hidden)

    def forward(self, views: Tensor) -> Tensor:
        found: Tensor = self.head(self.encoder(views))
        return found


class ImageDDQN(nn.Module):
    """A ResNet-18 and dueling heads."""

    def __init__(self, channels: int, width: int, hidden: int) -> None:
        super().__init__()
        self.trunk = resnet_backbone(channels, width)
        self.features = nn.Linear(8 * width, hidden)
        self.head = DuelingHead(hidden, hidden)

    def forward(self, views: Tensor) -> Tensor:
        found: Tensor = self.head(self.features(self.trunk(views).mean(dim=(2, 3))).relu())
        return found


class RelationalDQN(nn.Module):
    """Multi-head dot-product attention over the places of a ResNet-18's feature map, with their coordinates."""

    HEADS = 4

    def __init__(self, channels: int, width: int, hidden: int) -> None:
        super().__init__()
        entering, attending = 8 * width + 2, self.HEADS * hidden
        self.trunk = resnet_backbone(channels, width)
        self.entering = nn.Linear(entering, attending)
        self.attention = nn.MultiheadAttention(attending, self.HEADS, batch_first=True)
        self.norm = nn.LayerNorm(attending)
        self.leaving = nn.Linear(attending, hidden)
        self.actions = nn.Linear(hidden, DEGREES)

    def forward(self, views: Tensor) -> Tensor:
        places = self.entering(_with_coordinates(self.trunk(views)).flatten(2).transpose(1, 2))  # [B, N, F]
        related, _ = self.attention(places, places, places, need_weights=False)
        strongest = self.leaving(self.norm(related)).relu().amax(dim=1)
        return nn.functional.elu(self.actions(strongest))


def _with_coordinates(features: Tensor) -> Tensor:
    """Two more channels: how far down and right a place is, from -1 to 1."""
    batch, _, height, width = features.shape
    down, right = (torch.linspace(-1.0, 1.0, size, device=features.device) for size in (height, width))
    grid = torch.stack(torch.meshgrid(down, right, indexing="ij"))
    return torch.cat([features, grid.to(features.dtype).expand(batch, -1, -1, -1)], dim=1)


def _mlp(entering: int, hidden: int, leaving: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(entering, hidden), nn.LeakyReLU(), nn.Linear(hidden, leaving))
