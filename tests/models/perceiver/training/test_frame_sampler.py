"""Frames of a training step: stills share their videos with frames that are drawn."""

from pathlib import Path

import pytest
import torch

from comphy.choices import RendererName
from comphy.dataset.frames import FrameBatches
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import Stills
from comphy.errors import DatasetError
from data_gen.jobs.stills import StillsJob
from models.perceiver.training.sampler import BatchSize, FrameSampler, StillsSettings
from models.perceiver.truth import TrueBoxes
from tests.support.tiny import TINY, tiny_frames

pytestmark = pytest.mark.bullet
SIZE = BatchSize(frames=16, per_video=4)


@pytest.fixture(scope="module")
def truth(small_dataset: Path) -> TrueBoxes:
    return TrueBoxes(open_source(small_dataset), TINY.width)


@pytest.fixture(scope="module")
def frames(small_dataset: Path) -> FrameBatches:
    return tiny_frames(small_dataset)


@pytest.fixture(scope="module")
def stills(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Stills:
    out = tmp_path_factory.mktemp("stills")
    return StillsJob(small_dataset, out, RendererName.RAYTRACE, TINY.width, videos=5, frames=4).run()


def test_all_frames_but_one_of_some_videos_are_stills(frames: FrameBatches, truth: TrueBoxes, stills: Stills) -> None:
    sampler = FrameSampler(frames, truth, SIZE, seed=0, stills=stills, video_fraction=0.5)
    for step in range(3):
        drawn, still = sampler.keys(step)
        assert (len(drawn), len(still)) == (10, 6) and set(still) <= set(stills.keys)
        names = [key.name for key in still]
        assert len(set(names)) == 2 and [key.name for key in drawn[8:]] == names[::3], "in both looks"
        assert sampler.keys(step) == (drawn, still), "the same in a resumed run"
    assert sampler.keys(0) != sampler.keys(1)


def test_a_batch_has_the_pictures_and_boxes_of_its_keys(frames: FrameBatches, truth: TrueBoxes, stills: Stills) -> None:
    sampler = FrameSampler(frames, truth, SIZE, seed=0, stills=stills, video_fraction=0.5)
    batch = sampler.batch(0)
    drawn, still = sampler.keys(0)
    assert batch.frames.shape == (16, TINY.height, TINY.width, 3)
    for row, key in enumerate(still, start=len(drawn)):
        torch.testing.assert_close(batch.frames[row], torch.from_numpy(stills.picture(key)))
    torch.testing.assert_close(batch.boxes, truth.batch([*drawn, *still]))
    assert batch.stills is not None and batch.stills.tolist() == [False] * 10 + [True] * 6
    assert batch.originals is not None
    torch.testing.assert_close(batch.originals, frames.draw([*drawn, *still]))
    assert batch.videos[[8, 8, 8, 9, 9, 9]].tolist() == batch.videos[10:].tolist(), (
        "a still has the number of its video"
    )


def test_without_stills_nothing_changes(frames: FrameBatches, truth: TrueBoxes, stills: Stills) -> None:
    plain = FrameSampler(frames, truth, SIZE, seed=0).keys(3)
    assert plain[1] == [] and len(plain[0]) == 16
    mixed = FrameSampler(frames, truth, SIZE, seed=0, stills=stills, video_fraction=0.25).keys(3)
    assert len({key.name for key in (*mixed[0], *mixed[1])}) <= 4


def test_a_batch_may_be_stills_alone(frames: FrameBatches, truth: TrueBoxes, stills: Stills) -> None:
    sampler = FrameSampler(frames, truth, BatchSize(frames=1, per_video=1), seed=0, stills=stills, video_fraction=1.0)
    drawn, still = sampler.keys(0)
    assert not drawn and len(still) == 1 and sampler.batch(0).frames.shape == (1, TINY.height, TINY.width, 3)


def test_stills_must_be_large_enough(stills: Stills, truth: TrueBoxes, small_dataset: Path) -> None:
    settings = StillsSettings(str(stills.folder))
    assert settings.read(truth) == stills and StillsSettings().read(truth) is None
    with pytest.raises(DatasetError, match=r"at least as wide as the detector's pictures, 96 pixels \(got 48\)"):
        settings.read(TrueBoxes(open_source(small_dataset), 96))
