"""Scores of a perceiver that sees what it is told to see."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.choices import Watched
from comphy.dataset.frames import FrameKey
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD
from models.perceiver.detection.contract import FEATURES, Detections
from models.perceiver.evaluation import score_perceiver
from models.perceiver.perceive import Perceiver
from models.perceiver.truth import TrueBoxes
from tests.support.tiny import TINY, BlindDetector, tiny_frames

pytestmark = pytest.mark.bullet


class Oracle(BlindDetector):
    """Knows the frames that are coming: their true boxes, and a look for each object of the set."""

    def __init__(self, truth: TrueBoxes, index: int, videos: tuple[str, ...]) -> None:
        self._looks = np.random.default_rng(0).normal(size=(5, FEATURES)).astype(np.float32)
        keys = [FrameKey(index, video, frame) for video in videos for frame in range(STANDARD.of(video))]
        boxes = truth.batch(keys)
        looks = np.zeros((len(keys), boxes.shape[1], FEATURES), np.float32)
        for row, key in enumerate(keys):
            ids = truth.object_ids(index, key.video)
            looks[row, : len(ids)] = self._looks[list(ids)]
        self._coming = Detections(boxes, (boxes[..., 2] > 0).float(), torch.from_numpy(looks))
        self._next = 0

    def detect(self, frames: torch.Tensor) -> Detections:
        part = slice(self._next, self._next + len(frames))
        self._next += len(frames)
        return Detections(self._coming.boxes[part], self._coming.scores[part], self._coming.features[part])


def _perceiver(truth: TrueBoxes, watched: Watched) -> Perceiver:
    return Perceiver(Oracle(truth, 1, watched.names(STANDARD.videos)), torch.device("cpu"), batch=100)


@pytest.mark.parametrize(
    ("watched", "videos", "frames"), [(Watched.ALL, 5, 325), (Watched.TARGET, 1, 125), (Watched.REFERENCES, 4, 200)]
)
@pytest.mark.slow
def test_the_videos_that_are_watched_are_scored(
    small_dataset: Path, watched: Watched, videos: int, frames: int
) -> None:
    truth = TrueBoxes(open_source(small_dataset), TINY.width)
    source = tiny_frames(small_dataset)
    scores = score_perceiver(_perceiver(truth, watched), source, truth, [1], watched)
    assert scores.tracking.videos == videos and scores.detection.frames == frames
    assert scores.detection.ap75 is not None and scores.detection.ap75 > 0.99
    assert scores.tracking.idf1 is not None and scores.tracking.idf1 > 0.98 and scores.tracking.switches == 0
    assert (scores.alignment is None) == (watched is not Watched.ALL)
    if scores.alignment is not None:
        shown = sum(len(truth.object_ids(1, video)) for video in STANDARD.videos[1:])
        assert scores.alignment.right == scores.alignment.count == shown


def test_what_sees_nothing_scores_nothing(small_dataset: Path) -> None:
    truth = TrueBoxes(open_source(small_dataset), TINY.width)
    source = tiny_frames(small_dataset)
    scores = score_perceiver(Perceiver(BlindDetector(), torch.device("cpu"), 100), source, truth, [1])
    assert scores.detection.recall == 0 and scores.tracking.idr == 0 and scores.alignment is None
