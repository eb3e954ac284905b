import numpy as np

from models.perceiver.tracking.tracker import TrackerSettings
from tests.support.pseudo_detections import (
    Faults,
    hidden,
    make_looks,
    observe,
    straight,
    track_observed,
)


def test_short_gaps_are_filled_and_flagged() -> None:
    rng = np.random.default_rng(9)
    path = straight((50, 100), (3, 1))
    truth = np.stack([hidden(hidden(path, 30, 34), 70, 75), straight((300, 250), (0, 0))], axis=1)
    seen = observe(truth, make_looks(2, rng), rng)
    tracks = track_observed(seen)
    assert np.array_equal(tracks.seen[:, 0], truth[:, 0].any(axis=1))
    np.testing.assert_allclose(tracks.boxes[30:35, 0], path[30:35], atol=1e-3)
    assert not tracks.scores[30:35, 0].any() and not tracks.boxes[70:76, 0].any()
    assert not track_observed(seen, TrackerSettings(fill_gap=4)).boxes[30:35, 0].any()


def test_smoothing_takes_away_jitter_and_keeps_the_path() -> None:
    rng = np.random.default_rng(10)
    truth = np.stack([straight((50, 100), (3, 1)), hidden(straight((300, 250), (0, 0)), 0, 9)], axis=1)
    exact = track_observed(observe(truth, make_looks(2, rng), rng), TrackerSettings(smoothing=1.0))
    np.testing.assert_allclose(exact.boxes, truth, atol=1e-3)
    seen = observe(truth, make_looks(2, rng), rng, Faults(jitter=2.0))
    rough, smooth = (track_observed(seen, TrackerSettings(smoothing=s)).boxes for s in (0.0, 1.0))
    assert np.abs(smooth - truth).mean() < 0.7 * np.abs(rough - truth).mean()
