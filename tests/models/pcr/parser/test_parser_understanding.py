"""What a trained parser makes of sentences it knows, of others, and of nonsense."""

import math
from dataclasses import replace

import numpy as np
import pytest

from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import Question, QuestionKind
from models.pcr.parser.parser import NotUnderstood, Parser
from models.pcr.parser.sentences import Sentence, SentenceKind
from models.pcr.parser.training.calibration import calibration_examples, lowest_trusted
from models.pcr.parser.training.scoring import parser_table, score_parser
from tests.support.little_language import little_scenes

pytestmark = pytest.mark.slow

HEAVIER = "Is the red cube heavier than the blue sphere?"
PROGRAM = (
    "objects red filter_color cube filter_shape unique filter_mass "
    "objects blue filter_color sphere filter_shape unique filter_mass is_heavier"
)
NONSENSE = [
    "What is the weather like?",
    "Is the elephant heavier than the cube?",
    "How many people are there?",
    "Who won?",
    "than than than",
    "",
    "!?",
    "cube " * 100,
]


def refusal(parser: Parser, text: str) -> NotUnderstood:
    found = parser.explain(parser.parse_question(text))
    assert found is not None
    return found


def test_sentences_of_the_language_are_understood(parser: Parser):
    parsed = parser.parse_questions([HEAVIER], SentenceKind.FACTUAL)[0]
    assert str(parsed.program) == PROGRAM and parsed.program == parse(PROGRAM.split(), wanted=ValueType.BOOL)
    assert parsed.understood and parsed.unknown == () and parser.threshold <= parsed.log_probability < 0
    assert parser.explain(parsed) is None


def test_a_question_is_read_as_of_the_kind_that_it_is(parser: Parser):
    assert parser.parse_question(HEAVIER).kind is SentenceKind.FACTUAL
    hypothetical = parser.parse_question("If the red cube were lighter, what would not happen?")
    assert hypothetical.kind is SentenceKind.MULTIPLE_CHOICE and hypothetical.understood
    assert hypothetical.tokens[-2:] == ("belong_to", "not")
    assert hypothetical.program.given == (ValueType.EVENT,)


def test_sentences_do_not_depend_on_their_neighbours_and_keep_their_order(parser: Parser):
    texts = [HEAVIER, "How many green cubes are there?", HEAVIER, "Is the cube lighter than the red object?"]
    together = parser.parse_questions(texts, SentenceKind.FACTUAL)
    assert [parsed.text for parsed in together] == texts and together[0] == together[2]
    for parsed in together:
        alone = parser.parse_questions([parsed.text], SentenceKind.FACTUAL)[0]
        assert alone.program == parsed.program
        assert alone.log_probability == pytest.approx(parsed.log_probability, abs=1e-4)
    assert parser.parse_questions([], SentenceKind.CHOICE) == []


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused_with_its_likeliest_reading(parser: Parser, text: str):
    found = refusal(parser, text)
    assert 0 <= found.probability < 1 and "filter_" not in str(found) and "unique" not in str(found)
    assert set(found.unknown) == set(parser.unknown_words(text))


def test_a_refusal_names_unknown_words_and_offers_readings_in_english(parser: Parser):
    found = refusal(parser, "Is the elephant hevier than the zebra?")
    assert found.unknown == {"elephant": (), "hevier": ("heavier",), "zebra": ()}
    assert str(found).startswith(
        "I did not understand 'Is the elephant hevier than the zebra?': "
        "unknown words: 'elephant'; 'hevier' (perhaps heavier?); 'zebra'. Did you mean: "
    )
    assert 1 <= len(found.readings) <= 3 and len(set(found.readings)) == len(found.readings)
    assert all(reading[0].isupper() and reading[-1] in ".?" for reading in found.readings)


def test_the_nearest_reading_comes_first(parser: Parser):
    parsed = parser.parse_question(HEAVIER)
    assert parser.readings(parsed)[0] == HEAVIER
    choice = parser.parse_questions(["The red cube collides with the blue sphere"], SentenceKind.CHOICE)[0]
    assert parser.readings(choice)[0] == "The red cube collides with the blue sphere"


def test_a_reading_that_leaves_out_a_look_is_refused_however_likely(parser: Parser):
    """The language has no place for three objects."""
    certain = Parser(parser._reader.vocabulary, parser._module, threshold=-math.inf)
    parsed = certain.parse_question("Is the red cube heavier than the blue sphere the green cylinder?")
    assert not parsed.understood
    found = certain.explain(parsed)
    assert found is not None and found.words_differ and "reading has other colors" in str(found)


def test_overlong_and_empty_texts_are_counted(parser: Parser):
    assert "expected 1 to 63 words (found 100)" in str(refusal(parser, "cube " * 100))
    assert "expected 1 to 63 words (found 0)" in str(refusal(parser, " ?"))


def test_unknown_words_in_passing_do_not_change_the_reading(parser: Parser):
    parsed = parser.parse_question(f"Please, {HEAVIER}")
    assert parsed.unknown == ("please",) and str(parsed.program) == PROGRAM


@pytest.mark.parametrize(
    ("scores", "right", "most_wrong", "expected"),
    [
        ([-3.0, -1.0, -2.0, -4.0], [True, True, True, False], 0.0, -3.0),
        ([-3.0, -1.0, -2.0, -4.0], [True, True, True, False], 0.25, -4.0),
        ([-1.0, -2.0, -3.0], [True, False, True], 0.4, -3.0),
        ([-1.0, -2.0, -3.0], [True, False, True], 0.3, -1.0),
        ([-1.0, -2.0], [False, False], 0.1, 0.0),
    ],
)
def test_the_lowest_score_that_can_be_trusted(
    scores: list[float], right: list[bool], most_wrong: float, expected: float
):
    assert lowest_trusted(scores, right, most_wrong) == expected


def test_what_the_threshold_is_found_on():
    sentence = Sentence(SentenceKind.FACTUAL, "How many cubes are there?", ("objects", "cube", "filter_shape", "count"))
    said, wrong = calibration_examples([sentence], np.random.default_rng(0))
    assert said.words == ("how", "many", "cubes", "are", "there") and said.program == sentence.program
    assert wrong.program == sentence.program and not said.plain and not wrong.plain


def test_scores_count_every_sentence_of_every_set(parser: Parser):
    scenes = little_scenes(10, 7)
    odd = replace(
        scenes[0],
        scene_index=99,
        questions=(Question(0, QuestionKind.FACTUAL, "How many zebras are there?", ("objects", "exist")),),
    )
    report = score_parser(parser, [*scenes, odd])
    factual, choice = report.kinds[SentenceKind.FACTUAL], report.kinds[SentenceKind.CHOICE]
    assert factual.exact is not None and (factual.exact.right, factual.exact.count) == (20, 21)
    assert factual.exact_known is not None and factual.exact_known.value == 1
    assert factual.exact_unknown is not None and (factual.exact_unknown.right, factual.exact_unknown.count) == (0, 1)
    assert factual.right_if_understood is not None and factual.right_if_understood.value == 1
    assert choice.exact is not None and choice.exact.count == 20 and choice.exact_unknown is None
    assert report.record()["choice"]["exact"]["accuracy"] == 1 and report.record()["choice"]["exact_unknown"] is None
    assert parser_table(report, "Parser").row_count == 3
    assert score_parser(parser, []).kinds == {}
