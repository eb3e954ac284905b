"""Self-supervised losses that make a region's features an appearance embedding.

A detector of one class may forget colours. Two losses keep them in the features: reconstruction of the region's pixels,
and a contrastive loss, which tells an object at another time of its video from the other objects there.

Shapes: B images, R regions of an image, D features, P pixels along a reconstructed region's side.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from torchvision.ops import roi_align

from models.perceiver.detection.boxes import of_images

RECONSTRUCTED: Final = 12  # pixels along a side
TEMPERATURE: Final = 0.1


class ReconstructionHead(nn.Module):
    """A decoder from a region's features to its pixels; needed for training only."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, features), nn.ReLU(), nn.Linear(features, 3 * RECONSTRUCTED * RECONSTRUCTED)
        )

    def forward(self, embeddings: Tensor) -> Tensor:
        """[B, R, D] to [B, R, 3, P, P]."""
        return self.layers(embeddings).unflatten(-1, (3, RECONSTRUCTED, RECONSTRUCTED))


def reconstruction_loss(painted: Tensor, images: Tensor, regions: Tensor, hit: Tensor) -> Tensor:
    """Mean absolute (L1) error of the pixels, over regions that are positive examples (`hit`)."""
    crops = roi_align(images.float(), of_images(regions), RECONSTRUCTED, sampling_ratio=2, aligned=True)
    difference = (painted.float().flatten(0, 1) - crops).abs().mean(dim=(1, 2, 3)).reshape(regions.shape[:2])
    return (difference * hit).sum() / hit.sum().clamp(min=1)


def contrastive_loss(embeddings: Tensor, owners: Tensor, videos: Tensor, hit: Tensor) -> Tensor:
    """Supervised contrastive loss (SupCon, InfoNCE with several positives) on cosine similarities within each video.

    Positives are the other hits of the same object, negatives those of other objects of the video. `owners` [B, R] numbers
    the object of each region, `videos` [B, R] its video.
    """
    unit = functional.normalize(embeddings.flatten(0, 1), dim=1)
    owner, video, valid = owners.flatten(), videos.flatten(), hit.flatten()
    similarity = (unit @ unit.T) / TEMPERATURE
    itself = torch.eye(len(unit), dtype=torch.bool, device=unit.device)
    candidates = (video[:, None] == video) & valid[:, None] & valid & ~itself
    same = (owner[:, None] == owner) & candidates
    log_probabilities = similarity.masked_fill(~candidates, -1e4).log_softmax(dim=1)
    found = (log_probabilities * same).sum(dim=1) / same.sum(dim=1).clamp(min=1)
    usable = same.any(dim=1) & (candidates & ~same).any(dim=1)
    return -(found * usable).sum() / usable.sum().clamp(min=1)
