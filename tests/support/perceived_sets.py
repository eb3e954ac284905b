"""Made-up perceived sets, each from its own number."""

import numpy as np

from models.perceiver.cache.rounding import round_boxes, round_features
from models.perceiver.perceived import PerceivedSet, PerceivedVideo

FEATURES = 16
WIDTH, HEIGHT = 480, 320


def make_video(frames: int, tracks: int, rng: np.random.Generator) -> PerceivedVideo:
    """Boxes and features are such as a cache holds exactly."""
    return PerceivedVideo(
        round_boxes(rng.random((frames, tracks, 4)), WIDTH),
        rng.random((frames, tracks)) < 0.5,
        round_features(rng.random((tracks, FEATURES))).astype(np.float32),
    )


def make_set(index: int, objects: int = 3, frames: int = 12, tracks: tuple[int, ...] = (2, 3, 0)) -> PerceivedSet:
    """References with so many tracks each, owned by random objects; one in three by nobody."""
    rng = np.random.default_rng(index)
    owners = np.full((len(tracks), max(tracks, default=0)), -1)
    for row, count in zip(owners, tracks, strict=True):
        shown = min(count, objects)
        row[:shown] = np.where(rng.random(shown) < 2 / 3, rng.permutation(objects)[:shown], -1)
    videos = tuple(make_video(6, count, rng) for count in tracks)
    return PerceivedSet(index, WIDTH, HEIGHT, make_video(frames, objects, rng), videos, owners)


def assert_same(found: PerceivedSet, expected: PerceivedSet) -> None:
    assert (found.index, found.width, found.height) == (expected.index, expected.width, expected.height)
    np.testing.assert_array_equal(found.owners, expected.owners)
    for one, other in zip((found.target, *found.references), (expected.target, *expected.references), strict=True):
        np.testing.assert_array_equal(one.boxes, other.boxes)
        np.testing.assert_array_equal(one.seen, other.seen)
        np.testing.assert_array_equal(one.features, other.features)
