"""The Frequent baseline: the answer that training questions of the same type had most often."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from comphy.dataset.submission import Answer
from comphy.errors import DatasetError
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.questions.question_types import ANSWERS, AnswerType, answer_type, unordered

T = TypeVar("T", str, bool)


@dataclass(frozen=True)
class Frequent:
    """`answers` per type of factual question, `correct` per kind of multiple-choice question."""

    answers: Mapping[AnswerType, str]
    correct: Mapping[QuestionKind, bool]

    def answer(self, scene: SceneQuestions) -> dict[int, Answer]:
        return {question.question_id: self._answer(question) for question in scene.questions}

    def _answer(self, question: Question) -> Answer:
        """Of a type that training did not show, the first word; choices of a kind it did not show are wrong."""
        if question.kind is QuestionKind.FACTUAL:
            kind = answer_type(question)
            return self.answers.get(kind, ANSWERS[kind][0])
        return {choice.choice_id: self.correct.get(question.kind, False) for choice in question.choices}


def count_frequent(train: Sequence[SceneQuestions]) -> Frequent:
    """Count the training answers. Of equally frequent ones the alphabetically first, or 'wrong', is taken."""
    answers: dict[AnswerType, Counter[str]] = {}
    correct: dict[QuestionKind, Counter[bool]] = {}
    for question in (question for scene in train for question in scene.questions):
        if question.answer is not None:
            answers.setdefault(answer_type(question), Counter())[unordered(question.answer)] += 1
        for choice in question.choices:
            if choice.correct is not None:
                correct.setdefault(question.kind, Counter())[choice.correct] += 1
    if not answers and not correct:
        raise DatasetError(
            f"the training questions of {len(train)} sets hold no answers, so there is nothing to count. "
            "Expected the train split of a dataset with questions."
        )
    return Frequent(
        {kind: _most_frequent(counts) for kind, counts in answers.items()},
        {kind: _most_frequent(counts) for kind, counts in correct.items()},
    )


def _most_frequent(counts: Counter[T]) -> T:
    return min(counts, key=lambda value: (-counts[value], value))
