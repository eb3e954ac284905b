"""A detector for pictures so small that a whole set is looked at in two seconds on one core."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset.frames import FrameBatches
from data_gen.config import DatasetConfig, RaytraceOptions
from data_gen.frames import open_frames
from models.perceiver.detection.checkpoint import MODEL, save_detector
from models.perceiver.detection.contract import FEATURES, Detections
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.network import DetectorSettings
from models.perceiver.perceive import BATCH

TINY = DetectorSettings(
    48, 32, (3.0, 5.0, 7.0), region_grid=2, proposals=3, detections=3, backbone="resnet18", refinement_grid=0
)

QUICK = DatasetConfig(raytrace=RaytraceOptions(samples=1, shadows=False))


def tiny_frames(data: Path) -> FrameBatches:
    """Frames of a dataset for this detector, drawn quickly rather than well."""
    return open_frames(data, "raytrace", TINY.width, "cpu", QUICK)


@contextmanager
def quick_drawing() -> Iterator[None]:
    """Frames are drawn so wherever the benchmark's options would be taken, and more of them are detected in at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BATCH, "cpu", 64)
        patch.setattr("data_gen.frames.DatasetConfig", lambda: QUICK)
        yield


def save_untrained(run: Path, seed: int = 0) -> Path:
    """The folder of a run whose detector has learned nothing, so that it sees something everywhere."""
    save_detector(run / MODEL, _untrained(seed), step=0)
    return run


@cache
def _untrained(seed: int) -> FasterRCNN:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return FasterRCNN(TINY)


def square_over_noise(frames: int, rng: np.random.Generator) -> np.ndarray:
    """A video of its size, in which a red square moves to the right."""
    video = rng.integers(100, 140, (frames, TINY.height, TINY.width, 3), np.uint8)
    for frame in range(frames):
        left = frame * (TINY.width - 8) // frames
        video[frame, 12:20, left : left + 8] = (200, 40, 40)
    return video


class BlindDetector:
    """Finds nothing in any picture."""

    size = (TINY.width, TINY.height)

    def detect(self, frames: torch.Tensor) -> Detections:
        places = (len(frames), TINY.detections)
        return Detections(torch.zeros(*places, 4), torch.zeros(places), torch.zeros(*places, FEATURES))

    def describe(self, frames: torch.Tensor, regions: torch.Tensor) -> torch.Tensor:
        return torch.zeros(*regions.shape[:2], FEATURES)
