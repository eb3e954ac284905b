"""From the detections of one video's frames to the tracks of its objects.

Tracking by detection. Detections of neighbouring frames are linked by the paper's connection score (confidence +
confidence + IoU, Eq. 1) with a linear assignment (Hungarian algorithm) for each pair of frames. The tracklets so found are
associated over gaps by motion and appearance embedding: no two objects of a set are alike, so that one that was hidden,
or left and came back, is re-identified.

Shapes: T frames, K detections of a frame (padded), N tracks, D features. Boxes are x0, y0, x1, y1 in pixels.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from comphy.config import to_plain
from models.perceiver.tracking.appearance import Array, mean_feature
from models.perceiver.tracking.association import AssociationSettings, associate
from models.perceiver.tracking.smoothing import fill_gaps, smooth
from models.perceiver.tracking.tracklets import (
    LinkSettings,
    Tracklets,
    feature_noise,
    link_detections,
    make_tracklets,
    overlap,
)


@dataclass(frozen=True)
class TrackerSettings:
    """Thresholds. Appearance is an embedding of mean-centred region features. Cosine similarities are about one for two
    views of an object, zero or less for two objects, a half where features are too noisy to tell."""

    # Feature caches are keyed by these settings, under the names that they had first: caches of earlier versions stay valid.
    CACHE_NAMES: ClassVar[Mapping[str, str]] = {
        "appearance_weight": "look_weight",
        "appearance_threshold": "same_look",
        "duplicate_threshold": "duplicate_look",
    }

    least_score: float = 0.3  # detections below are ignored
    confident_score: float = 0.5  # from here on a detection's features describe its object
    # Detections of neighbouring frames are linked if IoU + appearance_weight * cosine reaches link_bar: with a cosine of one
    # hardly any overlap is needed, with a half a fifth, with zero more than crossing objects usually have.
    link_bar: float = 0.7
    appearance_weight: float = 1.0
    # Tracklets are associated if cosine + motion_weight * fit of the motion reaches appearance_threshold. With the weight
    # below one, a fitting position does not outweigh another appearance. The fit halves in 0.7 * motion_memory frames: 0.4 s
    # by default.
    appearance_threshold: float = 0.7
    motion_weight: float = 0.8
    motion_memory: float = 15.0
    # Two tracks at the same time are duplicates if the cosine reaches appearance_threshold and their IoU is so large, or if
    # nearly always one lies in the other and the cosine reaches duplicate_threshold (a box of a part looks a little
    # different).
    duplicate_overlap: float = 0.3
    duplicate_threshold: float = 0.3
    # A track is an object if it has so many detections with such a mean score; of too many, the best connected are kept.
    least_frames: int = 8
    least_mean_score: float = 0.4
    most_objects: int = 5
    fill_gap: int = 5  # longest gap, in frames, that is filled by linear interpolation
    smoothing: float = 0.0  # standard deviation, in frames, of the Gaussian kernel; 0 leaves boxes as detected

    def cache_record(self) -> dict[str, Any]:
        """As a feature cache is keyed by them."""
        return {self.CACHE_NAMES.get(name, name): value for name, value in to_plain(self).items()}


@dataclass(frozen=True)
class Tracks:
    """Objects of one video by first appearance, then from left to right. boxes [T, N, 4] are zero where the object is
    absent; seen [T, N] tells detected boxes from interpolated ones; scores [T, N] are zero where it is not seen; features
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

    `centre` [D] is the mean feature that is subtracted from all, best taken over the whole set with `mean_feature`. By
    default it is the video's own, which cannot tell two objects apart that are never seen together.
    """
    _check(boxes, scores, features)
    settings = settings or TrackerSettings()
    boxes, features = np.asarray(boxes, np.float32), np.asarray(features, np.float32)
    scores = np.where(np.asarray(scores, np.float32) >= settings.least_score, scores, 0).astype(np.float32)
    middle = mean_feature(scores, features) if centre is None else np.asarray(centre, np.float32)
    tracklets = _tracklets(boxes, scores, features - middle, settings)
    return _finish(tracklets.pick(_order(tracklets)), middle, settings)


def _tracklets(boxes: Array, scores: Array, features: Array, settings: TrackerSettings) -> Tracklets:
    boxes = np.where(scores[..., None] > 0, boxes, 0)
    overlaps = overlap(boxes[:-1, :, None], boxes[1:, None])
    noise = feature_noise(overlaps, features)
    links = LinkSettings(settings.link_bar, settings.appearance_weight)
    labels = link_detections(scores, overlaps, features, noise, links)
    tracklets = make_tracklets(labels, boxes, scores, features, settings.confident_score)
    association = AssociationSettings(
        settings.appearance_threshold,
        settings.motion_weight,
        settings.motion_memory,
        settings.duplicate_overlap,
        settings.duplicate_threshold,
    )
    return _strongest(associate(tracklets, noise, association), settings)


def _strongest(tracklets: Tracklets, settings: TrackerSettings) -> Tracklets:
    """Drop short and low-scoring tracks; of too many, keep those with the highest sums of connection scores, as the paper
    does."""
    frames = tracklets.present.sum(axis=1)
    good = (frames >= settings.least_frames) & (tracklets.scores.sum(axis=1) >= settings.least_mean_score * frames)
    tracklets = tracklets.pick(good)
    linked = tracklets.present[:, 1:] & tracklets.present[:, :-1]
    links = (
        tracklets.scores[:, 1:] + tracklets.scores[:, :-1] + overlap(tracklets.boxes[:, 1:], tracklets.boxes[:, :-1])
    )
    strength = np.where(linked, links, 0).sum(axis=1)
    return tracklets.pick(np.sort(np.argsort(-strength, kind="stable")[: settings.most_objects]))


def _order(tracklets: Tracklets) -> NDArray[np.intp]:
    first = tracklets.present.argmax(axis=1)
    left = tracklets.boxes[np.arange(len(tracklets)), first, 0]
    return np.lexsort((left, first))


def _finish(tracklets: Tracklets, centre: Array, settings: TrackerSettings) -> Tracks:
    seen = np.ascontiguousarray(tracklets.present.T)
    boxes = fill_gaps(np.ascontiguousarray(tracklets.boxes.swapaxes(0, 1)), seen, settings.fill_gap)
    scores = np.ascontiguousarray(tracklets.scores.T)
    return Tracks(smooth(boxes, settings.smoothing), scores, seen, tracklets.embeddings + centre)


def _check(boxes: NDArray, scores: NDArray, features: NDArray) -> None:
    if boxes.shape != (*scores.shape, 4) or features.shape[:-1] != scores.shape or scores.ndim != 2 or not len(scores):
        raise ValueError(
            "Expected boxes [T, K, 4], scores [T, K] and features [T, K, D] of at least one frame "
            f"(got {boxes.shape}, {scores.shape} and {features.shape})."
        )
