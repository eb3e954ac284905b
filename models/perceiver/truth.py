"""True boxes for training and scoring a detector. The perceiver uses no other labels.

Shapes: B frames, G boxes of a frame, padded with zeros.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.dataset.frames import FrameKey
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.sources.source import VideoLengths, VideoSource
from comphy.errors import DatasetError
from comphy.evaluation.perception.detection import pairwise_iou

MOST_OBJECTS: Final = 5
# Objects below are slivers at the picture's edge or behind others: a detector need not find them, and may.
LEAST_VISIBILITY: Final = 0.15
LEAST_SIDE: Final = 8.0  # pixels at the standard width
STANDARD_WIDTH: Final = 480
MATCH: Final = 0.5  # IoU from which a box matches a true one


def asked_for(video: VideoBoxes, width: int) -> NDArray[np.bool_]:
    """[frames, objects]: which boxes a detector must find. Boxes are in pixels of a picture of `width`."""
    sides = video.boxes[..., 2:] - video.boxes[..., :2]
    return (video.visibility >= LEAST_VISIBILITY) & (sides.min(axis=-1) >= LEAST_SIDE * width / STANDARD_WIDTH)


@dataclass
class TrueBoxes:
    """Boxes of a source, in pixels of pictures of `width`, whatever the width of the source's own."""

    source: VideoSource
    width: int
    _known: dict[tuple[int, str], VideoBoxes] = field(default_factory=dict)

    @property
    def lengths(self) -> VideoLengths:
        return self.source.lengths

    def sets(self, split: str) -> list[int]:
        chosen = [index for index in self.source.indices() if self.source.split_of(index) == split]
        if not chosen:
            raise DatasetError(
                f"{self.source.root}: expected sets of the split '{split}' (found none). Generate more sets."
            )
        return chosen

    def video(self, index: int, video: str) -> VideoBoxes:
        name = (index, video)
        if name not in self._known:
            found = self.source.boxes(index, video)
            scale = np.float32(self.width / self.source.picture_width)
            self._known[name] = VideoBoxes(found.boxes * scale, found.visibility)
        return self._known[name]

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        """The numbers, in the target, of a video's objects."""
        return self.source.object_ids(index, video)

    def identities(self, boxes: NDArray[np.float32], index: int, video: str) -> list[int | None]:
        """The true object, numbered as in the target, that each track of boxes [frames, tracks, 4] lies on most of the
        time."""
        true = self.video(index, video)
        hits = (pairwise_iou(boxes.astype(float), true.boxes.astype(float)) >= MATCH).sum(axis=0)
        names = self.object_ids(index, video)
        return [names[int(row.argmax())] if row.any() else None for row in hits]

    def batch(self, keys: Sequence[FrameKey]) -> Tensor:
        """[B, G, 4]: the boxes that a detector must find; zeros elsewhere. A row belongs to one object of the video."""
        padded = np.zeros((len(keys), MOST_OBJECTS, 4), np.float32)
        for row, key in enumerate(keys):
            video = self.video(key.index, key.video)
            wanted = asked_for(video, self.width)[key.frame]
            padded[row, : len(wanted)] = video.boxes[key.frame] * wanted[:, None]
        return torch.from_numpy(padded)


def video_numbers(keys: Sequence[FrameKey]) -> Tensor:
    """[B]: the same number for frames of the same video."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(key.name for key in keys))}
    return torch.tensor([numbers[key.name] for key in keys])
