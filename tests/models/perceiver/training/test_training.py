"""The perceiver end to end on tiny pictures: two steps of training, then a set perceived and scored."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from PIL import Image

from comphy.choices import RendererName
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import picture_path
from comphy.errors import ComphyError, ConfigError, DatasetError
from data_gen.frames import open_frames
from data_gen.jobs.stills import StillsJob
from models.perceiver.detection.checkpoint import load_detector
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.evaluation import score_perceiver
from models.perceiver.perceive import Perceiver
from models.perceiver.training.augmentation import FrameAugmentation
from models.perceiver.training.sampler import StillsSettings
from models.perceiver.training.trainer import PerceiverConfig, TrainingSettings, fit_detector, schedule
from models.perceiver.truth import TrueBoxes
from models.train.run import Run
from tests.support.tiny import QUICK, TINY, tiny_frames

pytestmark = pytest.mark.bullet

CONFIG = PerceiverConfig(
    detector=TINY, training=TrainingSettings(steps=2, batch_size=2, frames_per_video=2, warmup_steps=1, log_every=1)
)


def _fit(config: PerceiverConfig, data: Path, out: Path, max_minutes: float | None = None) -> tuple[object, int]:
    run = Run(data, out, max_minutes, open_frames=partial(open_frames, data, config=QUICK))
    frames = run.frames(config.frames, TINY.width, "cpu")
    return fit_detector(config, run, frames, TrueBoxes(open_source(data), TINY.width))


@pytest.fixture(scope="module")
def trained(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("perceiver")
    assert _fit(CONFIG, small_dataset, out)[1] == 2
    return out


@pytest.mark.slow
def test_two_steps_leave_weights_and_a_log(trained: Path) -> None:
    detector = load_detector(trained)
    assert detector.settings == TINY and not detector.training
    assert len((trained / "metrics.jsonl").read_text().splitlines()) == 2


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_weights(small_dataset: Path, trained: Path, tmp_path: Path) -> None:
    half = replace(CONFIG, training=replace(CONFIG.training, steps=2))
    assert _fit(half, small_dataset, tmp_path, max_minutes=0)[1] == 1, "out of time after the first step"
    assert _fit(half, small_dataset, tmp_path)[1] == 2
    one, other = load_detector(trained).state_dict(), load_detector(tmp_path).state_dict()
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.slow
def test_a_set_is_perceived_and_scored(small_dataset: Path, trained: Path) -> None:
    perceiver = Perceiver(load_detector(trained), torch.device("cpu"), batch=64)
    frames = tiny_frames(small_dataset)
    truth = TrueBoxes(open_source(small_dataset), TINY.width)
    (perceived,) = perceiver.sets(frames, [0])
    assert (perceived.index, perceived.width, perceived.height) == (0, 48, 32)
    assert perceived.target.boxes.shape == (125, len(perceived), 4) and len(perceived) <= 5
    assert perceived.target.features.shape == (len(perceived), 512)
    assert [len(video.boxes) for video in perceived.references] == [50] * 4
    for video in (perceived.target, *perceived.references):
        assert (video.boxes[video.seen][:, 2:] > video.boxes[video.seen][:, :2]).all()
        assert video.boxes.min(initial=0) >= 0 and video.boxes.max(initial=0) <= 48
    assert perceived.owners.shape[0] == 4 and perceived.owners.max(initial=-1) < len(perceived)
    scores = score_perceiver(perceiver, frames, truth, [0])
    assert scores.detection.frames == 325 and scores.tracking.videos == 5


@pytest.mark.slow
def test_a_checkpoint_of_another_architecture_is_refused(small_dataset: Path, trained: Path) -> None:
    other = replace(CONFIG, detector=replace(TINY, anchor_sizes=(8.0,)))
    with pytest.raises(DatasetError, match="another architecture"):
        _fit(other, small_dataset, trained)
    with pytest.raises(DatasetError, match="not a checkpoint"):
        load_detector(trained / "metrics.jsonl")


@pytest.mark.slow
def test_a_training_that_breaks_down_stops(small_dataset: Path, tmp_path: Path) -> None:
    wild = replace(CONFIG, training=replace(CONFIG.training, learning_rate=1e30, max_gradient_norm=1e30, steps=4))
    with pytest.raises(
        ComphyError, match=r"no longer finite at step \d of the detector .*lower training\.learning_rate"
    ):
        _fit(wild, small_dataset, tmp_path)


def test_a_full_gpu_is_explained(small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 900 GiB.")

    monkeypatch.setattr(FasterRCNN, "losses", greedy)
    with pytest.raises(ComphyError, match=r"too small for batches of 2 frames.*smaller training\.batch_size"):
        _fit(CONFIG, small_dataset, tmp_path)


def test_the_learning_rate_rises_and_falls() -> None:
    settings = TrainingSettings(steps=100, warmup_steps=10)
    rates = [schedule(step, settings) for step in range(100)]
    assert rates[0] == 0.1 and max(rates) == pytest.approx(1.0) and rates[-1] < 0.01


def test_frames_that_are_not_there() -> None:
    with pytest.raises(ConfigError, match="did you mean 'videos'"):
        open_frames(Path(), "video", 96, "cpu")
    with pytest.raises(ConfigError, match="looks at frames"):
        Run(Path(), Path()).frames("raytrace", 96, "cpu")


@pytest.mark.slow
def test_embeddings_of_stills_reconstruct_the_frames_as_they_are_drawn(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stills that are black: a detector sees them, and what is to be reconstructed is not."""
    stills = StillsJob(small_dataset, tmp_path / "stills", RendererName.RAYTRACE, TINY.width, videos=2, frames=2).run()
    for key in stills.keys:
        Image.new("RGB", (stills.width, stills.height)).save(picture_path(stills.folder, key))
    told: list[tuple[torch.Tensor, torch.Tensor]] = []
    losses = FasterRCNN.losses

    def watched(self: FasterRCNN, frames: torch.Tensor, *more: torch.Tensor) -> object:
        told.append((frames, more[2]))
        return losses(self, frames, *more)

    monkeypatch.setattr(FasterRCNN, "losses", watched)
    plain = FrameAugmentation(probability=0)
    config = replace(CONFIG, augmentation=plain, stills=StillsSettings(str(stills.folder), video_fraction=1.0))
    assert _fit(config, small_dataset, tmp_path / "run")[1] == 2
    for frames, reconstructed in told:
        black = (frames == 0).flatten(1).all(dim=1)
        assert black.tolist() == [False, True]
        assert not (reconstructed[1] == 0).any(), "a lit table"
        torch.testing.assert_close(reconstructed[0], frames[0])
