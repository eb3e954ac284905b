"""A ResNet-18 without its head, as far as networks of agents share it.

Shapes: B pictures with C channels, W the width (64 in a ResNet-18), S the side of a picture.
"""

from typing import Final

from torch import nn
from torchvision.models.resnet import BasicBlock

BLOCKS: Final = 2  # in each of the four stages


def resnet_backbone(channels: int, width: int, stages: int = 4) -> nn.Sequential:
    """The first stages: [B, C, S, S] to [B, 8 W, S / 32, S / 32] by all four."""
    widths = [width * 2**stage for stage in range(stages)]
    return nn.Sequential(
        nn.Conv2d(channels, width, 7, stride=2, padding=3, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, stride=2, padding=1),
        residual_stage(width, width, stride=1),
        *(residual_stage(entering, 2 * entering, stride=2) for entering in widths[:-1]),
    )


def residual_stage(entering: int, leaving: int, stride: int) -> nn.Sequential:
    shortcut = None
    if stride != 1 or entering != leaving:
        shortcut = nn.Sequential(nn.Conv2d(entering, leaving, 1, stride=stride, bias=False), nn.BatchNorm2d(leaving))
    first = BasicBlock(entering, leaving, stride, shortcut)
    return nn.Sequential(first, *(BasicBlock(leaving, leaving) for _ in range(BLOCKS - 1)))
