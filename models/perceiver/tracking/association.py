"""The second step of tracking: tracklet association. Tracklets of one object become one track, however long it was hidden.

Ends are matched to later beginnings by linear assignment (Hungarian algorithm) on appearance and constant-velocity motion.
What remains is merged greedily, the most similar pair first (agglomerative clustering).

Shapes: M tracklets, T frames.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from models.perceiver.tracking.appearance import Array, cosines, noise_radius, unit_vectors
from models.perceiver.tracking.tracklets import Tracklets, containment, overlap

VELOCITY_FRAMES: Final = 6  # at a tracklet's end, to which the line is fitted whose slope is its velocity
# Where paths cross, a tracklet may end on another object's detection: up to so many frames in two places are allowed.
CONFLICTING_FRAMES: Final = 3
NESTED: Final = 0.8  # share of the smaller box within the other, and share of the frames in which it is so
ASSIGNMENT_ROUNDS: Final = 3  # averaged embeddings get better with each round, so that a later one finds more


@dataclass(frozen=True)
class AssociationSettings:
    """When two tracklets are one object. `appearance_threshold` is the cosine similarity that suffices alone; a motion that
    leads from one tracklet to the next adds up to `motion_weight` to it, less the longer the gap (`motion_memory`,
    frames)."""

    appearance_threshold: float
    motion_weight: float
    motion_memory: float
    duplicate_overlap: float
    duplicate_threshold: float


@dataclass(frozen=True)
class _Ends:
    """Where tracklets begin or end: frame [M], centre [M, 2], velocity [M, 2] in pixels a frame."""

    frame: NDArray[np.intp]
    centre: Array
    velocity: Array


def associate(tracklets: Tracklets, noise: float, settings: AssociationSettings) -> Tracklets:
    """One tracklet for each object; `noise` is the standard deviation of features between frames."""
    for _ in range(ASSIGNMENT_ROUNDS):
        associated = _assign_successors(tracklets, noise, settings)
        if len(associated) == len(tracklets):
            break
        tracklets = associated
    return _merge_closest(tracklets, noise, settings)


def _assign_successors(tracklets: Tracklets, noise: float, settings: AssociationSettings) -> Tracklets:
    """Match ends to later beginnings, all at once, so that the right successor competes with wrong ones."""
    if len(tracklets) < 2:
        return tracklets
    heads, tails = _ends(tracklets, last=False), _ends(tracklets, last=True)
    gaps = heads.frame[None, :] - tails.frame[:, None]  # [M, M]: from the end of the first to the second's beginning
    later = (heads.frame[None, :] > heads.frame[:, None]) & (tails.frame[None, :] > tails.frame[:, None])
    fit = settings.motion_weight * _motion_fit(tracklets, heads, tails, gaps, settings.motion_memory)
    gains = _similarities(tracklets, noise) + fit - settings.appearance_threshold
    gains = np.where(later & (gaps > -CONFLICTING_FRAMES), np.maximum(gains, 0), 0)
    before, after = linear_sum_assignment(gains, maximize=True)
    joined = gains[before, after] > 0
    return tracklets.merged(_chains(len(tracklets), before[joined], after[joined], tails.frame))


def _similarities(tracklets: Tracklets, noise: float) -> Array:
    """[M, M]: cosine similarities of embeddings."""
    units = unit_vectors(tracklets.embeddings, noise_radius(noise, tracklets.present.sum(axis=1)))
    return cosines(units, units)


def _motion_fit(tracklets: Tracklets, heads: _Ends, tails: _Ends, gaps: NDArray, memory: float) -> Array:
    """[M, M] from 0 to 1: whether the first tracklet, at constant velocity, arrives at the second, or the second came from
    the first. One of the two suffices: what happens while hidden may change the motion. The tolerance, the standard
    deviation of a Gaussian, is half an object and grows with the gap."""
    ahead = tails.centre[:, None] + gaps[..., None] * tails.velocity[:, None] - heads.centre[None, :]
    back = heads.centre[None, :] - gaps[..., None] * heads.velocity[None, :] - tails.centre[:, None]
    distance = np.minimum(np.linalg.norm(ahead, axis=-1), np.linalg.norm(back, axis=-1))
    size = _sizes(tracklets)
    waits = np.maximum(gaps - 1, 0) / memory
    tolerance = np.maximum(size[:, None], size[None, :]) / 2 * (1 + waits)
    fit: Array = np.exp(-0.5 * (distance / tolerance) ** 2 - waits)
    return fit


def _sizes(tracklets: Tracklets) -> Array:
    """[M]: the mean side of a tracklet's boxes."""
    sides = (tracklets.boxes[..., 2:] - tracklets.boxes[..., :2]).sum(axis=(1, 2))
    size: Array = np.maximum(sides / (2 * tracklets.present.sum(axis=1)), 1.0)
    return size


