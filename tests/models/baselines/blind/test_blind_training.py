import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.errors import ComphyError, DatasetError
from comphy.evaluation.qa.accuracy import score
from comphy.questions.model import QuestionKind
from models.baselines import training
from models.baselines.blind.lstm import DESCRIPTION, WEIGHTS, LSTMSize, load_blind
from models.baselines.blind.training import BlindData, BlindLSTMConfig, fit, prepare
from models.baselines.contract import answer_all
from models.baselines.training import CHECKPOINT, AnswerProgress
from models.train.run import Run

SMALL = BlindLSTMConfig(epochs=4, patience=4, batch_size=16, model=LSTMSize(embedding=8, hidden=12, dropout=0.3))


@pytest.fixture
def data(make_scenes) -> BlindData:
    return prepare(make_scenes(12, 1), make_scenes(4, 2), SMALL.model)


def run_in(folder: Path, max_minutes: float | None = None) -> Run:
    return Run(Path(), folder, max_minutes)


def rows(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def test_overfits_a_tiny_set(tmp_path: Path, make_scenes):
    scenes = make_scenes(4)
    config = BlindLSTMConfig(
        epochs=50, patience=50, batch_size=28, learning_rate=0.02, weight_decay=0, model=LSTMSize(16, 32, 0.0)
    )
    fit(config, prepare(scenes, scenes, config.model), run_in(tmp_path))
    last = rows(tmp_path)[-1]
    assert last["train/loss"] < 0.02
    assert last["val/factual"] == last["val/per_option"] == 1.0
    columns = score(scenes, answer_all(load_blind(tmp_path), scenes)).columns()
    assert {name: one.value for name, one in columns.items() if one} == {
        "factual": 1.0,
        "counterfactual_per_option": 1.0,
        "counterfactual_per_question": 1.0,
    }


def test_the_seed_decides_the_weights(tmp_path: Path, data: BlindData):
    for name, config in (("a", SMALL), ("b", SMALL), ("c", replace(SMALL, seed=1))):
        torch.rand(1)  # what others draw makes no difference
        fit(config, data, run_in(tmp_path / name))
    first, again, other = ((tmp_path / name / WEIGHTS).read_bytes() for name in "abc")
    assert first == again != other


def test_going_on_gives_the_same_weights_bit_for_bit(tmp_path: Path, data: BlindData):
    """Stopped after every batch, within epochs as well."""
    whole = fit(SMALL, data, run_in(tmp_path / "whole"))
    batches = -(-len(data.train) // SMALL.batch_size)
    steps = batches * SMALL.epochs
    parts = [fit(SMALL, data, run_in(tmp_path / "parts", max_minutes=0)) for _ in range(steps)]
    assert [(state.epoch, state.batch) for state in parts] == [divmod(step, batches) for step in range(1, steps + 1)]
    assert parts[-1] == whole and whole.finished(SMALL)
    for name in (WEIGHTS, CHECKPOINT, "metrics.jsonl"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_a_kill_between_log_and_checkpoint_leaves_no_trace(tmp_path: Path, data: BlindData):
    fit(SMALL, data, run_in(tmp_path / "whole"))
    killed = tmp_path / "killed"
    fit(SMALL, data, run_in(killed, max_minutes=0))
    with (killed / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "train/loss": 9.0}\n{"step": 3, "tra')
    fit(SMALL, data, run_in(killed))
    assert rows(killed) == rows(tmp_path / "whole")


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, data: BlindData):
    first = fit(SMALL, data, run_in(tmp_path))
    before = (tmp_path / CHECKPOINT).read_bytes()
    assert fit(SMALL, data, run_in(tmp_path)) == first
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_stops_when_the_validation_loss_no_longer_falls():
    config = replace(SMALL, epochs=100, patience=2)
    state = AnswerProgress()
    for loss in (3.0, 2.0, 2.5):
        state = state.validated(loss)
        assert not state.finished(config)
    state = state.validated(2.0)
    assert state == AnswerProgress(4, 2, 2.0) and state.finished(config)


def test_the_kept_weights_are_those_of_the_best_epoch(tmp_path: Path, data: BlindData):
    config = replace(SMALL, epochs=30, patience=3, learning_rate=0.1)
    state = fit(config, data, run_in(tmp_path))
    losses = [row["val/loss"] for row in rows(tmp_path)]
    assert losses.index(min(losses)) + 1 == state.best_epoch < state.epoch == state.best_epoch + 3
    stopped_there = fit(replace(config, epochs=state.best_epoch), data, run_in(tmp_path / "there"))
    assert stopped_there.best_epoch == state.best_epoch
    assert (tmp_path / "there" / WEIGHTS).read_bytes() == (tmp_path / WEIGHTS).read_bytes()


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path, data: BlindData):
    with pytest.raises(ComphyError, match=r"no longer finite (at step|after epoch) .*learning_rate \(now 1e\+30\)"):
        fit(replace(SMALL, learning_rate=1e30), data, run_in(tmp_path))


def test_weights_with_a_validation_loss_that_is_not_finite_are_never_kept(
    tmp_path: Path, data: BlindData, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(training, "validate", lambda model, examples, size: {"val/loss": float("nan")})
    with pytest.raises(ComphyError, match=r"after epoch 1 .* \(validation nan\)"):
        fit(SMALL, data, run_in(tmp_path))
    assert not (tmp_path / WEIGHTS).exists() and not (tmp_path / CHECKPOINT).exists()


def test_going_on_with_other_questions_is_refused(tmp_path: Path, data: BlindData, make_scenes):
    fit(SMALL, data, run_in(tmp_path, max_minutes=0))
    more = prepare(make_scenes(13, 1), make_scenes(4, 2), SMALL.model)
    assert more.description == data.description
    with pytest.raises(DatasetError, match="trained on other questions"):
        fit(SMALL, more, run_in(tmp_path))


def test_going_on_with_another_architecture_is_refused(tmp_path: Path, data: BlindData, make_scenes):
    fit(SMALL, data, run_in(tmp_path, max_minutes=0))
    larger = prepare(make_scenes(12, 1), make_scenes(4, 2), replace(SMALL.model, hidden=20))
    before = (tmp_path / DESCRIPTION).read_bytes()
    with pytest.raises(DatasetError, match="another architecture"):
        fit(SMALL, larger, run_in(tmp_path))
    assert (tmp_path / DESCRIPTION).read_bytes() == before


def test_training_needs_both_kinds_of_questions(make_scenes):
    scenes = make_scenes(2)
    factual = [replace(s, questions=tuple(q for q in s.questions if q.kind is QuestionKind.FACTUAL)) for s in scenes]
    choices = [
        replace(s, questions=tuple(q for q in s.questions if q.kind is not QuestionKind.FACTUAL)) for s in scenes
    ]
    with pytest.raises(DatasetError, match="no answered choices"):
        prepare(factual, scenes, SMALL.model)
    with pytest.raises(DatasetError, match="no answered factual questions"):
        prepare(choices, scenes, SMALL.model)
    with pytest.raises(DatasetError, match="train split holds no answered question"):
        prepare([], scenes, SMALL.model)


def test_both_orders_of_a_pair_are_one_answer(data: BlindData):
    assert [answer for answer in data.description.answers if " and " in answer] == ["blue and red"]


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"epochs": 0}, {"learning_rate": 0.0}, {"weight_decay": -1.0}])
def test_bad_settings_are_refused(wrong: dict[str, float]):
    with pytest.raises(ValueError, match="expected"):
        replace(SMALL, **wrong)
