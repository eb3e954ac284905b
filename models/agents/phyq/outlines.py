"""Geometry of convex outlines, counter-clockwise."""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # [N, 2]


def gap_below(one: Points, other: Points) -> float | None:
    """How far one convex outline is above another; negative where it would have to rise. None if it is not over it."""
    left, right = max(one[:, 0].min(), other[:, 0].min()), min(one[:, 0].max(), other[:, 0].max())
    if right - left < 1e-3:
        return None
    xs = np.array([left, right, *(x for x in (*one[:, 0], *other[:, 0]) if left < x < right)])
    return float((_boundary(one, xs, lower=True) - _boundary(other, xs, lower=False)).min())


def _boundary(outline: Points, xs: NDArray[np.float64], lower: bool) -> NDArray[np.float64]:
    """Heights of the lower or upper side of a convex outline."""
    start, end = outline, np.roll(outline, -1, axis=0)
    left, right = np.minimum(start[:, 0], end[:, 0]), np.maximum(start[:, 0], end[:, 0])
    width = np.where(right - left < 1e-9, 1.0, end[:, 0] - start[:, 0])
    share = (xs[:, None] - start[None, :, 0]) / width
    heights = start[None, :, 1] + share * (end - start)[None, :, 1]
    over = (xs[:, None] >= left - 1e-9) & (xs[:, None] <= right + 1e-9) & (right - left >= 1e-9)
    return np.where(over, heights, np.inf).min(axis=1) if lower else np.where(over, heights, -np.inf).max(axis=1)


def way_out(one: Points, other: Points, margin: float) -> float:
    """The shorter way to one side until the boxes around two outlines are apart by a margin; 0 if they are."""
    low, high = max(one[:, 1].min(), other[:, 1].min()), min(one[:, 1].max(), other[:, 1].max())
    if high <= low:
        return 0.0
    right = float(other[:, 0].max() - one[:, 0].min()) + margin
    left = float(one[:, 0].max() - other[:, 0].min()) + margin
    if min(left, right) <= 0.0:
        return 0.0
    return right if right < left else -left


def distances(points: Points, outline: Points) -> NDArray[np.float64]:
    """[N]: how far points are outside an outline, measured from the line of a side; negative inside."""
    sides = np.roll(outline, -1, axis=0) - outline
    normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)[:, None]
    out: NDArray[np.float64] = ((points[:, None] - outline[None]) * normals[None]).sum(axis=-1).max(axis=1)
    return out
