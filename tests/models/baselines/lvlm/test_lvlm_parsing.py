"""Replies as answers: strictly in the form that was asked for, or loosely wherever it is clear what is meant."""

import pytest

from comphy.questions.model import Choice, Question, QuestionKind
from models.baselines.lvlm.parsing import read_loosely, read_strictly

COLOR = Question(0, QuestionKind.FACTUAL, "What color is the cube?", ("query_color",))
HEAVIER = Question(1, QuestionKind.FACTUAL, "Is the red cube heavier?", ("is_heavier",))
COUNT = Question(2, QuestionKind.FACTUAL, "How many cubes are there?", ("count",))
PAIR = Question(3, QuestionKind.FACTUAL, "What are the shapes of the two?", ("query_both_shape",))
WAY = Question(4, QuestionKind.FACTUAL, "In which direction does it move?", ("query_direction",))
CHOICES = tuple(Choice(number, f"The pair {number} collides", (), None) for number in (4, 7, 9))
EVENTS = Question(5, QuestionKind.COUNTERFACTUAL, "If the cube were heavier, what would happen?", (), "", None, CHOICES)


def verdicts(*correct: bool) -> dict[int, bool]:
    return dict(zip((4, 7, 9), correct, strict=True))


@pytest.mark.parametrize(
    ("question", "reply", "answer"),
    [
        (COLOR, "red", "red"),
        (COLOR, " Red.\n", "red"),
        (COLOR, "<think>Is it blue? No.</think>\nred", "red"),
        (PAIR, "sphere and cube", "cube and sphere"),
        (COUNT, "3", "3"),
        (EVENTS, "A: correct\nB: wrong\nC: correct", verdicts(True, False, True)),
        (EVENTS, "C: Wrong.\nA: wrong\nB:correct\n", verdicts(False, True, False)),
    ],
)
def test_replies_in_the_form_that_was_asked_for(question: Question, reply: str, answer: object):
    assert read_strictly(reply, question) == answer
    assert read_loosely(reply, question) == answer


@pytest.mark.parametrize(
    ("question", "reply", "answer"),
    [
        (COLOR, "The cube is red.", "red"),
        (COLOR, "It might look brown at first. Answer: **grey**", "gray"),
        (COLOR, "The cube, which is not blue, is red", None),
        (COLOR, "crimson", None),
        (COLOR, "", None),
        (HEAVIER, "Yes, the red cube is heavier, since no other object pushed it.", "yes"),
        (HEAVIER, "No objects push it.", "no"),
        (HEAVIER, "It cannot be known.", None),
        (COUNT, "There are three cubes.", "3"),
        (COUNT, "There are 2 or 3.", None),
        (PAIR, "One is a sphere, the other is a cube.", "cube and sphere"),
        (PAIR, "Both are balls", "sphere and sphere"),
        (PAIR, "The first is a sphere.", None),
        (WAY, "It moves leftwards.", "left"),
        (EVENTS, "A is correct, B is not correct and C would be wrong.", verdicts(True, False, False)),
        (EVENTS, "- **A**: True\n- **B**: False\n- **C**: True", verdicts(True, False, True)),
        (EVENTS, "Correct\nwrong\nwrong", verdicts(True, False, False)),
        (EVENTS, "The answer is A and C.", verdicts(True, False, True)),
        (EVENTS, "B", verdicts(False, True, False)),
        (EVENTS, "Answer: none of them", verdicts(False, False, False)),
        (EVENTS, "All would happen.", verdicts(True, True, True)),
        (EVENTS, "A: correct\nB: wrong", None),
        (EVENTS, "A cube hits a sphere.", None),
        (EVENTS, "I cannot see the video.", None),
    ],
)
def test_other_replies_are_read_loosely_alone(question: Question, reply: str, answer: object):
    assert read_strictly(reply, question) is None
    assert read_loosely(reply, question) == answer


def test_of_a_question_without_choices_there_is_nothing_to_read():
    empty = Question(6, QuestionKind.PREDICTIVE, "What will happen next?", ())
    assert read_strictly("", empty) == read_loosely("A: correct", empty) == {}
