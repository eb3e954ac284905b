"""Learning what objects look like, without labels.

A detector of one class may forget colours. Two tasks keep them in the features: repainting the region from them, and
recognising an object at another time of the same video among the others there.

Shapes: B images, R regions of an image, D features, P pixels along a repainted region's side.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from torchvision.ops import roi_align

from models.perceiver.detection.boxes import of_images

PAINTED: Final = 12  # pixels along a side
TEMPERATURE: Final = 0.1


class Painter(nn.Module):
    """Repaints a region from its features; needed while training only."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, features), nn.ReLU(), nn.Linear(features, 3 * PAINTED * PAINTED)
        )

    def forward(self, looks: Tensor) -> Tensor:
        """[B, R, D] to [B, R, 3, P, P]."""
        return self.layers(looks).unflatten(-1, (3, PAINTED, PAINTED))


def repainting_loss(painted: Tensor, images: Tensor, regions: Tensor, hit: Tensor) -> Tensor:
    """Mean absolute difference to the region of the image, over regions that are hits."""
    crops = roi_align(images.float(), of_images(regions), PAINTED, sampling_ratio=2, aligned=True)
    difference = (painted.float().flatten(0, 1) - crops).abs().mean(dim=(1, 2, 3)).reshape(regions.shape[:2])
    return (difference * hit).sum() / hit.sum().clamp(min=1)


def recognition_loss(looks: Tensor, owners: Tensor, videos: Tensor, hit: Tensor) -> Tensor:
    """Each hit must find those of the same object among all hits of its video: cross-entropy over cosines.

    `owners` [B, R] names the object of each region, `videos` [B, R] its video.
    """
    unit = functional.normalize(looks.flatten(0, 1), dim=1)
    owner, video, valid = owners.flatten(), videos.flatten(), hit.flatten()
    alike = (unit @ unit.T) / TEMPERATURE
    itself = torch.eye(len(unit), dtype=torch.bool, device=unit.device)
    rivals = (video[:, None] == video) & valid[:, None] & valid & ~itself
    same = (owner[:, None] == owner) & rivals
    chances = alike.masked_fill(~rivals, -1e4).log_softmax(dim=1)
    found = (chances * same).sum(dim=1) / same.sum(dim=1).clamp(min=1)
    asked = same.any(dim=1) & (rivals & ~same).any(dim=1)
    return -(found * asked).sum() / asked.sum().clamp(min=1)
