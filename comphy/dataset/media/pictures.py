"""Other people's pictures brought to the benchmark's 3:2: black bars are cut off, other shapes are padded."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.dataset.media.video import Frames

ASPECT: Final = (3, 2)
BLACK: Final = 20  # brightest pixel of a black bar; compression brightens it a little
_LOOKED_AT: Final = 8  # frames in which bars must be black
_MOST_CUT: Final = 0.6  # of a side: darker videos are left as they are


def without_bars(frames: Frames) -> Frames:
    """Frames without black bars at their edges (letterbox, pillarbox)."""
    chosen = frames[np.linspace(0, len(frames) - 1, min(len(frames), _LOOKED_AT)).astype(int)]
    bright = chosen.max(axis=(0, 3)) > BLACK
    rows, columns = inside_bars(bright.any(axis=1)), inside_bars(bright.any(axis=0))
    return frames[:, rows, columns]


def inside_bars(bright: NDArray[np.bool_]) -> slice:
    """From the first bright line of a picture to the last."""
    lines = np.flatnonzero(bright)
    if not len(lines) or lines[-1] + 1 - lines[0] < (1 - _MOST_CUT) * len(bright):
        return slice(0, len(bright))
    return slice(int(lines[0]), int(lines[-1]) + 1)


def padded_to_aspect(frames: Frames) -> Frames:
    """Frames of 3:2, with more of the edge's mean color above and below, or left and right. Nothing is cut off."""
    height, width = frames.shape[1:3]
    across, down = ASPECT
    more_rows, more_columns = max(0, -(-width * down // across) - height), max(0, -(-height * across // down) - width)
    if more_rows <= 1 and more_columns <= 1:
        return _cut(frames)
    filled = np.empty((len(frames), height + more_rows, width + more_columns, 3), np.uint8)
    top, left = more_rows // 2, more_columns // 2
    for axis, before in ((1, top), (2, left)):
        first, last = np.take(frames, 0, axis), np.take(frames, -1, axis)
        if (more_rows, more_columns)[axis - 1]:
            _side(filled, axis, slice(0, before))[:] = first.mean(axis=(0, 1)).round()
            _side(filled, axis, slice(before, None))[:] = last.mean(axis=(0, 1)).round()
    filled[:, top : top + height, left : left + width] = frames
    return _cut(filled)


def _side(frames: Frames, axis: int, part: slice) -> Frames:
    return frames[:, part] if axis == 1 else frames[:, :, part]


def _cut(frames: Frames) -> Frames:
    rows, columns = aspect_cut(frames.shape[1], frames.shape[2])
    return frames[:, rows, columns]


def aspect_cut(height: int, width: int) -> tuple[slice, slice]:
    """The rows and columns of exactly 3:2 in a picture that has nearly this shape, at the cost of a pixel or two."""
    across, down = ASPECT
    unit = min(width // across, height // down)
    return slice(0, unit * down), slice(0, unit * across)
