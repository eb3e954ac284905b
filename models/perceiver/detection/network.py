"""The parts of a Faster R-CNN (C4 variant) with a ResNet backbone: feature map, region proposal network and region head.

The backbone ends after the third stage (stride 16); the fourth stage is the region head, whose 512 averaged
features describe an object. Everything runs on whole batches: torchvision's own detector loops over images in Python,
which leaves a fast GPU idle.

Shapes: B images, A anchors of an image, R regions of an image, S = R * B regions of a batch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

import torch
from torch import Tensor, nn
from torchvision.models import ResNet, resnet18, resnet34
from torchvision.ops import roi_align

from comphy.errors import did_you_mean
from models.perceiver.detection.boxes import of_images

DEFAULT, DETECTRON2 = "torchvision_batched", "detectron2"
IMPLEMENTATIONS: Final = (DEFAULT, DETECTRON2)
BACKBONES: Final[dict[str, Callable[[], ResNet]]] = {"resnet34": resnet34, "resnet18": resnet18}
STRIDE: Final = 16
BACKBONE_CHANNELS: Final = 256


@dataclass(frozen=True)
class DetectorSettings:
    """The architecture; a checkpoint fits only the settings it was trained with."""

    RENAMED: ClassVar[Mapping[str, str]] = {"trunk": "backbone"}

    width: int = 480
    height: int = 320
    anchor_sizes: tuple[float, ...] = (26.0, 40.0, 62.0)
    region_grid: int = 14  # RoIAlign samples along a region's side, halved by the head
    proposals: int = 12  # regions per frame that the region head scores
    detections: int = 8  # detections kept per frame
    backbone: str = "resnet34"  # or resnet18, half as large
    refinement_grid: int = 64  # cells along a side of what the box refiner sees of an object; 0: boxes are not refined
    implementation: str = DEFAULT  # or detectron2, for those who have it

    def __post_init__(self) -> None:
        if self.implementation not in IMPLEMENTATIONS:
            known = did_you_mean(self.implementation, IMPLEMENTATIONS)
            raise ValueError(f"unknown implementation of the detector '{self.implementation}'; {known}")
        if self.implementation == DETECTRON2 and self.refinement_grid:
            raise ValueError(f"expected refinement_grid 0: detectron2 has no box refiner (got {self.refinement_grid})")
        if self.backbone not in BACKBONES:
            raise ValueError(f"unknown backbone '{self.backbone}'; {did_you_mean(self.backbone, BACKBONES)}")
        if self.width * 2 != self.height * 3 or self.width % (3 * STRIDE):
            raise ValueError(
                f"expected a 3:2 picture whose width {3 * STRIDE} divides, such as 480x320 or 240x160 "
                f"(got {self.width}x{self.height})"
            )


class Backbone(nn.Module):
    """The backbone: a ResNet up to its third stage."""

    def __init__(self, backbone: str) -> None:
        super().__init__()
        net = BACKBONES[backbone]()
        self.stem = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool)
        self.stages = nn.Sequential(net.layer1, net.layer2, net.layer3)

    def forward(self, images: Tensor) -> Tensor:
        """[B, 3, H, W] to [B, 256, H / 16, W / 16]."""
        features: Tensor = self.stages(self.stem(images))
        return features


class ProposalHead(nn.Module):
    """The region proposal network (RPN): objectness scores and box deltas of anchors."""

    def __init__(self, anchors_per_place: int) -> None:
        super().__init__()
        self.mix = nn.Sequential(nn.Conv2d(BACKBONE_CHANNELS, BACKBONE_CHANNELS, 3, padding=1), nn.ReLU())
        self.score = nn.Conv2d(BACKBONE_CHANNELS, anchors_per_place, 1)
        self.move = nn.Conv2d(BACKBONE_CHANNELS, 4 * anchors_per_place, 1)
        for layer in (self.score, self.move):
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.constant_(layer.get_parameter("bias"), 0.0)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Scores [B, A] and deltas [B, A, 4]; anchors in order of row, column, size."""
        mixed = self.mix(features)
        scores = self.score(mixed).permute(0, 2, 3, 1).flatten(1)
        moves = self.move(mixed).permute(0, 2, 3, 1).reshape(len(features), -1, 4)
        return scores, moves


def anchor_boxes(settings: DetectorSettings) -> Tensor:
    """[A, 4]: squares of every size centred on every cell of the feature map."""
    rows, columns = settings.height // STRIDE, settings.width // STRIDE
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    centres = (torch.stack([x, y], dim=-1).reshape(-1, 1, 2) + 0.5) * STRIDE
    half = torch.tensor(settings.anchor_sizes).reshape(1, -1, 1) / 2
    return torch.cat([centres - half, centres + half], dim=-1).reshape(-1, 4)


class RegionHead(nn.Module):
    """The R-CNN head: objectness, box deltas and appearance embedding of regions."""

    def __init__(self, features: int, grid: int, backbone: str) -> None:
        super().__init__()
        self._grid = grid
        self.stage = BACKBONES[backbone]().layer4
        self.look = nn.Linear(features, features)
        self.score = nn.Linear(features, 1)
        self.move = nn.Linear(features, 4)
        nn.init.normal_(self.score.weight, std=0.01)
        nn.init.normal_(self.move.weight, std=0.001)
        for layer in (self.score, self.move):
            nn.init.zeros_(layer.bias)

    def pool(self, features: Tensor, regions: Tensor) -> Tensor:
        """RoIAlign, the last ResNet stage and average pooling: features [B, R, D] of regions [B, R, 4]."""
        # In float32: half precision cannot represent box coordinates to a pixel.
        grid = roi_align(features.float(), of_images(regions), self._grid, 1 / STRIDE, sampling_ratio=1, aligned=True)
        pooled: Tensor = self.stage(grid).mean(dim=(2, 3))
        return pooled.reshape(*regions.shape[:2], -1)

    def embed(self, pooled: Tensor) -> Tensor:
        """Appearance embeddings [B, R, D]: a projection separate from detection, which does not need colours."""
        appearance: Tensor = self.look(pooled)
        return appearance

    def predict(self, pooled: Tensor) -> tuple[Tensor, Tensor]:
        """Objectness logits [B, R] and box deltas [B, R, 4] from pooled features."""
        return self.score(pooled).squeeze(-1), self.move(pooled)


Module = TypeVar("Module", bound=nn.Module)


def on_device(module: Module, device: torch.device | str) -> Module:
    """Move a module to a device, in the channels-last memory format, in which convolutions are fastest."""
    return module.to(device=device, memory_format=torch.channels_last)  # type: ignore[call-overload]
