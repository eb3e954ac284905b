from dataclasses import replace
from pathlib import Path

import pytest

from comphy.dataset.layout import SPLITS
from comphy.dataset.questions import read_questions, split_file
from comphy.errors import DatasetError
from comphy.programs.ops import ALIASES, OPS
from comphy.programs.types import ANSWER_TYPES, ValueType
from comphy.questions.model import Question, QuestionKind
from models.questions.question_types import ANSWERS, AnswerType, answer_type, unordered


def ask(text: str = "", *program: str) -> Question:
    return Question(0, QuestionKind.FACTUAL, text, program)


def test_sizes_of_the_closed_vocabularies():
    """n kinds give n (n + 1) / 2 unordered pairs, both objects alike included."""
    assert {kind: len(words) for kind, words in ANSWERS.items()} == {
        AnswerType.YES_NO: 2,
        AnswerType.COUNT: 6,
        AnswerType.COLOR: 8,
        AnswerType.SHAPE: 3,
        AnswerType.MATERIAL: 2,
        AnswerType.DIRECTION: 4,
        AnswerType.COLOR_PAIR: 36,
        AnswerType.SHAPE_PAIR: 6,
        AnswerType.MATERIAL_PAIR: 3,
    }
    assert all(len(set(map(unordered, words))) == len(words) for words in ANSWERS.values())
    assert ANSWERS[AnswerType.MATERIAL_PAIR] == ("metal and metal", "metal and rubber", "rubber and rubber")


def test_every_operator_that_ends_a_factual_question_is_known():
    expected = {
        ValueType.BOOL: AnswerType.YES_NO,
        ValueType.COUNT: AnswerType.COUNT,
        ValueType.COLOR: AnswerType.COLOR,
        ValueType.SHAPE: AnswerType.SHAPE,
        ValueType.MATERIAL: AnswerType.MATERIAL,
        ValueType.DIRECTION: AnswerType.DIRECTION,
    }
    for name in (*OPS, *ALIASES):
        operator = OPS[ALIASES.get(name, name)]
        result = operator.signatures[0].result
        if result in ANSWER_TYPES and ValueType.ATTRIBUTE not in operator.signatures[0].params:
            found = answer_type(ask("", "objects", "unique", name))
            assert found is expected.get(result, found), name
            assert result is not ValueType.WORDS or found.endswith("_pair"), name


@pytest.mark.parametrize("attribute", ["color", "shape", "material"])
def test_an_attribute_may_stand_before_the_operator(attribute: str):
    assert answer_type(ask("", "objects", "unique", attribute, "query")) == attribute
    assert answer_type(ask("", "objects", "unique", attribute, "query_both")) == f"{attribute}_pair"


def test_markers_around_a_program_are_skipped():
    assert answer_type(ask("", "<START>", "objects", "count", "<END>", "<NULL>")) is AnswerType.COUNT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is the cyan cube heavier than the rubber cylinder?", AnswerType.YES_NO),
        ("Compared with the rubber object, is the red object heavier?", AnswerType.YES_NO),
        ("Are there any uncharged blue cylinders that enter the scene", AnswerType.YES_NO),
        ("What are the colors of the two objects that are charged?", AnswerType.COLOR_PAIR),
        ("What is the direction of the blue cube when the video ends?", AnswerType.DIRECTION),
        ("What color is the moving rubber object that is uncharged?", AnswerType.COLOR),
        ("How many moving cyan objects are charged?", AnswerType.COUNT),
        ("What is the material of the last object to collide with the gray sphere?", AnswerType.MATERIAL),
        ("What shape is the first object to enter the scene?", AnswerType.SHAPE),
    ],
)
def test_words_tell_where_a_file_keeps_programs_back(text: str, expected: AnswerType):
    """Most are sentences of the published ComPhy and CLEVRER questions."""
    assert answer_type(ask(text)) is expected


def test_words_and_programs_tell_the_same_of_generated_questions(small_dataset: Path):
    scenes = [scene for split in SPLITS for scene in read_questions(split_file(small_dataset, split, answers=True))]
    questions = [q for scene in scenes for q in scene.questions if q.kind is QuestionKind.FACTUAL]
    assert questions
    for question in questions:
        kind = answer_type(question)
        assert answer_type(replace(question, program=())) is kind, question.text
        assert unordered(question.answer) in ANSWERS[kind], question.text


def test_an_unknown_question_is_refused_with_what_was_expected():
    with pytest.raises(DatasetError, match=r"'Why\?'.*ends with one of: .*query_color"):
        answer_type(ask("Why?", "objects"))


def test_pairs_have_no_order():
    assert unordered("red and blue") == unordered("Blue  and red") == "blue and red"
    assert unordered("cylinder") == "cylinder"
