from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comphy.dataset import layout
from comphy.dataset.annotations.extras import VideoExtras, read_extras
from comphy.evaluation.perception.tracking import tracking_scores
from models.perceiver.tracking.appearance import mean_feature
from models.perceiver.tracking.tracker import TrackerSettings, Tracks, track
from tests.support.pseudo_detections import (
    CROSSING,
    FAULTY,
    FEATURES,
    Faults,
    Observed,
    assert_identities_are_kept,
    hidden,
    make_looks,
    observe,
    random_paths,
    straight,
    track_observed,
)


def _owners(tracks: Tracks, seen: Observed) -> list[set[int]]:
    """Of each track, the objects whose detections it is made of."""
    frames, slots = np.nonzero(seen.scores > 0)
    owner = {
        (frame, seen.boxes[frame, slot].astype(np.float32).tobytes()): int(seen.owners[frame, slot])
        for frame, slot in zip(frames, slots, strict=True)
    }
    return [
        {owner[frame, tracks.boxes[frame, n].tobytes()] for frame in np.flatnonzero(tracks.seen[:, n])}
        for n in range(len(tracks))
    ]


@pytest.mark.parametrize("faults", [Faults(), FAULTY])
def test_crossing_paths_keep_their_objects(faults: Faults) -> None:
    rng = np.random.default_rng(0)
    tracks = track_observed(observe(CROSSING, make_looks(3, rng), rng, faults))
    assert_identities_are_kept(tracks, CROSSING, 0.95)


@pytest.mark.parametrize("faults", [Faults(), FAULTY])
def test_an_object_hidden_for_thirty_frames_is_the_same(faults: Faults) -> None:
    rng = np.random.default_rng(1)
    moving, resting = hidden(straight((50, 100), (3, 0)), 40, 69), hidden(straight((300, 200), (0, 0)), 20, 79)
    truth = np.stack([moving, straight((220, 110), (0, 0)), resting], axis=1)
    tracks = track_observed(observe(truth, make_looks(3, rng), rng, faults))
    assert_identities_are_kept(tracks, truth, 0.95)
    assert not tracks.boxes[45:65, 0].any(), "a long gap is not filled"


def test_an_object_that_left_and_came_back_elsewhere_is_the_same() -> None:
    rng = np.random.default_rng(2)
    away = hidden(straight((400, 80), (3, 0)), 25, 80)
    away[81:] = straight((20, 280), (3, 0))[:44]
    entering, leaving = hidden(straight((20, 180), (3, 0)), 0, 39), hidden(straight((200, 250), (-3, 0)), 70, 124)
    truth = np.stack([away, leaving, entering], axis=1)
    for faults in (Faults(), FAULTY):
        tracks = track_observed(observe(truth, make_looks(3, rng), rng, faults))
        assert_identities_are_kept(tracks, truth, 0.95)


def test_tracks_come_by_first_appearance_then_from_left_to_right() -> None:
    rng = np.random.default_rng(7)
    late = hidden(straight((10, 40), (0, 0)), 0, 29)
    truth = np.stack([late, straight((400, 100), (0, 0)), straight((100, 250), (0, 0))], axis=1)
    tracks = track_observed(observe(truth, make_looks(3, rng), rng))
    assert np.array_equal(tracks.boxes[50], truth[50, [2, 1, 0]].astype(np.float32))


def test_features_are_averaged_over_confident_frames_by_score() -> None:
    rng = np.random.default_rng(8)
    seen = observe(CROSSING, make_looks(3, rng), rng)
    owned = seen.owners == 0
    seen.scores[owned] = np.where(np.arange(125) % 3, seen.scores[owned], 0.4)
    good = owned & (seen.scores >= 0.5)
    weights = seen.scores[good]
    expected = (weights[:, None] * seen.features[good]).sum(axis=0) / weights.sum()
    np.testing.assert_allclose(track_observed(seen).features[0], expected, atol=2e-2)
    everywhere = np.average(seen.features[owned], axis=0, weights=seen.scores[owned])
    np.testing.assert_allclose(
        track_observed(seen, TrackerSettings(confident_score=0.3)).features[0], everywhere, atol=1e-4
    )
    assert len(track_observed(seen, TrackerSettings(least_score=1.1))) == 0


