"""Boxes of all videos in one compressed file. Together with `rollouts.pack` it suffices to train a detector elsewhere."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reason
from comphy.dataset.annotations.extras import SetExtras, VideoExtras
from comphy.dataset.packs.codec import inflate
from comphy.dataset.packs.rollouts import Pack, reference_name, target_name, write_pack
from comphy.errors import DatasetError

BOX_STEP: Final = 1 / 32  # pixels
VISIBILITY_STEP: Final = 1 / 255


@dataclass(frozen=True)
class VideoBoxes:
    """Boxes of the visible part of each object [frames, objects, 4] in pixels, and visible shares [frames, objects]."""

    boxes: NDArray[np.float32]
    visibility: NDArray[np.float32]


def write_box_table(path: Path, sets: Iterable[SetExtras], visible_frames: int) -> None:
    """Write the boxes of the first `visible_frames` frames of every video."""
    blobs: dict[str, bytes] = {}
    for extras in sets:
        blobs[target_name(extras.scene_index)] = encode_boxes(extras.target, visible_frames)
        for k, reference in enumerate(extras.references):
            blobs[reference_name(extras.scene_index, k)] = encode_boxes(reference, visible_frames)
    write_pack(path, blobs)


class BoxTable:
    """Reads the boxes of videos by their names in a pack: `00012/target`, `00012/reference_3`.

    Raises `DatasetError` if the file is missing.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DatasetError(f"{path}: the file is missing. Run comphy generate on the dataset again.")
        self._pack = Pack(path)

    def video(self, name: str) -> VideoBoxes:
        return decode_boxes(self._pack[name], f"{self._pack.path}: {name}")

    def sets(self) -> list[int]:
        return self._pack.sets()


def encode_boxes(video: VideoExtras, visible_frames: int) -> bytes:
    """Quantise, delta-encode twice over time and deflate: boxes move smoothly, so second differences are small."""
    boxes = np.round(video.boxes[:visible_frames] / BOX_STEP).astype(np.int64)
    seen = np.round(video.visibility[:visible_frames] / VISIBILITY_STEP).astype(np.uint8)
    frames, objects = seen.shape
    planes = np.diff(boxes, n=2, axis=0, prepend=np.zeros((2, objects, 4), np.int64)).astype("<i4")
    head = np.array([frames, objects], "<u2").tobytes()
    return zlib.compress(head + planes.view(np.uint8).reshape(-1, 4).T.tobytes() + seen.tobytes(), 9)


def decode_boxes(blob: bytes, where: str) -> VideoBoxes:
    """Inverse of `encode_boxes`. Raises `DatasetError`, which names `where`, if the data are damaged."""
    try:
        raw = inflate(blob)
        frames, objects = (int(n) for n in np.frombuffer(raw[:4], "<u2"))
        split = 4 + 16 * frames * objects
        planes = np.frombuffer(raw[4:split], np.uint8).reshape(4, -1).T.copy().view("<i4").reshape(frames, objects, 4)
        seen = np.frombuffer(raw[split:], np.uint8).reshape(frames, objects)
    except (zlib.error, ValueError) as error:
        raise DatasetError(f"{where}: the boxes are damaged ({reason(error)}). Make the file again.") from None
    boxes = planes.astype(np.int64).cumsum(axis=0).cumsum(axis=0) * BOX_STEP
    return VideoBoxes(boxes.astype(np.float32), seen.astype(np.float32) * np.float32(VISIBILITY_STEP))
