"""The detector's interface: the rest of the perceiver uses nothing else of it.

Shapes: B frames, K detections of a frame (padded), D features.
"""

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

FEATURES = 512  # of a region, from the last stage of the backbone


@dataclass(frozen=True)
class Detections:
    """Objects of B frames, best first. boxes [B, K, 4] in pixels, scores [B, K] (0 where there is none), features
    [B, K, D]."""

    boxes: Tensor
    scores: Tensor
    features: Tensor

    def cpu(self) -> "Detections":
        return Detections(self.boxes.cpu(), self.scores.cpu(), self.features.cpu())


class Detector(Protocol):
    """Finds objects in frames and describes regions of them."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frames it takes."""
        ...

    def detect(self, frames: Tensor) -> Detections:
        """Objects of frames [B, H, W, 3], 8-bit RGB."""
        ...

    def describe(self, frames: Tensor, regions: Tensor) -> Tensor:
        """Features [B, R, D] of regions [B, R, 4] of the frames."""
        ...
