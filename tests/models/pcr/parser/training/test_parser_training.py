import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import ComphyError, DatasetError
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.pcr.parser.automaton import END, PROGRAM_TOKENS
from models.pcr.parser.network import ParserSize
from models.pcr.parser.parser import load_parser
from models.pcr.parser.sentences import Sentence, SentenceKind, distinct_sentences
from models.pcr.parser.storage import DESCRIPTION, WEIGHTS, copy_parser
from models.pcr.parser.training import data as preparation
from models.pcr.parser.training import trainer as training
from models.pcr.parser.training.batches import NO_TOKEN
from models.pcr.parser.training.data import ParserData, prepare
from models.pcr.parser.training.trainer import CHECKPOINT, ParserConfig, TrainingState, fit, train_parser, validate
from models.pcr.parser.words.phrases import frame
from models.tasks import load_task
from models.tasks import train as run_task
from models.train.run import Run
from tests.support.little_language import little_scenes

SMALL = ParserConfig(
    steps=7,
    check_every=3,
    patience=9,
    batch_size=4,
    warmup_steps=2,
    grammar=0.0,
    device="cpu",
    model=ParserSize(width=8, layers=1, decoder_layers=1, heads=2, feed_forward=8, dropout=0.3),
)


@pytest.fixture(scope="module")
def data() -> ParserData:
    return prepare(little_scenes(3, 0), little_scenes(2, 1), SMALL.model)


def run_in(folder: Path, max_minutes: float | None = None) -> Run:
    return Run(Path(), folder, max_minutes)


