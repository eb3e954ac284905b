"""The first step of tracking: detections of neighbouring frames are linked to tracklets, with one linear assignment
(Hungarian algorithm) for each pair of frames.

Shapes: T frames, K detections of a frame (padded), D features, M tracklets. Boxes are x0, y0, x1, y1 in pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from models.perceiver.tracking.appearance import Array, cosines, noise_radius, unit_vectors

# Most detections of neighbouring frames that overlap this much (IoU) are one object: the median of their features'
# distances estimates the noise of the features.
LIKELY_OVERLAP: Final = 0.3
# Weight of features of detections below `confident_score`: they count only where a tracklet has no better ones.
UNCONFIDENT_WEIGHT: Final = np.float32(1e-3)
AVERAGED_VIEWS: Final = 9  # last views over which a tracklet's embedding is averaged while it grows


@dataclass(frozen=True)
class LinkSettings:
    """Detections of neighbouring frames are linked if IoU + appearance_weight * cosine similarity reaches `bar`. The
    embedding tells apart objects whose paths cross: a tracklet broken by mistake is joined later, one of two objects is
    never cut."""

    bar: float
    appearance_weight: float


@dataclass(frozen=True)
class Tracklets:
    """Runs of detections, each of one object. boxes [M, T, 4] and scores [M, T] are zero where there is none; sums [M, D]
    are weighted sums of centred features, with total weights [M]."""

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
    def embeddings(self) -> Array:
        """[M, D]: weighted means of the centred features."""
        return self.sums / self.weights[:, None]

    def pick(self, chosen: NDArray) -> "Tracklets":
        return Tracklets(self.boxes[chosen], self.scores[chosen], self.sums[chosen], self.weights[chosen])

    def merged(self, owners: NDArray[np.intp]) -> "Tracklets":
        """Tracklets with the same owner (0, 1, ...) become one. Of two detections in a frame the one with the higher score
        stays."""
        count = int(owners.max()) + 1
        boxes = np.zeros((count, *self.boxes.shape[1:]), np.float32)
        scores = np.zeros((count, self.scores.shape[1]), np.float32)
        sums, weights = np.zeros((count, self.sums.shape[1]), np.float32), np.zeros(count, np.float32)
        for tracklet, owner in enumerate(owners):
            better = self.scores[tracklet] > scores[owner]
            boxes[owner, better] = self.boxes[tracklet, better]
            scores[owner, better] = self.scores[tracklet, better]
            sums[owner] += self.sums[tracklet]
            weights[owner] += self.weights[tracklet]
        return Tracklets(boxes, scores, sums, weights)


def overlap(a: Array, b: Array) -> Array:
    """Intersection over union (IoU) of boxes [..., 4], broadcast."""
    intersection = _intersection(a, b)
    union: Array = np.maximum(_area(a) + _area(b) - intersection, np.float32(1e-6))
    return intersection / union


def containment(a: Array, b: Array) -> Array:
    """Intersection over the smaller area of boxes [..., 4], broadcast: one where one lies in the other."""
    smaller: Array = np.maximum(np.minimum(_area(a), _area(b)), np.float32(1e-6))
    return _intersection(a, b) / smaller


def _area(boxes: Array) -> Array:
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _intersection(a: Array, b: Array) -> Array:
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    return np.maximum(width, np.float32(0)) * np.maximum(height, np.float32(0))


def feature_noise(overlaps: Array, features: Array) -> float:
    """Standard deviation of an object's features (a robust estimate, from medians): overlaps [T - 1, K, K], features
    [T, K, D]."""
    frames, before, after = np.nonzero(overlaps > LIKELY_OVERLAP)
    if not len(frames):
        return 0.0
    change = features[frames, before] - features[frames + 1, after]
    return float(np.sqrt(np.median(np.einsum("nd,nd->n", change, change)) / 2))


def link_detections(
    scores: Array, overlaps: Array, features: Array, noise: float, settings: LinkSettings
) -> NDArray[np.intp]:
    """[T, K]: the tracklet of each detection, from scores [T, K], overlaps [T - 1, K, K] and centred features [T, K, D].

    Each pair of frames is one linear assignment. Detections without a predecessor begin a tracklet.
    """
    frames, count = scores.shape
    labels = np.arange(frames * count).reshape(frames, count)
    connection = scores[:-1, :, None] + scores[1:, None, :] + overlaps  # Eq. 1 of the paper
    possible = (overlaps > 0) & (scores[:-1, :, None] > 0) & (scores[1:, None, :] > 0)
    embeddings, views, units = features[0], np.ones(count, np.float32), unit_vectors(features, noise)
    for frame in range(1, frames):
        similarity = settings.appearance_weight * cosines(
            unit_vectors(embeddings, noise_radius(noise, views)), units[frame]
        )
        allowed = possible[frame - 1] & (overlaps[frame - 1] + similarity >= settings.bar)
        gain = np.where(allowed, connection[frame - 1] + similarity, 0)
        before, after = linear_sum_assignment(gain, maximize=True)
        joined = gain[before, after] > 0
        before, after = before[joined], after[joined]
        labels[frame, after] = labels[frame - 1, before]
        embeddings, views = _update_averages(features[frame], embeddings, views, before, after)
    return labels


def _update_averages(
    new: Array, embeddings: Array, views: Array, before: NDArray, after: NDArray
) -> tuple[Array, Array]:
    """Running averages of the embeddings at the newest detections, and how many views they average."""
    fresh, counts = new.copy(), np.ones(len(views), np.float32)
    counts[after] = np.minimum(views[before] + 1, AVERAGED_VIEWS)
    fresh[after] += (embeddings[before] - new[after]) * (1 - 1 / counts[after])[:, None]
    return fresh, counts


def make_tracklets(
    labels: NDArray[np.intp], boxes: Array, scores: Array, features: Array, confident: float
) -> Tracklets:
    """Tracklets of at least two detections. A single one is a false positive, or adds nothing to its neighbours in time."""
    frames, slots = np.nonzero(scores > 0)
    _, tracklet, sizes = np.unique(labels[frames, slots], return_inverse=True, return_counts=True)
    kept = sizes[tracklet] > 1
    frames, slots = frames[kept], slots[kept]
    numbers, tracklet = np.unique(tracklet[kept], return_inverse=True)
    found = scores[frames, slots]
    weights = np.zeros((len(numbers), len(tracklet)), np.float32)
    weights[tracklet, np.arange(len(tracklet))] = np.where(found >= confident, found, found * UNCONFIDENT_WEIGHT)
    tracklet_boxes = np.zeros((len(numbers), len(scores), 4), np.float32)
    tracklet_scores = np.zeros((len(numbers), len(scores)), np.float32)
    tracklet_boxes[tracklet, frames], tracklet_scores[tracklet, frames] = boxes[frames, slots], found
    return Tracklets(tracklet_boxes, tracklet_scores, weights @ features[frames, slots], weights.sum(axis=1))
