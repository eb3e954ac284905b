import numpy as np

from models.perceiver.tracking.tracker import TrackerSettings
from tests.support.pseudo_detections import (
    CROSSING,
    FEATURES,
    Faults,
    assert_identities_are_kept,
    hidden,
    make_looks,
    observe,
    straight,
    track_observed,
)


def test_one_that_looks_different_does_not_take_over_a_place() -> None:
    """The first leaves its place, the second comes to it soon after: two objects, whatever the motion says."""
    rng = np.random.default_rng(3)
    first, second = hidden(straight((200, 150), (0, 0)), 60, 124), hidden(straight((200, 150), (0, 0)), 0, 62)
    truth = np.stack([first, straight((400, 250), (0, 0)), second], axis=1)
    assert_identities_are_kept(track_observed(observe(truth, make_looks(3, rng), rng)), truth, 1.0)


def test_a_lone_object_with_gaps_is_one_object() -> None:
    rng = np.random.default_rng(4)
    truth = hidden(hidden(straight((50, 100), (3, 0)), 30, 32), 60, 67)[:, None]
    tracks = track_observed(observe(truth, make_looks(1, rng), rng, Faults(misses=0.1)))
    assert len(tracks) == 1


def test_the_thresholds_of_association_can_be_set() -> None:
    rng = np.random.default_rng(14)
    away = hidden(straight((60, 80), (0, 0)), 40, 80)
    away[81:] = straight((400, 280), (0, 0))[:44]
    seen = observe(np.stack([away, straight((200, 150), (0, 0))], axis=1), make_looks(2, rng), rng)
    assert len(track_observed(seen)) == 2
    assert len(track_observed(seen, TrackerSettings(appearance_threshold=1.01))) == 3
    lone = observe(hidden(straight((50, 100), (2, 0)), 50, 74)[:, None], make_looks(1, rng), rng)
    assert len(track_observed(lone, TrackerSettings(motion_memory=50.0))) == 1
    assert len(track_observed(lone, TrackerSettings(motion_memory=5.0))) == 2
    assert len(track_observed(lone, TrackerSettings(motion_memory=50.0, motion_weight=0.0))) == 2


def test_the_sets_centre_tells_objects_apart_that_never_meet() -> None:
    rng = np.random.default_rng(5)
    looks = make_looks(4, rng)
    first, second = hidden(straight((50, 100), (2, 0)), 50, 124), hidden(straight((400, 200), (-2, 0)), 0, 69)
    seen = observe(np.stack([first, second], axis=1), looks[:2], rng)
    assert len(track_observed(seen, centre=looks.mean(axis=0))) == 2
    back = observe((first + second)[:, None], looks[:1], rng)
    assert len(track_observed(back, centre=looks.mean(axis=0))) == 1


def test_an_object_detected_twice_is_one_track() -> None:
    rng = np.random.default_rng(6)
    truth = CROSSING[:, :2]
    seen = observe(truth, make_looks(2, rng), rng)
    for frame in range(0, 125):
        slot, spare = np.flatnonzero(seen.owners[frame] == 0)[0], np.flatnonzero(seen.owners[frame] < 0)[0]
        seen.boxes[frame, spare] = seen.boxes[frame, slot] + (4, 8, -4, -2)
        seen.scores[frame, spare] = 0.7 * seen.scores[frame, slot]
        seen.features[frame, spare] = seen.features[frame, slot] + 0.3 * rng.normal(size=FEATURES)
    assert_identities_are_kept(track_observed(seen), truth, 0.95)
    assert len(track_observed(seen, TrackerSettings(duplicate_overlap=1.0, duplicate_threshold=1.1))) == 3


def test_a_part_of_an_object_is_no_object() -> None:
    """Its look is half the object's own."""
    rng = np.random.default_rng(13)
    looks = make_looks(2, rng)
    parts = np.concatenate([looks, [(looks[0] + looks.mean(axis=0) + rng.normal(size=FEATURES)) / 2]])
    whole = CROSSING[:, :2]
    truth = np.concatenate([whole, whole[:, :1] + (0, 0, -22, -4)], axis=1)
    seen = observe(truth, parts, rng)
    seen.scores[seen.owners == 2] -= 0.2
    assert_identities_are_kept(track_observed(seen), whole, 0.95)
    assert len(track_observed(seen, TrackerSettings(duplicate_threshold=1.1))) == 3