def test_short_weak_and_surplus_tracks_are_dropped() -> None:
    rng = np.random.default_rng(11)
    short = hidden(straight((50, 50), (0, 0)), 6, 124)
    truth = np.stack([straight((200, 50), (0, 0)), short, hidden(straight((400, 250), (0, 0)), 0, 60)], axis=1)
    seen = observe(truth, make_looks(3, rng), rng)
    assert len(track_observed(seen)) == 2
    assert len(track_observed(seen, TrackerSettings(least_frames=6))) == 3
    only = track_observed(seen, TrackerSettings(most_objects=1))
    assert np.array_equal(only.boxes[0, 0], truth[0, 0].astype(np.float32)), "the longest has the most connections"
    seen.scores[seen.owners == 2] = 0.35
    assert len(track_observed(seen)) == 1
    assert len(track_observed(seen, TrackerSettings(least_mean_score=0.3))) == 2


def test_caches_of_earlier_versions_stay_valid() -> None:
    """Their index has these names and values."""
    assert TrackerSettings().cache_record() == {
        "least_score": 0.3,
        "confident_score": 0.5,
        "link_bar": 0.7,
        "look_weight": 1.0,
        "same_look": 0.7,
        "motion_weight": 0.8,
        "motion_memory": 15.0,
        "duplicate_overlap": 0.3,
        "duplicate_look": 0.3,
        "least_frames": 8,
        "least_mean_score": 0.4,
        "most_objects": 5,
        "fill_gap": 5,
        "smoothing": 0.0,
    }


def test_nothing_seen_is_no_tracks() -> None:
    empty = track(np.zeros((20, 8, 4)), np.zeros((20, 8)), np.zeros((20, 8, FEATURES)))
    assert len(empty) == 0 and empty.boxes.shape == (20, 0, 4) and empty.features.shape == (0, FEATURES)
    rng = np.random.default_rng(12)
    assert len(track_observed(observe(CROSSING[:1], make_looks(3, rng), rng))) == 0


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(ValueError, match=r"Expected boxes \[T, K, 4\].*\(got \(5, 8, 4\), \(5, 7\)"):
        track(np.zeros((5, 8, 4)), np.zeros((5, 7)), np.zeros((5, 8, FEATURES)))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 5))
def test_tracks_are_made_of_detections_and_share_none(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    seen = observe(random_paths(count, rng), make_looks(count, rng), rng, FAULTY)
    tracks = track_observed(seen)
    for frame, slots in enumerate(tracks.seen):
        used = [tuple(box) for box in tracks.boxes[frame, slots]]
        assert len(set(used)) == len(used)
        assert set(used) <= {tuple(box) for box in seen.boxes[frame].astype(np.float32)}
    first = tracks.seen.argmax(axis=0)
    assert (np.diff(first) >= 0).all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 5))
def test_random_scenes_keep_their_objects(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    looks = make_looks(count, rng)
    seen = observe(random_paths(count, rng), looks, rng, Faults(jitter=1.0, misses=0.1))
    owners = _owners(track_observed(seen, centre=looks.mean(axis=0)), seen)
    assert all(len(owner) == 1 for owner in owners)
    assert len(set.union(*owners)) == len(owners)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_detections_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen = observe(random_paths(4, rng), make_looks(4, rng), rng, FAULTY)
    order = rng.permutation(seen.scores.shape[1])
    other = track(seen.boxes[:, order], seen.scores[:, order], seen.features[:, order])
    np.testing.assert_array_equal(track_observed(seen).boxes, other.boxes)


def _real_detections(video: VideoExtras, looks: np.ndarray, rng: np.random.Generator) -> tuple[Observed, np.ndarray]:
    """Objects that are mostly hidden are missed; the truth is what could be seen."""
    truth = video.boxes * (video.visibility >= 0.3)[..., None]
    return observe(truth, looks[list(video.object_ids)], rng, FAULTY), truth


def test_real_motions_keep_their_objects(small_dataset: Path) -> None:
    for index in range(4):
        rng = np.random.default_rng(index)
        extras = read_extras(small_dataset / layout.extras(index))
        looks = make_looks(len(extras.target.object_ids), rng)
        videos = [_real_detections(video, looks, rng) for video in (extras.target, *extras.references)]
        centre = mean_feature(*(np.concatenate([getattr(v, n) for v, _ in videos]) for n in ("scores", "features")))
        for seen, truth in videos:
            tracks = track_observed(seen, centre=centre)
            scores = tracking_scores(tracks.boxes, truth, np.zeros(truth.shape[:2], bool))
            assert len(tracks) == truth.shape[1], f"set {index}"
            assert scores.switches == 0, f"set {index}"
            assert scores.idf1 is not None and scores.idf1 > 0.93, f"set {index}"
