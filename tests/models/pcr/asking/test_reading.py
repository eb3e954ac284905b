"""Questions in English, read by a parser that was taught three sentences."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional

from comphy.errors import ConfigError, ProgramError
from models.pcr.asking.reading import read_question
from models.pcr.parser.network import ParserSize
from models.pcr.parser.opening import open_parser
from models.pcr.parser.parser import Parser
from models.pcr.parser.storage import Description, save_description, save_weights
from models.pcr.parser.training.batches import NO_TOKEN, encode
from models.pcr.parser.words.reading import SubwordVocabulary, words_of

QUESTION = "How many cubes are there?"
OPEN = "What will happen next?"
CHOICE = "The cube collides with the sphere"
PROGRAMS = {
    QUESTION: "objects cube filter_shape count",
    OPEN: "unseen_events belong_to",
    CHOICE: "all_events objects cube filter_shape unique filter_collision objects sphere filter_shape unique "
    "filter_collision unique",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose parser lies in the folder below."""
    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    vocabulary = SubwordVocabulary.of(words_of(text) for text in PROGRAMS)
    size = ParserSize(width=32, layers=1, decoder_layers=1, heads=2, feed_forward=32, dropout=0.0)
    description = Description.of(size, vocabulary)
    module = description.module()
    batch = encode([(words_of(text), program.split()) for text, program in PROGRAMS.items()], vocabulary)
    optimizer = torch.optim.Adam(module.parameters(), 0.01)
    for _ in range(80):
        logits = module(batch.words, batch.inputs)
        loss = functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), ignore_index=NO_TOKEN)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    save_description(folder / "parser", description)
    save_weights(folder / "parser", description, module, threshold=-0.5)
    return folder


@pytest.fixture(scope="module")
def parser(run: Path) -> Parser:
    return open_parser(run)


def test_a_question_with_its_own_answer(parser: Parser):
    query = read_question(parser, QUESTION)
    assert str(query.program) == PROGRAMS[QUESTION] and not query.is_open and 0.5 < query.certainty <= 1


def test_a_question_with_choices(parser: Parser):
    query = read_question(parser, OPEN, [CHOICE])
    assert str(query.program) == PROGRAMS[OPEN] and query.is_open
    assert [(option.text, str(option.program)) for option in query.options] == [(CHOICE, PROGRAMS[CHOICE])]


def test_words_that_are_not_understood_are_named(parser: Parser):
    """It was taught no other shapes, and its reading speaks of another than the sentence."""
    with pytest.raises(
        ProgramError, match=r"unknown words: 'zebras'; 'of'; 'cylinders'.*Did you mean: How many objects are there"
    ):
        read_question(parser, "How many zebras of the cylinders are there?")
    with pytest.raises(
        ProgramError, match=r"^choice 2: I did not understand 'The sphere collides': its words are known"
    ):
        read_question(parser, OPEN, [CHOICE, "The sphere collides"])


def test_choices_need_a_question_about_events(parser: Parser):
    with pytest.raises(ProgramError, match="found one that has its own answer"):
        read_question(parser, QUESTION, [CHOICE])


def test_a_run_without_a_parser(run: Path, tmp_path: Path):
    with pytest.raises(ConfigError, match=r"expected a trained parser .*--parser RUN.*--program"):
        open_parser(tmp_path)
    assert open_parser(tmp_path, run / "parser").threshold == -0.5
