import pytest

from comphy.errors import DatasetError
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from models.baselines.contract import answer_all
from models.baselines.frequent import count_frequent

HEAVIER, COLOR, BOTH, FIRST_CHOICES = 1, 0, 2, 3


def test_picks_the_majority(make_scenes):
    """The majority is counted from the questions' positions in a set, which the model knows nothing of."""
    train, asked = make_scenes(200, 1), make_scenes(5, 2)
    given = answer_all(count_frequent(train), asked)
    for number in (COLOR, HEAVIER):
        answers = [scene.questions[number].answer for scene in train]
        majority = max(set(answers), key=answers.count)
        assert {given[scene.scene_index, number] for scene in asked} == {majority}
    marks = [c.correct for scene in train for question in scene.questions for c in question.choices]
    majority_mark = sum(marks) > len(marks) / 2
    assert given[asked[0].scene_index, FIRST_CHOICES] == {0: majority_mark, 1: majority_mark}


def test_both_orders_of_a_pair_count_as_one_answer():
    answers = ["gray and red"] * 3 + ["red and blue"] * 2 + ["blue and red"] * 2
    questions = tuple(factual(i, "query_both_color", answer) for i, answer in enumerate(answers))
    assert count_frequent([SceneQuestions(0, "", questions)]).answers == {"color_pair": "blue and red"}


def test_ties_and_what_training_did_not_show():
    train = [SceneQuestions(0, "", (factual(0, "exist", "yes"), factual(1, "exist", "no"), mc(2, True), mc(3, False)))]
    frequent = count_frequent(train)
    assert frequent.answers == {"yes_no": "no"} and frequent.correct == {QuestionKind.PREDICTIVE: False}
    other = SceneQuestions(1, "", (factual(0, "count", None), mc(1, None, QuestionKind.COUNTERFACTUAL)))
    assert frequent.answer(other) == {0: "0", 1: {0: False}}


@pytest.mark.parametrize("hidden", [True, False])
def test_no_answers_to_count(hidden: bool):
    scenes = [SceneQuestions(0, "", (factual(0, "exist", None),))] if hidden else []
    with pytest.raises(DatasetError, match="hold no answers"):
        count_frequent(scenes)


def factual(number: int, operator: str, answer: str | None) -> Question:
    return Question(number, QuestionKind.FACTUAL, "", ("objects", operator), answer=answer)


def mc(number: int, correct: bool | None, kind: QuestionKind = QuestionKind.PREDICTIVE) -> Question:
    return Question(number, kind, "", (), choices=(Choice(0, "", (), correct),))
