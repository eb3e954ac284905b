"""What a detector would say about boxes that are known: with jitter, misses and false alarms, and looks as vectors."""

from dataclasses import dataclass

import numpy as np

from comphy.evaluation.perception.tracking import tracking_scores
from models.perceiver.tracking.tracker import TrackerSettings, Tracks, track

SLOTS = 8
FEATURES = 64


@dataclass(frozen=True)
class Observed:
    """boxes [T, K, 4], scores [T, K], features [T, K, D], owners [T, K]: the object of each detection or -1."""

    boxes: np.ndarray
    scores: np.ndarray
    features: np.ndarray
    owners: np.ndarray


@dataclass(frozen=True)
class Faults:
    jitter: float = 0.0  # pixels
    misses: float = 0.0  # share of detections
    false_alarms: float = 0.0  # a frame
    noise: float = 0.3  # of features, where looks have deviation one


FAULTY = Faults(jitter=1.0, misses=0.1, false_alarms=1.0, noise=0.5)


def make_looks(count: int, rng: np.random.Generator) -> np.ndarray:
    """[N, D]: random vectors with a large common part, as those of a rectified network have."""
    return 3.0 + rng.normal(size=(count, FEATURES))


def observe(truth: np.ndarray, looks: np.ndarray, rng: np.random.Generator, faults: Faults | None = None) -> Observed:
    """Detections of true boxes [T, N, 4], zero where nothing is to be seen, in random order in each frame."""
    faults = faults or Faults()
    frames = len(truth)
    found = Observed(
        np.zeros((frames, SLOTS, 4)),
        np.zeros((frames, SLOTS)),
        rng.normal(size=(frames, SLOTS, looks.shape[1])),
        np.full((frames, SLOTS), -1),
    )
    for frame in range(frames):
        there = [n for n in range(truth.shape[1]) if truth[frame, n].any() and rng.random() >= faults.misses]
        slots = rng.permutation(SLOTS)
        for slot, owner in zip(slots, there, strict=False):
            found.boxes[frame, slot] = truth[frame, owner] + faults.jitter * rng.normal(size=4)
            found.scores[frame, slot] = rng.uniform(0.75, 1.0)
            found.features[frame, slot] = looks[owner] + faults.noise * rng.normal(size=looks.shape[1])
            found.owners[frame, slot] = owner
        for slot in slots[len(there) : len(there) + rng.poisson(faults.false_alarms)]:
            corner, side = rng.uniform((0, 0), (440, 280)), rng.uniform(15, 60, size=2)
            found.boxes[frame, slot] = (*corner, *(corner + side))
            found.scores[frame, slot] = rng.uniform(0.1, 0.8)
            found.features[frame, slot] = make_looks(1, rng)[0]
    return found


def square(path: np.ndarray, side: float = 40.0) -> np.ndarray:
    """Boxes [T, 4] around centres [T, 2]."""
    return np.concatenate([path - side / 2, path + side / 2], axis=1)


def straight(start: tuple[float, float], velocity: tuple[float, float], frames: int = 125) -> np.ndarray:
    """Boxes [T, 4] of an object in uniform motion."""
    return square(np.array(start) + np.arange(frames)[:, None] * np.array(velocity))


def hidden(boxes: np.ndarray, first: int, last: int) -> np.ndarray:
    """Boxes [T, 4] without frames first..last."""
    boxes = boxes.copy()
    boxes[first : last + 1] = 0
    return boxes


def random_paths(count: int, rng: np.random.Generator, frames: int = 125) -> np.ndarray:
    """Boxes [T, N, 4] of objects that cross the picture on straight paths, absent while their centre is outside."""
    starts = rng.uniform((60, 60), (420, 260), size=(count, 2))
    velocities = rng.uniform(-3, 3, size=(count, 2))
    offsets = np.arange(frames)[:, None, None] - frames // 2
    paths = starts + offsets * velocities  # [T, N, 2]
    boxes = np.stack([square(paths[:, n]) for n in range(count)], axis=1)
    inside = ((paths > 0) & (paths < (480, 320))).all(axis=-1)
    return boxes * inside[..., None]


CROSSING = np.stack([straight((60, 150), (3, 0)), straight((430, 170), (-3, 0)), straight((240, 20), (0, 2))], axis=1)


def track_observed(seen: Observed, settings: TrackerSettings | None = None, centre: np.ndarray | None = None) -> Tracks:
    return track(seen.boxes, seen.scores, seen.features, settings, centre)


def assert_identities_are_kept(tracks: Tracks, truth: np.ndarray, least: float) -> None:
    scores = tracking_scores(tracks.boxes, truth, np.zeros(truth.shape[:2], bool))
    assert len(tracks) == truth.shape[1]
    assert scores.switches == 0
    assert scores.idf1 is not None and scores.idf1 >= least
