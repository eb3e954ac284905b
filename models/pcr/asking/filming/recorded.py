"""The target video at the size of a clip, and where its objects were seen.

Shapes: T recorded frames, N objects.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.drawing.canvas import Point
from comphy.scene.camera import BENCHMARK, Camera
from models.pcr.asking.interpreted_set import Pair
from models.pcr.tracks.ground_plane import GroundTracks
from models.perceiver.perceived import PerceivedSet

Pixels = NDArray[np.uint8]
Array = NDArray[np.float64]

WIDTH: Final = 480  # of each of the two pictures of a clip
HEIGHT: Final = 320


@dataclass(frozen=True)
class Recorded:
    """The target video at the clip's size: frames [T, 320, 480, 3], boxes [T, N, 4] (zero where an object is not detected),
    and object centres [T, N, 2], which are corrected for boxes that the image border truncates."""

    frames: Pixels
    boxes: Array
    middles: Array
    camera: Camera = BENCHMARK

    @staticmethod
    def of(frames: Pixels, seen: PerceivedSet, tracks: GroundTracks) -> "Recorded":
        assert isinstance(tracks.camera, Camera), "of one set"
        boxes = seen.target.boxes.astype(float) * (WIDTH / seen.width)
        return Recorded(frames, boxes, tracks.centre[0].double().numpy() * WIDTH, tracks.camera)

    def path(self, number: int, first: int, last: int) -> list[Point]:
        """The centres of an object from frame `first` to `last`, where it was detected."""
        there = self.boxes[first : last + 1, number].any(axis=-1)
        return [(x, y) for x, y in self.middles[first : last + 1, number][there].tolist()]

    def between(self, pair: Pair, frame: int) -> Point | None:
        """The midpoint of two objects; None unless both are detected in the frame."""
        numbers = list(pair)
        if not self.boxes[frame, numbers].any(axis=-1).all():
            return None
        x, y = self.middles[frame, numbers].mean(axis=0).tolist()
        return x, y
