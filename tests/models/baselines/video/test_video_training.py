"""Video baselines on made-up features: what the videos show decides the answers, so that words alone do not help."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from comphy.evaluation.qa.accuracy import score
from comphy.questions.model import SceneQuestions
from models.baselines.blind.lstm import LSTMSize
from models.baselines.blind.training import BlindData, prepare
from models.baselines.cnn_lstm import CNNLSTM, CNNLSTMConfig, CNNLSTMSize
from models.baselines.contract import answer_all
from models.baselines.training import CHECKPOINT, EarlyStoppingMetric, losses
from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import Shown
from models.baselines.video.training import WEIGHTS, Build, Fitted, Interface, Standardize, fit_video
from models.baselines.video.views import Views, VisualFeatures
from models.perceiver.cache.arrays import ArrayReader
from models.train.metrics import METRICS
from models.train.run import Run

SHAPE = FrameFeatureShape(target=3, references=2, reference=2, cells=1, features=12)
SETS = 8
CPU = torch.device("cpu")
SMALL = CNNLSTMConfig(
    device="cpu",
    epochs=3,
    patience=3,
    batch_size=16,
    model=CNNLSTMSize(embedding=8, hidden=8, joint=12, dropout=0.2),
)


def build(config: CNNLSTMConfig) -> Build:
    return lambda interface: CNNLSTM(config.model, interface)


@pytest.fixture
def write(
    write_features: Callable[..., ArrayReader[FrameFeatureShape]],
) -> Callable[..., ArrayReader[FrameFeatureShape]]:
    """Features of eight sets."""
    return partial(write_features, shape=SHAPE, sets=SETS)


@pytest.fixture
def scenes(make_scenes) -> list[SceneQuestions]:
    return make_scenes(SETS)


@pytest.fixture
def data(scenes: list[SceneQuestions]) -> BlindData:
    return prepare(scenes, scenes, LSTMSize())


def fit(
    config: CNNLSTMConfig,
    data: BlindData,
    cache: ArrayReader[FrameFeatureShape],
    out: Path,
    minutes: float | None = None,
) -> Fitted:
    return fit_video(
        config, Run(Path(), out, minutes), VisualFeatures(cache, "made up"), data, build(config), "CNN-LSTM"
    )


@pytest.mark.slow
@pytest.mark.parametrize("references", [False, True])
def test_overfits_eight_sets(tmp_path: Path, write, scenes: list[SceneQuestions], data: BlindData, references: bool):
    """The same words have other answers in other sets: only the videos, or the references, tell them apart."""
    config = replace(
        SMALL,
        references=references,
        epochs=18,
        patience=18,
        batch_size=8,
        learning_rate=0.01,
        weight_decay=0.0,
        model=CNNLSTMSize(32, 48, 64, 0.0),
    )
    cache = write(tmp_path / "cache", target_tells=not references)
    fitted = fit(config, data, cache, tmp_path / "run")
    columns = score(scenes, answer_all(fitted.baseline(), scenes)).columns()
    assert {name: one.value for name, one in columns.items() if one} == {
        "factual": 1.0,
        "counterfactual_per_option": 1.0,
        "counterfactual_per_question": 1.0,
    }


@pytest.mark.parametrize("references", [False, True])
def test_gradients_reach_every_parameter(tmp_path: Path, write, data: BlindData, references: bool):
    cache = write(tmp_path, target_tells=True)
    shown = Shown(references=references)
    views = Views(cache, cache.indices(), shown, CPU)
    told = (data.description.words, len(data.description.answers))
    statistics = views.statistics(range(SETS))
    module = CNNLSTM(SMALL.model, Interface(*told, SHAPE, shown, *statistics))
    sum(losses(module(data.train.tokens, data.train.lengths, *views(data.train.scenes)), data.train)).backward()
    still = [name for name, one in module.named_parameters() if one.grad is None or not one.grad.abs().sum() > 0]
    assert not still


def test_going_on_gives_the_same_weights_bit_for_bit(tmp_path: Path, write, data: BlindData):
    cache = write(tmp_path / "cache", target_tells=True)
    whole = fit(SMALL, data, cache, tmp_path / "whole").progress
    steps = SMALL.epochs * -(-len(data.train) // SMALL.batch_size)
    parts = [fit(SMALL, data, cache, tmp_path / "parts", minutes=0).progress for _ in range(steps)]
    assert parts[-1] == whole and whole.finished(SMALL) and not parts[-2].finished(SMALL)
    for name in (WEIGHTS, CHECKPOINT):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


@pytest.mark.parametrize("metric", list(EarlyStoppingMetric))
def test_the_best_epoch_is_best_in_what_the_config_says(tmp_path: Path, write, data: BlindData, metric: str):
    config = replace(SMALL, epochs=6, patience=6, learning_rate=0.05, early_stopping_metric=metric)
    found = fit(config, data, write(tmp_path / "cache", target_tells=True), tmp_path / "run").progress
    epochs = [json.loads(line) for line in (tmp_path / "run" / METRICS).read_text().splitlines()]
    wrong = [1 - (one["val/factual"] + one["val/per_option"]) / 2 for one in epochs]
    values = [one["val/loss"] for one in epochs] if metric == EarlyStoppingMetric.LOSS else wrong
    assert found.best_loss == pytest.approx(min(values)) and found.best_epoch == 1 + values.index(min(values))


def test_an_unknown_measure_of_the_best_epoch_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown early_stopping_metric 'acuracy'; did you mean"):
        replace(SMALL, early_stopping_metric="acuracy")


def test_going_on_with_other_features_is_refused(tmp_path: Path, write, data: BlindData):
    fit(SMALL, data, write(tmp_path / "one", target_tells=True), tmp_path / "run", minutes=0)
    other = write(tmp_path / "other", target_tells=True, seed=1)
    with pytest.raises(DatasetError, match="the checkpoint was trained on other"):
        fit(SMALL, data, other, tmp_path / "run")


def test_going_on_with_references_is_refused(tmp_path: Path, write, data: BlindData):
    cache = write(tmp_path / "cache", target_tells=True)
    fit(SMALL, data, cache, tmp_path / "run", minutes=0)
    with pytest.raises(DatasetError, match=r"another architecture: expected 'video\.weight'"):
        fit(replace(SMALL, references=True), data, cache, tmp_path / "run")


def test_views_show_the_sets_that_are_asked_about(tmp_path: Path, write):
    cache = write(tmp_path, target_tells=True)
    target, references = Views(cache, cache.indices(), Shown(references=True), CPU)(torch.tensor([5, 2, 5]))
    assert target.shape == (3, 3, 1, 12) and references.shape == (3, 2, 2, 1, 12) and target.dtype == torch.float32
    np.testing.assert_array_equal(target[1], cache.row(2)["target"].astype(np.float32))
    assert torch.equal(target[0], target[2]) and not torch.equal(target[0], target[1])


def test_features_are_standardised_over_the_training_frames(tmp_path: Path, write):
    cache = write(tmp_path, target_tells=True)
    views = Views(cache, cache.indices(), Shown(), CPU)
    standard = Standardize(*views.statistics([0, 1, 2]))(views(torch.arange(3))[0]).flatten(0, 2)
    torch.testing.assert_close(standard.mean(0), torch.zeros(12), atol=1e-4, rtol=0)
    torch.testing.assert_close(standard.var(0, unbiased=False), torch.ones(12), atol=1e-3, rtol=0)


def test_a_feature_that_never_varies_says_nothing():
    standardize = Standardize(torch.tensor([3.0, 1.0]), torch.tensor([0.0, 2.0]))
    assert standardize(torch.tensor([3.5, 5.0])).tolist() == [0.0, 2.0]


@pytest.mark.parametrize("wrong", [{"joint": 0}, {"dropout": 1.0}])
def test_bad_sizes_are_refused(wrong: dict[str, float]):
    with pytest.raises(ValueError, match="expected"):
        replace(SMALL.model, **wrong)
