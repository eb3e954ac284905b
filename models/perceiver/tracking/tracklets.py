"""The first step of tracking: detections of neighbouring frames that are surely one object become a piece of a track.

Shapes: T frames, K detections of a frame (padded), D features, M pieces. Boxes are x0, y0, x1, y1 in pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from models.perceiver.tracking.appearance import Array, blur, cosines, directions

# Most detections of neighbouring frames that overlap so much are one object: their median tells how features vary.
LIKELY_OVERLAP: Final = 0.3
# Features of doubtful detections count only where a piece has no better ones.
DOUBT: Final = np.float32(1e-3)
MEMORY: Final = 9  # views over which a piece's look is averaged while it grows


@dataclass(frozen=True)
class LinkRules:
    """Detections of neighbouring frames are linked if overlap + look_weight * cosine reaches `bar`. The look
    tells apart objects whose paths cross; a piece broken by mistake is mended later, a piece of two objects is not."""

    bar: float
    look_weight: float


@dataclass(frozen=True)
class Pieces:
    """Stretches of detections, each of one object. boxes [M, T, 4] and scores [M, T] are zero where there is none;
    sums [M, D] are of centred features by their weights [M]."""

    boxes: Array
    scores: Array
    sums: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def present(self) -> NDArray[np.bool_]:
        return self.scores > 0

    @property
    def looks(self) -> Array:
        """[M, D]: averaged features, still centred."""
        return self.sums / self.weights[:, None]

    def pick(self, chosen: NDArray) -> "Pieces":
        return Pieces(self.boxes[chosen], self.scores[chosen], self.sums[chosen], self.weights[chosen])

    def merged(self, owners: NDArray[np.intp]) -> "Pieces":
        """Pieces with the same owner (0, 1, ...) become one. Of two detections in a frame the better one stays."""
        count = int(owners.max()) + 1
        boxes = np.zeros((count, *self.boxes.shape[1:]), np.float32)
        scores = np.zeros((count, self.scores.shape[1]), np.float32)
        sums, weights = np.zeros((count, self.sums.shape[1]), np.float32), np.zeros(count, np.float32)
        for piece, owner in enumerate(owners):
            better = self.scores[piece] > scores[owner]
            boxes[owner, better] = self.boxes[piece, better]
            scores[owner, better] = self.scores[piece, better]
            sums[owner] += self.sums[piece]
            weights[owner] += self.weights[piece]
        return Pieces(boxes, scores, sums, weights)


def overlap(a: Array, b: Array) -> Array:
    """Intersection over union of boxes [..., 4], broadcast."""
    shared = _shared(a, b)
    union: Array = np.maximum(_area(a) + _area(b) - shared, np.float32(1e-6))
    return shared / union


def containment(a: Array, b: Array) -> Array:
    """Intersection over the smaller area of boxes [..., 4], broadcast: one where one lies in the other."""
    smaller: Array = np.maximum(np.minimum(_area(a), _area(b)), np.float32(1e-6))
    return _shared(a, b) / smaller


def _area(boxes: Array) -> Array:
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _shared(a: Array, b: Array) -> Array:
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    return np.maximum(width, np.float32(0)) * np.maximum(height, np.float32(0))


def feature_noise(overlaps: Array, features: Array) -> float:
    """How far a feature strays between neighbouring frames: overlaps [T - 1, K, K], features [T, K, D]."""
    frames, before, after = np.nonzero(overlaps > LIKELY_OVERLAP)
    if not len(frames):
        return 0.0
    change = features[frames, before] - features[frames + 1, after]
    return float(np.sqrt(np.median(np.einsum("nd,nd->n", change, change)) / 2))


def connect(scores: Array, overlaps: Array, features: Array, noise: float, rules: LinkRules) -> NDArray[np.intp]:
    """[T, K]: the piece of each detection, from scores [T, K], overlaps [T - 1, K, K] and centred features [T, K, D].

    Each pair of frames is one linear assignment. Detections that no one joins begin a piece.
    """
    frames, count = scores.shape
    labels = np.arange(frames * count).reshape(frames, count)
    connection = scores[:-1, :, None] + scores[1:, None, :] + overlaps  # Eq. 1 of the paper
    possible = (overlaps > 0) & (scores[:-1, :, None] > 0) & (scores[1:, None, :] > 0)
    looks, views, faced = features[0], np.ones(count, np.float32), directions(features, noise)
    for frame in range(1, frames):
        alike = rules.look_weight * cosines(directions(looks, blur(noise, views)), faced[frame])
        allowed = possible[frame - 1] & (overlaps[frame - 1] + alike >= rules.bar)
        gain = np.where(allowed, connection[frame - 1] + alike, 0)
        before, after = linear_sum_assignment(gain, maximize=True)
        joined = gain[before, after] > 0
        before, after = before[joined], after[joined]
        labels[frame, after] = labels[frame - 1, before]
        looks, views = _remember(features[frame], looks, views, before, after)
    return labels


def _remember(new: Array, looks: Array, views: Array, before: NDArray, after: NDArray) -> tuple[Array, Array]:
    """Looks and numbers of views of the pieces at their newest detections: averages over the last views."""
    fresh, counts = new.copy(), np.ones(len(views), np.float32)
    counts[after] = np.minimum(views[before] + 1, MEMORY)
    fresh[after] += (looks[before] - new[after]) * (1 - 1 / counts[after])[:, None]
    return fresh, counts


def make_pieces(labels: NDArray[np.intp], boxes: Array, scores: Array, features: Array, confident: float) -> Pieces:
    """Pieces of at least two detections. One alone is a false alarm, or adds nothing to its neighbours in time."""
    frames, slots = np.nonzero(scores > 0)
    _, piece, sizes = np.unique(labels[frames, slots], return_inverse=True, return_counts=True)
    kept = sizes[piece] > 1
    frames, slots = frames[kept], slots[kept]
    numbers, piece = np.unique(piece[kept], return_inverse=True)
    found = scores[frames, slots]
    weights = np.zeros((len(numbers), len(piece)), np.float32)
    weights[piece, np.arange(len(piece))] = np.where(found >= confident, found, found * DOUBT)
    piece_boxes = np.zeros((len(numbers), len(scores), 4), np.float32)
    piece_scores = np.zeros((len(numbers), len(scores)), np.float32)
    piece_boxes[piece, frames], piece_scores[piece, frames] = boxes[frames, slots], found
    return Pieces(piece_boxes, piece_scores, weights @ features[frames, slots], weights.sum(axis=1))
