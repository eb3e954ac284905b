import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.errors import ComphyError, ConfigError, DatasetError
from comphy.questions.model import QuestionKind
from models.baselines.answering import TrainedBaseline
from models.baselines.blind.lstm import (
    DESCRIPTION,
    WEIGHTS,
    Description,
    LSTMSize,
    load_blind,
    save_description,
    save_weights,
)
from models.baselines.blind.training import prepare

SMALL = LSTMSize(embedding=8, hidden=12, dropout=0.5)


@pytest.fixture
def saved(tmp_path: Path, make_scenes) -> Path:
    data = prepare(make_scenes(4), make_scenes(1), SMALL)
    save_description(tmp_path, data.description)
    save_weights(tmp_path, data.description, data.description.module())
    return tmp_path


def test_logits_do_not_depend_on_batch_mates(make_scenes):
    data = prepare(make_scenes(12), make_scenes(1), SMALL)
    module = data.description.module().eval()
    together = module(data.train.tokens, data.train.lengths)
    wider = module(torch.nn.functional.pad(data.train.tokens, (0, 9)), data.train.lengths)
    torch.testing.assert_close(wider, together, rtol=0, atol=1e-6)
    for row in range(0, len(data.train), 7):
        one = data.train.rows(torch.tensor([row]))
        alone = module(one.tokens, one.lengths)
        torch.testing.assert_close(alone.answers[0], together.answers[row], rtol=0, atol=1e-6)
        torch.testing.assert_close(alone.correct[0], together.correct[row], rtol=0, atol=1e-6)


def test_the_last_state_is_that_of_a_plain_loop_over_the_words(make_scenes):
    """The LSTM's equations step by step, as an independent check of packing."""
    data = prepare(make_scenes(2), make_scenes(1), SMALL)
    module = data.description.module().eval()
    row = int(data.train.lengths.argmin())
    words = module.embedding(data.train.tokens[row, : data.train.lengths[row]])
    lstm, state, cell = module.lstm, torch.zeros(SMALL.hidden), torch.zeros(SMALL.hidden)
    for word in words:
        gates = lstm.weight_ih_l0 @ word + lstm.bias_ih_l0 + lstm.weight_hh_l0 @ state + lstm.bias_hh_l0
        enter, forget, new, leave = gates.chunk(4)
        cell = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
        state = leave.sigmoid() * cell.tanh()
    logits = module(data.train.tokens, data.train.lengths)
    torch.testing.assert_close(module.answer_head(state), logits.answers[row], rtol=0, atol=1e-6)


def test_answers_every_question_and_choice_without_programs(saved: Path, make_scenes):
    scene = make_scenes(1, 9)[0]
    bare = replace(scene, questions=tuple(replace(q.without_answers(), program=()) for q in scene.questions))
    model = load_blind(saved)
    answers = model.answer(bare)
    assert answers == model.answer(scene)
    for question in scene.questions:
        if question.kind is QuestionKind.FACTUAL:
            assert isinstance(answers[question.question_id], str)
        else:
            assert set(answers[question.question_id]) == {choice.choice_id for choice in question.choices}
    assert model.answer(replace(scene, questions=())) == {}


def test_saved_and_loaded_models_answer_alike(tmp_path: Path, make_scenes):
    data = prepare(make_scenes(4), make_scenes(1), SMALL)
    module = data.description.module()
    save_description(tmp_path, data.description)
    save_weights(tmp_path, data.description, module)
    scene = make_scenes(1, 3)[0]
    assert load_blind(tmp_path).answer(scene) == TrainedBaseline(
        data.description.vocabulary(), data.description.answers, module
    ).answer(scene)


def test_weights_of_another_architecture_are_refused(saved: Path):
    edit(saved / DESCRIPTION, size={"embedding": 8, "hidden": 16, "dropout": 0.5})
    with pytest.raises(DatasetError, match=r"another architecture: expected 'answer_head.weight' with shape .*16\)"):
        load_blind(saved)


def test_weights_of_another_vocabulary_are_refused(saved: Path):
    words = json.loads((saved / DESCRIPTION).read_text())["words"]
    edit(saved / DESCRIPTION, words=[*words[:-2], words[-1], words[-2]])
    with pytest.raises(DatasetError, match="belong to another vocabulary"):
        load_blind(saved)


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_damaged_and_missing_files_are_named(saved: Path, name: str, content: bytes | None):
    (saved / name).unlink()
    if content is not None:
        (saved / name).write_bytes(content)
    with pytest.raises(ComphyError, match=name):
        load_blind(saved)


def test_bad_sizes_are_refused(saved: Path):
    edit(saved / DESCRIPTION, size={"embedding": 0, "hidden": 16, "dropout": 0.5})
    with pytest.raises(ConfigError, match="at least 1"):
        load_blind(saved)
    with pytest.raises(ValueError, match="dropout from 0 to below 1"):
        LSTMSize(dropout=1.0)


def test_a_description_needs_answers():
    with pytest.raises(ValueError, match="expected a list of answers"):
        Description(SMALL, ["[PAD]", "[UNK]", "[SEP]"], [])


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
