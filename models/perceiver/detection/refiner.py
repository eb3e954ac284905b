"""Box refinement: a small network looks at the picture around each detected box and places its edges to a fraction of a
pixel.

The region head reads boxes off a feature map of stride 16, with errors that stay the same for many frames: a smoother of the
motion cannot average them out. The refiner keeps the picture's resolution. Each edge gets a distribution over the places
along its axis, whose mean is the edge (integral regression).

Shapes: B frames, R boxes of a frame, G cells along a crop's side, C channels.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torchvision.ops import roi_align

from models.perceiver.detection.boxes import of_images

CHANNELS: Final = 32
DILATIONS: Final = (1, 2, 4, 2, 1)  # of the residual blocks: together they see the whole crop
MARGIN: Final = 0.25  # of a box's sides, by which a crop is larger at each end
JITTER: Final = 0.08  # of a box's sides: the largest error of an edge in training


class BoxRefiner(nn.Module):
    def __init__(self, grid: int) -> None:
        super().__init__()
        self._grid = grid
        self.stem = nn.Sequential(nn.Conv2d(3, CHANNELS, 3, padding=1, bias=False), nn.BatchNorm2d(CHANNELS), nn.ReLU())
        self.blocks = nn.ModuleList(_Block(dilation) for dilation in DILATIONS)
        self.columns = _edge_scores()  # of the left and right edge, at each column
        self.rows = _edge_scores()  # of the upper and lower edge, at each row

    def forward(self, images: Tensor, boxes: Tensor, chosen: Tensor | None = None) -> Tensor:
        """Boxes [B, R, 4] of images [B, 3, H, W] with refined edges; where `chosen` [B, R] is not, they stay as they are. In
        single precision: half of it cannot tell places that are a tenth of a pixel apart."""
        rows = slice(None) if chosen is None else chosen.flatten().nonzero().squeeze(1)
        crops = _crops(boxes)
        found = boxes.flatten(0, 1).clone()
        with torch.autocast(images.device.type, enabled=False):
            found[rows] = self._placed(images.float(), of_images(crops)[rows], crops.flatten(0, 1)[rows])
        return found.view_as(boxes)

    def _placed(self, images: Tensor, regions: Tensor, crops: Tensor) -> Tensor:
        """Boxes [n, 4] within crops [n, 4], which are the regions [n, 5] of images."""
        seen = roi_align(images, regions, self._grid, sampling_ratio=1, aligned=True)
        seen = self.stem(seen.contiguous(memory_format=torch.channels_last))
        for block in self.blocks:
            seen = block(seen)
        across = self.columns(torch.cat([seen.mean(dim=2), seen.amax(dim=2)], dim=1))
        down = self.rows(torch.cat([seen.mean(dim=3), seen.amax(dim=3)], dim=1))
        scores = torch.stack([across[:, 0], down[:, 0], across[:, 1], down[:, 1]], dim=1)  # [n, 4, G]
        cells = (torch.arange(self._grid, device=scores.device) + 0.5) / self._grid
        places = (scores.softmax(dim=-1) * cells).sum(dim=-1)
        corner, size = crops[:, :2], crops[:, 2:] - crops[:, :2]
        return corner.repeat(1, 2) + places * size.repeat(1, 2)


def refinement_loss(refiner: BoxRefiner, images: Tensor, truth: Tensor) -> Tensor:
    """Mean absolute error of edges in tenths of a box's sides, from true boxes [B, R, 4] whose edges were moved at random;
    boxes of zero area do not count."""
    size = (truth[..., 2:] - truth[..., :2]).repeat(1, 1, 2)
    real = (size > 0).all(dim=-1)
    moved = truth + size * JITTER * (2 * torch.rand_like(truth) - 1)
    found = refiner(images, torch.where(real[..., None], moved, truth.new_tensor([0.0, 0.0, 16.0, 16.0])))
    error = (found - truth).abs() / size.clamp(min=1)
    return 10 * (error.mean(dim=-1) * real).sum() / real.sum().clamp(min=1)


class _Block(nn.Module):
    """A residual block that keeps the resolution."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=dilation, dilation=dilation, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
        )

    def forward(self, seen: Tensor) -> Tensor:
        return torch.relu(seen + self.layers(seen))


def _edge_scores() -> nn.Sequential:
    """From what columns or rows of a crop show [B, 2 C, G] to the scores of two edges [B, 2, G]."""
    return nn.Sequential(
        nn.Conv1d(2 * CHANNELS, 2 * CHANNELS, 5, padding=2), nn.ReLU(), nn.Conv1d(2 * CHANNELS, 2, 5, padding=2)
    )


def _crops(boxes: Tensor) -> Tensor:
    """Boxes [B, R, 4], enlarged on all sides."""
    margin = MARGIN * (boxes[..., 2:] - boxes[..., :2]).clamp(min=1)
    return torch.cat([boxes[..., :2] - margin, boxes[..., 2:] + margin], dim=-1)