def _ends(tracklets: Tracklets, last: bool) -> _Ends:
    """The velocity is the slope of a least-squares line through the centres at that end."""
    present, length = tracklets.present, tracklets.scores.shape[1]
    end = length - 1 - present[:, ::-1].argmax(axis=1) if last else present.argmax(axis=1)
    steps = np.arange(VELOCITY_FRAMES) * (-1 if last else 1)
    frames = np.clip(end[:, None] + steps, 0, length - 1)
    rows = np.arange(len(tracklets))[:, None]
    weight = (present[rows, frames] & (frames == end[:, None] + steps)).astype(np.float32)[..., None]
    boxes = tracklets.boxes[rows, frames]
    centres = (boxes[..., :2] + boxes[..., 2:]) / 2
    time = np.broadcast_to(steps.astype(np.float32)[:, None], weight.shape)
    count = weight.sum(axis=1, keepdims=True)
    time = time - (weight * time).sum(axis=1, keepdims=True) / count
    spread = np.maximum((weight * time**2).sum(axis=1), 1e-6)
    velocity = (weight * time * centres).sum(axis=1) / spread
    return _Ends(end, centres[:, 0], velocity)


def _chains(count: int, before: NDArray, after: NDArray, order: NDArray) -> NDArray[np.intp]:
    """[M]: the track of each tracklet, when `after` follows `before`. A tracklet ends before its successor does."""
    owners = np.arange(count)
    for link in np.argsort(order[before], kind="stable"):
        owners[after[link]] = owners[before[link]]
    compact: NDArray[np.intp] = np.unique(owners, return_inverse=True)[1].reshape(-1)
    return compact


def _merge_closest(tracklets: Tracklets, noise: float, settings: AssociationSettings) -> Tracklets:
    """Merge the most similar pair that may be one object until there is none: objects that came back between two other
    appearances, and objects that were detected twice."""
    while len(tracklets) > 1:
        similarity = _similarities(tracklets, noise)
        similarity = np.where(_same_object(tracklets, similarity, settings), similarity, -np.inf)
        first, second = np.unravel_index(np.triu(similarity + 2, 1).argmax(), similarity.shape)
        if second <= first or similarity[first, second] == -np.inf:
            break
        owners = np.arange(len(tracklets)) - (np.arange(len(tracklets)) > second)
        owners[second] = first
        tracklets = tracklets.merged(owners)
    return tracklets


def _same_object(tracklets: Tracklets, similarity: Array, settings: AssociationSettings) -> NDArray[np.bool_]:
    """[M, M]: similar and hardly ever in two places at once, or duplicate boxes, of which nearly always one lies in the
    other."""
    present = tracklets.present
    both = present[:, None] & present[None, :]
    a, b = tracklets.boxes[:, None], tracklets.boxes[None, :]
    apart = (both & (overlap(a, b) < settings.duplicate_overlap)).sum(axis=2)
    lengths = present.sum(axis=1)
    nested = (both & (containment(a, b) >= NESTED)).sum(axis=2) >= NESTED * np.minimum(
        lengths[:, None], lengths[None, :]
    )
    same = (similarity >= settings.appearance_threshold) & (apart <= CONFLICTING_FRAMES)
    return same | ((similarity >= settings.duplicate_threshold) & nested)
