"""What the perceiver hands on: the objects of a set of videos, where they are in each, and what they look like.

Shapes: B sets, T frames of a target, R references of Tr frames, N objects, D features. Boxes are x0, y0, x1, y1 in
pixels, all zero where the object is absent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from models.perceiver.appearance import Array
from models.perceiver.tracker import Tracks


@dataclass(frozen=True)
class PerceivedVideo:
    """boxes [T, N, 4]; seen [T, N] tells detected boxes from those filled in."""

    boxes: Array
    seen: NDArray[np.bool_]

    def __post_init__(self) -> None:
        if self.boxes.ndim != 3 or self.boxes.shape != (*self.seen.shape, 4):
            raise ValueError(
                f"Expected boxes [T, N, 4] and seen [T, N] (got {self.boxes.shape} and {self.seen.shape})."
            )


@dataclass(frozen=True)
class PerceivedSet:
    """One set. The objects of all its videos are those of the target, in its order; features [N, D] are the target's.
    `width` and `height` are those of the picture the boxes are in."""

    index: int
    width: int
    height: int
    features: Array
    target: PerceivedVideo
    references: tuple[PerceivedVideo, ...]

    def __post_init__(self) -> None:
        objects = len(self.features)
        for video in (self.target, *self.references):
            if video.boxes.shape[1] != objects:
                raise ValueError(f"Expected {objects} objects in every video (got {video.boxes.shape[1]}).")
        if len({len(video.boxes) for video in self.references}) > 1:
            lengths = ", ".join(str(len(video.boxes)) for video in self.references)
            raise ValueError(f"Expected references of one length (got {lengths} frames).")

    def __len__(self) -> int:
        return len(self.features)

    @property
    def reference_boxes(self) -> Array:
        """[R, Tr, N, 4]."""
        return np.stack([video.boxes for video in self.references])

    @property
    def reference_seen(self) -> NDArray[np.bool_]:
        """[R, Tr, N]."""
        return np.stack([video.seen for video in self.references])


@dataclass(frozen=True)
class PerceivedBatch:
    """Sets as tensors, padded with zeros: indices [B], objects [B] (how many there are), features [B, N, D], target
    [B, T, N, 4], target_seen [B, T, N], references [B, R, Tr, N, 4], reference_seen [B, R, Tr, N]."""

    width: int
    height: int
    indices: Tensor
    objects: Tensor
    features: Tensor
    target: Tensor
    target_seen: Tensor
    references: Tensor
    reference_seen: Tensor

    def to(self, device: str) -> "PerceivedBatch":
        moved = {name: value.to(device) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return PerceivedBatch(self.width, self.height, **moved)


def assemble(
    index: int,
    size: tuple[int, int],
    target: Tracks,
    references: Sequence[Tracks],
    assignments: Sequence[NDArray[np.intp]],
) -> PerceivedSet:
    """A set from its tracks, given the target track of each reference track (-1 for none: such tracks are left out)."""
    width, height = size
    videos = tuple(
        _reordered(tracks, owners, len(target)) for tracks, owners in zip(references, assignments, strict=True)
    )
    return PerceivedSet(index, width, height, target.features, PerceivedVideo(target.boxes, target.seen), videos)


def _reordered(tracks: Tracks, owners: NDArray[np.intp], objects: int) -> PerceivedVideo:
    known = owners >= 0
    boxes = np.zeros((len(tracks.boxes), objects, 4), np.float32)
    seen = np.zeros((len(tracks.boxes), objects), np.bool_)
    boxes[:, owners[known]], seen[:, owners[known]] = tracks.boxes[:, known], tracks.seen[:, known]
    return PerceivedVideo(boxes, seen)
