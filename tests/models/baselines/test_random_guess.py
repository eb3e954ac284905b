from collections import Counter

import pytest
from scipy.stats import binomtest, chisquare

from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from models.baselines.contract import QABaseline, answer_all
from models.baselines.random_guess import RandomGuess
from models.questions.question_types import ANSWERS, AnswerType

OPERATORS = {
    AnswerType.YES_NO: "exist",
    AnswerType.COUNT: "count",
    AnswerType.COLOR: "query_color",
    AnswerType.DIRECTION: "query_direction",
    AnswerType.COLOR_PAIR: "query_both_color",
}


def factual(number: int, operator: str) -> Question:
    return Question(number, QuestionKind.FACTUAL, "", ("objects", "unique", operator))


@pytest.mark.parametrize(("kind", "operator"), OPERATORS.items())
def test_answers_are_uniform_over_the_words_that_fit(kind: AnswerType, operator: str):
    scenes = [SceneQuestions(i, "", tuple(factual(q, operator) for q in range(4))) for i in range(500)]
    counts = Counter(answer_all(RandomGuess(0), scenes).values())
    assert set(counts) == set(ANSWERS[kind])
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_choices_are_tossed():
    choices = tuple(Choice(i, "", (), None) for i in range(4))
    scenes = [
        SceneQuestions(i, "", (Question(0, QuestionKind.PREDICTIVE, "", (), choices=choices),)) for i in range(500)
    ]
    tossed = [answer for answers in answer_all(RandomGuess(0), scenes).values() for answer in answers.values()]
    assert len(tossed) == 2000
    assert binomtest(sum(tossed), len(tossed)).pvalue > 0.001


def test_a_guess_depends_on_seed_and_question_alone(make_scenes):
    scenes = make_scenes(20)
    model: QABaseline = RandomGuess(5)
    everything = answer_all(model, scenes)
    assert everything == answer_all(RandomGuess(5), scenes[::-1])
    assert everything != answer_all(RandomGuess(6), scenes)
    last = SceneQuestions(scenes[3].scene_index, "", scenes[3].questions[-1:])
    assert model.answer(last)[4] == everything[3, 4]
