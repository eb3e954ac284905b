"""The second step of tracking: pieces of tracks that are one object become one track, however long it was out of sight.

Shapes: M pieces, T frames.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from models.perceiver.tracking.appearance import Array, blur, cosines, directions
from models.perceiver.tracking.tracklets import Pieces, containment, overlap

VELOCITY_FRAMES: Final = 6  # at a piece's end, from which its velocity is estimated
# Where paths cross, a piece may end on another object's detection: so many frames in two places are forgiven.
CLASHES: Final = 3
NESTED: Final = 0.8  # share of the smaller box within the other, and share of the frames in which it is so
BRIDGING_ROUNDS: Final = 3  # looks get better with each join, so that a later round finds more


@dataclass(frozen=True)
class JoinRules:
    """When two pieces are one object. `same_look` is the cosine that suffices alone; a motion that leads from one
    piece to the next adds up to `motion_weight` to the cosine, less the longer the gap (`motion_memory`, frames)."""

    same_look: float
    motion_weight: float
    motion_memory: float
    duplicate_overlap: float
    duplicate_look: float


@dataclass(frozen=True)
class _Ends:
    """Where pieces begin or end: frame [M], centre [M, 2], velocity [M, 2] in pixels a frame."""

    frame: NDArray[np.intp]
    centre: Array
    velocity: Array


def join(pieces: Pieces, noise: float, rules: JoinRules) -> Pieces:
    for _ in range(BRIDGING_ROUNDS):
        bridged = _bridge(pieces, noise, rules)
        if len(bridged) == len(pieces):
            break
        pieces = bridged
    return _absorb(pieces, noise, rules)


def _bridge(pieces: Pieces, noise: float, rules: JoinRules) -> Pieces:
    """Join ends of pieces to later beginnings, all at once, so that the right successor competes with the wrong."""
    if len(pieces) < 2:
        return pieces
    heads, tails = _ends(pieces, last=False), _ends(pieces, last=True)
    gaps = heads.frame[None, :] - tails.frame[:, None]  # [M, M]: from the end of the first to the second's beginning
    later = (heads.frame[None, :] > heads.frame[:, None]) & (tails.frame[None, :] > tails.frame[:, None])
    fit = rules.motion_weight * _motion(pieces, heads, tails, gaps, rules.motion_memory)
    gains = _alike(pieces, noise) + fit - rules.same_look
    gains = np.where(later & (gaps > -CLASHES), np.maximum(gains, 0), 0)
    before, after = linear_sum_assignment(gains, maximize=True)
    joined = gains[before, after] > 0
    return pieces.merged(_chains(len(pieces), before[joined], after[joined], tails.frame))


def _alike(pieces: Pieces, noise: float) -> Array:
    """[M, M]: cosines of looks."""
    faced = directions(pieces.looks, blur(noise, pieces.present.sum(axis=1)))
    return cosines(faced, faced)


def _motion(pieces: Pieces, heads: _Ends, tails: _Ends, gaps: NDArray, memory: float) -> Array:
    """[M, M] from 0 to 1: whether the first piece's motion leads to the second, or the second's leads back. One of the
    two suffices, for what happens out of sight may change the motion. The tolerance is half an object and grows."""
    ahead = tails.centre[:, None] + gaps[..., None] * tails.velocity[:, None] - heads.centre[None, :]
    back = heads.centre[None, :] - gaps[..., None] * heads.velocity[None, :] - tails.centre[:, None]
    distance = np.minimum(np.linalg.norm(ahead, axis=-1), np.linalg.norm(back, axis=-1))
    size = _sizes(pieces)
    waits = np.maximum(gaps - 1, 0) / memory
    tolerance = np.maximum(size[:, None], size[None, :]) / 2 * (1 + waits)
    fit: Array = np.exp(-0.5 * (distance / tolerance) ** 2 - waits)
    return fit


def _sizes(pieces: Pieces) -> Array:
    """[M]: the mean side of a piece's boxes."""
    sides = (pieces.boxes[..., 2:] - pieces.boxes[..., :2]).sum(axis=(1, 2))
    size: Array = np.maximum(sides / (2 * pieces.present.sum(axis=1)), 1.0)
    return size


def _ends(pieces: Pieces, last: bool) -> _Ends:
    """The velocity is the slope of a line through the centres at that end."""
    present, length = pieces.present, pieces.scores.shape[1]
    end = length - 1 - present[:, ::-1].argmax(axis=1) if last else present.argmax(axis=1)
    steps = np.arange(VELOCITY_FRAMES) * (-1 if last else 1)
    frames = np.clip(end[:, None] + steps, 0, length - 1)
    rows = np.arange(len(pieces))[:, None]
    weight = (present[rows, frames] & (frames == end[:, None] + steps)).astype(np.float32)[..., None]
    boxes = pieces.boxes[rows, frames]
    centres = (boxes[..., :2] + boxes[..., 2:]) / 2
    time = np.broadcast_to(steps.astype(np.float32)[:, None], weight.shape)
    count = weight.sum(axis=1, keepdims=True)
    time = time - (weight * time).sum(axis=1, keepdims=True) / count
    spread = np.maximum((weight * time**2).sum(axis=1), 1e-6)
    velocity = (weight * time * centres).sum(axis=1) / spread
    return _Ends(end, centres[:, 0], velocity)


def _chains(count: int, before: NDArray, after: NDArray, order: NDArray) -> NDArray[np.intp]:
    """[M]: who owns each piece, when `after` follows `before`. An end lies before the end of what follows it."""
    owners = np.arange(count)
    for link in np.argsort(order[before], kind="stable"):
        owners[after[link]] = owners[before[link]]
    compact: NDArray[np.intp] = np.unique(owners, return_inverse=True)[1].reshape(-1)
    return compact


def _absorb(pieces: Pieces, noise: float, rules: JoinRules) -> Pieces:
    """Join the most alike pair that may be one object, again and again: what came back between two other appearances,
    and what was detected twice."""
    while len(pieces) > 1:
        alike = _alike(pieces, noise)
        alike = np.where(_may_be_one(pieces, alike, rules), alike, -np.inf)
        first, second = np.unravel_index(np.triu(alike + 2, 1).argmax(), alike.shape)
        if second <= first or alike[first, second] == -np.inf:
            break
        owners = np.arange(len(pieces)) - (np.arange(len(pieces)) > second)
        owners[second] = first
        pieces = pieces.merged(owners)
    return pieces


def _may_be_one(pieces: Pieces, alike: Array, rules: JoinRules) -> NDArray[np.bool_]:
    """[M, M]. One look, and hardly ever in two places at once; or two boxes on one thing, nearly always nested."""
    present = pieces.present
    both = present[:, None] & present[None, :]
    a, b = pieces.boxes[:, None], pieces.boxes[None, :]
    apart = (both & (overlap(a, b) < rules.duplicate_overlap)).sum(axis=2)
    lives = present.sum(axis=1)
    nested = (both & (containment(a, b) >= NESTED)).sum(axis=2) >= NESTED * np.minimum(lives[:, None], lives[None, :])
    same = (alike >= rules.same_look) & (apart <= CLASHES)
    return same | ((alike >= rules.duplicate_look) & nested)
