"""From the detections of one video's frames to the tracks of its objects.

Detections of neighbouring frames are linked by the paper's connection score (confidence + confidence + overlap, Eq. 1)
with a linear assignment for each pair of frames. The pieces so found are joined over gaps by motion and by look: in a
set every object looks different, so that one that was hidden, or left and came back, is known again.

Shapes: T frames, K detections of a frame (padded), N tracks, D features. Boxes are x0, y0, x1, y1 in pixels.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.perceiver.tracking.appearance import Array, mean_feature
from models.perceiver.tracking.joining import JoinRules, join
from models.perceiver.tracking.smoothing import fill_gaps, smooth
from models.perceiver.tracking.tracklets import LinkRules, Pieces, connect, feature_noise, make_pieces, overlap


@dataclass(frozen=True)
class TrackerSettings:
    """Thresholds. Cosines are of centred features: about one for two views of an object, zero or less for others, a
    half where the features are too noisy to tell."""

    least_score: float = 0.3  # detections below are not looked at
    confident_score: float = 0.5  # from here on a detection's features describe its object
    # Neighbouring detections are linked if overlap + look_weight * cosine reaches link_bar: the same look needs hardly
    # any overlap, one that does not tell a fifth, another look more than crossing objects usually have.
    link_bar: float = 0.7
    look_weight: float = 1.0
    # Pieces are joined if cosine + motion_weight * fit of the motion reaches same_look: less than one, so that a place
    # is not enough for another look. The fit halves in 0.7 * motion_memory frames: 0.4 s by the default.
    same_look: float = 0.7
    motion_weight: float = 0.8
    motion_memory: float = 15.0
    # Two tracks at the same time are one object if they look the same and overlap so much, or if nearly always one
    # lies in the other and the cosine reaches duplicate_look (a box of a part looks a little different).
    duplicate_overlap: float = 0.3
    duplicate_look: float = 0.3
    # A track is an object if it is seen so often with such a mean score; of too many, the best connected are kept.
    least_frames: int = 8
    least_mean_score: float = 0.4
    most_objects: int = 5
    fill_gap: int = 5  # frames without a detection that are filled by a straight line
    smoothing: float = 0.0  # standard deviation in frames; 0 leaves boxes as detected


@dataclass(frozen=True)
class Tracks:
    """Objects of one video by first appearance, then from left to right. boxes [T, N, 4] are zero where the object is
    absent; seen [T, N] tells detected boxes from filled ones; scores [T, N] are zero where it is not seen; features
    [N, D] are averages over confident frames, by score."""

    boxes: Array
    scores: Array
    seen: NDArray[np.bool_]
    features: Array

    def __len__(self) -> int:
        return len(self.features)


def track(
    boxes: NDArray,
    scores: NDArray,
    features: NDArray,
    settings: TrackerSettings | None = None,
    centre: NDArray | None = None,
) -> Tracks:
    """Tracks of boxes [T, K, 4] with scores [T, K] (0 where there is none) and features [T, K, D].

    `centre` [D] is what all objects' features have in common, best taken over the whole set with `mean_feature`; the
    video's own is used if it is not given, which cannot tell two objects apart that are never seen together.
    """
    _check(boxes, scores, features)
    settings = settings or TrackerSettings()
    boxes, features = np.asarray(boxes, np.float32), np.asarray(features, np.float32)
    scores = np.where(np.asarray(scores, np.float32) >= settings.least_score, scores, 0).astype(np.float32)
    middle = mean_feature(scores, features) if centre is None else np.asarray(centre, np.float32)
    pieces = _pieces(boxes, scores, features - middle, settings)
    return _finish(pieces.pick(_order(pieces)), middle, settings)


def _pieces(boxes: Array, scores: Array, features: Array, settings: TrackerSettings) -> Pieces:
    boxes = np.where(scores[..., None] > 0, boxes, 0)
    overlaps = overlap(boxes[:-1, :, None], boxes[1:, None])
    noise = feature_noise(overlaps, features)
    links = LinkRules(settings.link_bar, settings.look_weight)
    labels = connect(scores, overlaps, features, noise, links)
    pieces = make_pieces(labels, boxes, scores, features, settings.confident_score)
    joins = JoinRules(
        settings.same_look,
        settings.motion_weight,
        settings.motion_memory,
        settings.duplicate_overlap,
        settings.duplicate_look,
    )
    return _strongest(join(pieces, noise, joins), settings)


def _strongest(pieces: Pieces, settings: TrackerSettings) -> Pieces:
    """Without short and weak tracks; of too many, those with the highest sums of connection scores, as in the paper."""
    frames = pieces.present.sum(axis=1)
    good = (frames >= settings.least_frames) & (pieces.scores.sum(axis=1) >= settings.least_mean_score * frames)
    pieces = pieces.pick(good)
    linked = pieces.present[:, 1:] & pieces.present[:, :-1]
    links = pieces.scores[:, 1:] + pieces.scores[:, :-1] + overlap(pieces.boxes[:, 1:], pieces.boxes[:, :-1])
    strength = np.where(linked, links, 0).sum(axis=1)
    return pieces.pick(np.sort(np.argsort(-strength, kind="stable")[: settings.most_objects]))


def _order(pieces: Pieces) -> NDArray[np.intp]:
    first = pieces.present.argmax(axis=1)
    left = pieces.boxes[np.arange(len(pieces)), first, 0]
    return np.lexsort((left, first))


def _finish(pieces: Pieces, centre: Array, settings: TrackerSettings) -> Tracks:
    seen = np.ascontiguousarray(pieces.present.T)
    boxes = fill_gaps(np.ascontiguousarray(pieces.boxes.swapaxes(0, 1)), seen, settings.fill_gap)
    scores = np.ascontiguousarray(pieces.scores.T)
    return Tracks(smooth(boxes, settings.smoothing), scores, seen, pieces.looks + centre)


def _check(boxes: NDArray, scores: NDArray, features: NDArray) -> None:
    if boxes.shape != (*scores.shape, 4) or features.shape[:-1] != scores.shape or scores.ndim != 2 or not len(scores):
        raise ValueError(
            "Expected boxes [T, K, 4], scores [T, K] and features [T, K, D] of at least one frame "
            f"(got {boxes.shape}, {scores.shape} and {features.shape})."
        )
