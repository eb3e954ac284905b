"""Releases and one's own videos go through perceiving, training and answering as our own datasets do."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.choices import ExportAs
from comphy.dataset.media.video import write_mp4
from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import read_submission
from data_gen.frames import open_frames
from models.pcr.evaluation.alignment_scores import alignment_score
from models.pcr.evaluation.true_sets import read_true_sets
from models.pcr.reasoner.answering import answer_scenes
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import observe
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import cache_key, fill, open_cache
from models.perceiver.perceive import open_perceiver
from models.perceiver.training.trainer import PerceiverConfig, TrainingSettings, fit_detector
from models.perceiver.truth import TrueBoxes
from models.tasks import load_task, train
from models.train.run import Run
from tests.support.tiny import TINY, save_untrained

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_untrained(tmp_path_factory.mktemp("weights"))


def perceived(weights: Path, data: Path, out: Path, index: int) -> FeatureCache:
    perceiver = open_perceiver(weights, torch.device("cpu"), 64, open_source(data).lengths)
    key = cache_key(weights, data, perceiver.tracking, "videos")
    with open_cache(out, key, perceiver, data) as writer:
        fill(writer, perceiver, open_frames(data, "videos", TINY.width, "cpu"), [index])
    return FeatureCache(out, key)


def test_a_release_is_seen_as_the_dataset_it_was_exported_from(
    weights: Path, six_rendered: Path, exports: dict[ExportAs, Path], tmp_path: Path
) -> None:
    own = perceived(weights, six_rendered, tmp_path / "own", 4).read(4)
    for chosen in (ExportAs.COMPHY_A, ExportAs.COMPHY_B):
        theirs = perceived(weights, exports[chosen], tmp_path / chosen, 4000).read(4000)
        np.testing.assert_array_equal(theirs.target.boxes, own.target.boxes)
        np.testing.assert_array_equal(theirs.owners, own.owners)
        assert len(theirs.references) == 4


def test_questions_about_clevrer_are_answered_without_references(
    weights: Path, exports: dict[ExportAs, Path], tmp_path: Path
) -> None:
    data = exports[ExportAs.CLEVRER]
    cache = perceived(weights, data, tmp_path, 10000)
    assert cache.read(10000).references == () and cache.read(10000).target.boxes.shape[0] == 125
    scenes = open_source(data).questions("val")
    truth = read_true_sets(data, [10000], cache)
    assert alignment_score(observe(cache, [10000]).owners, truth) is None
    torch.manual_seed(0)
    reasoner = Reasoner(ReasonerSettings(features=512, state_fit=False, property_refinement=False)).eval()
    answered = answer_scenes(reasoner, observe(cache, [10000]), scenes, 1).answers
    assert len(answered) == sum(len(scene.questions) for scene in scenes) > 0


def test_a_detector_learns_from_the_videos_of_a_release(
    exports: dict[ExportAs, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    data = exports[ExportAs.COMPHY_A]
    settings = TrainingSettings(steps=1, batch_size=2, frames_per_video=2, warmup_steps=1, log_every=1)
    config = PerceiverConfig(detector=TINY, training=settings, frames="videos")
    run = Run(data, tmp_path / "run", open_frames=partial(open_frames, data))
    frames = run.frames(config.frames, TINY.width, "cpu")
    assert fit_detector(config, run, frames, TrueBoxes(open_source(data), TINY.width))[1] == 1


def test_a_model_of_the_questions_alone_learns_from_a_release(exports: dict[ExportAs, Path], tmp_path: Path) -> None:
    """The answers of the test split are not there: they are written for a submission, and not scored."""
    data = exports[ExportAs.COMPHY_B]
    outcome = train(*load_task(Path("configs/baselines/frequent.yaml"), []), Run(data, tmp_path))
    assert set(outcome.reports) == {"val"}
    asked = open_source(data).questions("test", answers=False)
    assert len(read_submission(tmp_path / "submission_test.json")) == sum(len(one.questions) for one in asked)


def test_own_videos_shorter_than_the_benchmarks_are_perceived(weights: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for name, frames in (("target", 60), ("second", 30)):
        write_mp4(tmp_path / "mine" / f"{name}.mp4", rng.integers(90, 120, (frames, 36, 64, 3), np.uint8))
    one = perceived(weights, tmp_path / "mine", tmp_path / "cache", 0).read(0)
    assert len(one.target.boxes) == 60 and [len(video.boxes) for video in one.references] == [30]
