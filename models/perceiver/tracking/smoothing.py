"""The last step of tracking: linear interpolation over short gaps, and Gaussian smoothing against jitter.

Shapes: T frames, N tracks. A box is absent where all its numbers are zero.
"""

import numpy as np
from numpy.typing import NDArray

from models.perceiver.tracking.appearance import Array


def fill_gaps(boxes: Array, seen: NDArray[np.bool_], longest: int) -> Array:
    """Boxes [T, N, 4] with gaps of up to `longest` frames between two seen ones filled by linear interpolation."""
    filled = boxes.copy()
    for track in range(boxes.shape[1]):
        frames = np.flatnonzero(seen[:, track])
        for start in np.flatnonzero((np.diff(frames) > 1) & (np.diff(frames) <= longest + 1)):
            first, last = int(frames[start]), int(frames[start + 1])
            share = (np.arange(first + 1, last, dtype=np.float32) - first)[:, None] / np.float32(last - first)
            filled[first + 1 : last, track] = (1 - share) * boxes[first, track] + share * boxes[last, track]
    return filled


def smooth(boxes: Array, deviation: float) -> Array:
    """Convolve with a Gaussian kernel of standard deviation `deviation` (frames). Absent boxes stay absent and do not count;
    at the ends the window is cut symmetrically, so that uniform motion stays as it is."""
    reach = int(np.ceil(2 * deviation))
    if reach < 1:
        return boxes
    present = (boxes != 0).any(axis=2)
    total, weight = boxes.astype(np.float32), present.astype(np.float32)
    kept = present
    for offset in range(1, reach + 1):
        kept = kept & _shifted(present, offset) & _shifted(present, -offset)
        share = np.where(kept, np.float32(np.exp(-0.5 * (offset / deviation) ** 2)), np.float32(0))
        total = total + share[..., None] * (_shifted(boxes, offset) + _shifted(boxes, -offset))
        weight = weight + 2 * share
    return total / np.maximum(weight, 1e-6)[..., None]


def _shifted(rows: NDArray, offset: int) -> NDArray:
    """Rows shifted along the first axis, padded with zeros."""
    moved = np.zeros_like(rows)
    if offset >= 0:
        moved[offset:] = rows[: len(rows) - offset]
    else:
        moved[:offset] = rows[-offset:]
    return moved
