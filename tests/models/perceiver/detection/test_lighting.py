from pathlib import Path

import pytest
import torch

from comphy.dataset.frames import FrameKey
from comphy.errors import DatasetError
from models.perceiver.detection.checkpoint import load_lighting, save_detector
from models.perceiver.detection.contract import Detections
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.lighting import STUDIO, Lighting
from models.perceiver.perceive import Perceiver, draw_set
from models.perceiver.training.distortions import brightened, contrasted
from models.train.checkpoint import load_tensors, save_tensors
from tests.support.tiny import TINY, BlindDetector, tiny_frames

WARM = torch.tensor([1.1, 1.0, 0.75])  # of a lamp
CHANGES = {
    "dark": lambda images: brightened(images, 0.6),
    "bright": lambda images: brightened(images, 1.25),
    "flat": lambda images: contrasted(images, 0.65),
    "harsh": lambda images: contrasted(images, 1.5),
    "warm": lambda images: images * WARM,
}


@pytest.fixture(scope="module")
def drawn(small_dataset: Path) -> torch.Tensor:
    """Frames of one video by the benchmark's renderer."""
    return tiny_frames(small_dataset).draw([FrameKey(0, "target", frame) for frame in range(0, 120, 10)])


def _as_filmed(frames: torch.Tensor) -> torch.Tensor:
    return frames.round().clamp(0, 255).to(torch.uint8)


@pytest.mark.bullet
def test_frames_under_the_light_of_training_stay_as_they_are(drawn: torch.Tensor) -> None:
    assert STUDIO.adapted(drawn) is drawn
    seen = Lighting.of(drawn)
    assert seen.floor == pytest.approx(STUDIO.floor, abs=3) and seen.highlight == pytest.approx(STUDIO.highlight, abs=5)


@pytest.mark.bullet
@pytest.mark.parametrize("name", CHANGES)
def test_another_light_is_undone(drawn: torch.Tensor, name: str) -> None:
    filmed = _as_filmed(CHANGES[name](drawn.float()))
    mended = STUDIO.adapted(filmed)
    before, after = ((frames.float() - drawn.float()).abs().mean() for frames in (filmed, mended))
    assert mended.dtype == torch.uint8 and float(after) < 3 and float(after) < float(before) / 5


@pytest.mark.parametrize("level", [0, 3, 255])
def test_frames_that_show_nothing_stay_finite(level: int) -> None:
    frames = torch.full((2, 32, 48, 3), level, dtype=torch.uint8)
    assert STUDIO.adapted(frames).shape == frames.shape


def test_an_evenly_lit_floor_is_no_lack_of_contrast() -> None:
    frames = torch.full((2, 64, 96, 3), 88, dtype=torch.uint8)
    frames[:, 20:30, 20:30] = 20
    mended = STUDIO.adapted(frames)
    assert mended[0, 0, 0].tolist() == [175, 175, 175], "the floor's level is that of training"
    assert mended[0, 25, 25].tolist() == [40, 40, 40], "and a dark object is brighter by the same factor"


class Recorder(BlindDetector):
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: list[torch.Tensor] = []

    def detect(self, frames: torch.Tensor) -> Detections:
        self.shown.append(frames)
        return super().detect(frames)


@pytest.mark.bullet
def test_each_video_of_a_set_is_brought_to_the_known_light(small_dataset: Path) -> None:
    frames = draw_set(tiny_frames(small_dataset), 0, videos=("target", "reference_0"))
    dimmed = frames.clone()
    dimmed[125:] = _as_filmed(frames[125:] * 0.5)
    detector = Recorder()
    Perceiver(detector, torch.device("cpu"), batch=512).tracks(dimmed, 0, ("target", "reference_0"))
    (shown,) = detector.shown
    assert torch.equal(shown[:125], frames[:125])
    assert float((shown[125:].float() - frames[125:].float()).abs().mean()) < 2


def test_a_detector_keeps_the_light_it_learned_under(tmp_path: Path) -> None:
    path = tmp_path / "detector.safetensors"
    known = Lighting((90.0, 91.0, 92.0), (120.0, 121.0, 122.0))
    save_detector(path, FasterRCNN(TINY), step=1, lighting=known)
    assert load_lighting(tmp_path) == known
    weights, facts = load_tensors(path)
    save_tensors(path, weights, {name: value for name, value in facts.items() if name != "lighting"})
    assert load_lighting(tmp_path) == STUDIO, "files from before it was kept"
    for damaged in ({"floor": [1, 2, 3]}, {"floor": [1], "highlight": [1, 2, 3]}):
        save_tensors(path, weights, {**facts, "lighting": damaged})
        with pytest.raises(DatasetError, match=r"detector\.safetensors"):
            load_lighting(tmp_path)