def rows(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_a_few_dozen_sentences_are_learned_by_heart(trained: Path):
    """And those of other sets with them, since looks are varied."""
    parser, scenes = load_parser(trained), little_scenes(16, 0)
    assert rows(trained)[-1]["val/exact_match"] == 1 and rows(trained)[-1]["train/loss"] < 0.2
    for sentence in distinct_sentences([*scenes, *little_scenes(8, 1, 100)], "all"):
        assert parser.parse_questions([sentence.text], sentence.kind)[0].tokens == sentence.program


@pytest.mark.slow
def test_the_seed_decides_the_weights(tmp_path: Path, data: ParserData):
    for name, config in (("a", SMALL), ("b", SMALL), ("c", replace(SMALL, seed=1))):
        torch.rand(1)  # what others draw makes no difference
        fit(config, run_in(tmp_path / name), data)
    first, again, other = ((tmp_path / name / WEIGHTS).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.slow
def test_going_on_gives_the_same_weights_bit_for_bit(tmp_path: Path, data: ParserData):
    """Stopped after every single step."""
    whole = fit(SMALL, run_in(tmp_path / "whole"), data)
    parts = [fit(SMALL, run_in(tmp_path / "parts", max_minutes=0), data) for _ in range(SMALL.steps)]
    assert [state.step for state in parts] == list(range(1, 8))
    assert parts[-1] == whole and whole.finished(SMALL)
    for name in (WEIGHTS, CHECKPOINT, DESCRIPTION, "metrics.jsonl"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    assert [row["step"] for row in rows(tmp_path / "whole")] == [3, 6, 7]


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, data: ParserData):
    first = fit(SMALL, run_in(tmp_path), data)
    before = (tmp_path / CHECKPOINT).read_bytes()
    assert fit(SMALL, run_in(tmp_path), data) == first
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_stops_when_no_mistake_is_made_for_a_while():
    config = replace(SMALL, steps=1000, check_every=10, patience=2)
    state = TrainingState(10).checked(1.0, 0.5)
    assert state == TrainingState(10, 10, 1.0, 0.5, flawless=1) and not state.finished(config)
    slipped = replace(state, step=20).checked(0.9, 0.1)
    assert slipped.flawless == 0 and slipped.best_step == 10
    better = replace(slipped, step=30).checked(1.0, 0.4)
    assert better.best_step == 30 and not better.finished(config)
    assert replace(better, step=40).checked(1.0, 0.6) == TrainingState(40, 30, 1.0, 0.4, flawless=2)
    assert replace(better, step=40).checked(1.0, 0.6).finished(config)


def test_validation_counts_whole_programs(data: ParserData):
    """A stand-in for the network that knows all programs but for one token of one of them."""
    batches = data.validation(4)
    count = sum(len(batch.words) for batch in batches)
    answers = [torch.where(batch.targets == NO_TOKEN, 0, batch.targets) for batch in batches]
    answers[0][0, 1] = (answers[0][0, 1] + 1) % len(PROGRAM_TOKENS)
    told = iter(answers)

    class Prompted(torch.nn.Module):
        def forward(self, words: torch.Tensor, programs: torch.Tensor) -> torch.Tensor:
            return 50 * torch.nn.functional.one_hot(next(told), len(PROGRAM_TOKENS)).float()

    match, loss = validate(Prompted(), batches)
    assert match == pytest.approx((count - 1) / count)
    tokens = sum(int((batch.targets != NO_TOKEN).sum()) for batch in batches)
    assert loss == pytest.approx(50 / tokens, rel=1e-3)


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path, data: ParserData):
    with pytest.raises(ComphyError, match=r"no longer finite at step .*lower parser\.learning_rate \(now 1e\+30\)"):
        fit(replace(SMALL, learning_rate=1e30, warmup_steps=1), run_in(tmp_path), data)


def test_weights_with_a_validation_loss_that_is_not_finite_are_never_kept(
    tmp_path: Path, data: ParserData, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(training, "validate", lambda module, batches: (1.0, float("nan")))
    with pytest.raises(ComphyError, match=r"no longer finite at step 3 of the parser \(validation nan\)"):
        fit(SMALL, run_in(tmp_path), data)
    assert not (tmp_path / WEIGHTS).exists() and not (tmp_path / CHECKPOINT).exists()


def test_going_on_with_other_questions_is_refused(tmp_path: Path, data: ParserData):
    fit(SMALL, run_in(tmp_path, max_minutes=0), data)
    fewer = replace(data, train=data.train[:-1])
    with pytest.raises(DatasetError, match="trained on other questions"):
        fit(SMALL, run_in(tmp_path), fewer)


def test_going_on_with_another_architecture_is_refused(tmp_path: Path, data: ParserData):
    fit(SMALL, run_in(tmp_path, max_minutes=0), data)
    larger = prepare(little_scenes(3, 0), little_scenes(2, 1), replace(SMALL.model, feed_forward=16))
    with pytest.raises(DatasetError, match="another architecture"):
        fit(SMALL, run_in(tmp_path), larger)


def test_batches_depend_on_the_draws_alone_and_have_rare_frames_more_often_than_their_share(data: ParserData):
    def draw(seed: int) -> list[list[list[int]]]:
        return data.draw(16, SMALL.augmentation, np.random.default_rng(seed))[0].words.tolist()

    assert draw(0) == draw(0) != draw(1)
    shares: dict[tuple[str, ...], float] = {}
    for sentence, share in zip(data.train, data.shares, strict=True):
        said = frame(sentence.text.lower().strip("?").replace(",", "").split())
        shares[said] = shares.get(said, 0.0) + share
    common = ("the", "object", "collides", "with", "the", "object")
    size = sum(sentence.kind is SentenceKind.CHOICE for sentence in data.train)
    assert size > 1 and shares[common] / min(shares.values()) == pytest.approx(size**0.5)


def test_the_vocabulary_has_the_training_words_all_looks_and_kinds(data: ParserData):
    known = set(data.description.words)
    assert {"lighter", "collides", "purple", "cylinders", "[choice]"} <= known and "elephant" not in known
    assert data.description.tokens == list(PROGRAM_TOKENS) and END in PROGRAM_TOKENS


def test_data_without_programs_or_with_overlong_sentences_are_refused():
    bare = SceneQuestions(0, "sim_00000.mp4", (Question(0, QuestionKind.FACTUAL, "How many?", ()),))
    with pytest.raises(DatasetError, match="train split holds no question with a program"):
        prepare([bare], little_scenes(1, 0), SMALL.model)
    endless = replace(bare.questions[0], text="cube " * 80, program=("objects", "count"))
    with pytest.raises(DatasetError, match=r"expected 1 to 63 words .*\(found 80 and 2\)"):
        prepare([replace(bare, questions=(endless,))], little_scenes(1, 0), SMALL.model)


@pytest.mark.parametrize(
    "wrong", [{"seed": -1}, {"steps": 0}, {"learning_rate": 0.0}, {"weight_decay": -1.0}, {"grammar": 1.5}]
)
def test_bad_settings_are_refused(wrong: dict[str, float]):
    with pytest.raises(ValueError, match="expected"):
        replace(SMALL, **wrong)


def test_the_learning_rate_rises_then_falls_to_nothing(tmp_path: Path):
    config = replace(SMALL, steps=10, warmup_steps=4, learning_rate=1.0)
    rates = [config.learning_rate_at(step) for step in range(11)]
    assert rates[:4] == [0.25, 0.5, 0.75, 1.0] and rates[4:] == sorted(rates[4:], reverse=True)
    assert rates[10] == pytest.approx(0)


def test_train_parser_reads_scenes(tmp_path: Path):
    state = train_parser(replace(SMALL, steps=1), run_in(tmp_path), little_scenes(2, 0), little_scenes(1, 1))
    assert state.step == 1 and load_parser(tmp_path).threshold <= 0


def test_the_grammar_adds_its_words_and_held_out_sentences(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(preparation, "_SAMPLED", 2000)
    monkeypatch.setattr(preparation, "_HELD_OUT", 90)
    wide = prepare(little_scenes(3, 0), little_scenes(2, 1), SMALL.model, grammar=0.5)
    assert {"bumps", "weigh", "shiny"} <= set(wide.description.words)
    assert not {"greenish", "slams", "footage"} & set(wide.description.words), "those are held out"
    assert len(wide.val_grammar) == 90 and not data_texts(wide.val_grammar) & data_texts(wide.train)
    assert sum(map(len, (wide.val, wide.val_grammar))) == sum(len(batch.words) for batch in wide.validation(64))


def data_texts(sentences: list[Sentence]) -> set[str]:
    return {sentence.text for sentence in sentences}


def test_batches_have_sentences_of_a_length(data: ParserData):
    drawn = data.draw(4, SMALL.augmentation, np.random.default_rng(0), batches=5)
    assert len(drawn) == 5 and all(len(batch.words) == 4 for batch in drawn)
    widths = sorted(batch.inputs.shape[1] + batch.words.shape[1] for batch in drawn)
    assert widths[0] < widths[-1]


def test_the_task_trains_the_parser_that_pcr_then_takes(tmp_path: Path, six_rendered: Path):
    """In two goes, from a dataset's questions alone."""
    shrunk = ["steps=4", "check_every=2", "batch_size=4", "grammar=0", "device=cpu", "model.width=8", "model.layers=1"]
    task, config = load_task(Path("configs/pcr/parser.yaml"), [f"parser.{one}" for one in shrunk])
    run = Run(six_rendered, tmp_path / "run", max_minutes=0)
    assert "at step 1" in run_task(task, config, run).note
    finished = run_task(task, config, replace(run, max_minutes=None))
    assert "Training finished" in finished.note
    copy_parser(tmp_path / "run", tmp_path / "pcr" / "parser")
    question = "What is the shape of the heavy object?"
    taken, trained = (load_parser(tmp_path / folder) for folder in ("pcr/parser", "run"))
    assert taken.parse_questions([question], SentenceKind.FACTUAL) == trained.parse_questions(
        [question], SentenceKind.FACTUAL
    )


def test_a_parser_is_not_trained_and_taken_at_once():
    with pytest.raises(ComphyError, match=r"no parser\.weights where a parser is trained"):
        load_task(Path("configs/pcr/parser.yaml"), ["parser.weights=pcr"])
