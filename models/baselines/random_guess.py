"""The Random baseline: any answer that fits the question, all equally likely."""

from dataclasses import dataclass

import numpy as np

from comphy.dataset.submission import Answer
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.questions.question_types import ANSWERS, answer_type


@dataclass(frozen=True)
class RandomGuess:
    """Each question has its own stream of random numbers, so a guess does not depend on what else is asked."""

    seed: int

    def answer(self, scene: SceneQuestions) -> dict[int, Answer]:
        return {
            question.question_id: guess(
                question, np.random.default_rng((self.seed, scene.scene_index, question.question_id))
            )
            for question in scene.questions
        }


def guess(question: Question, rng: np.random.Generator) -> Answer:
    """A word, uniform over those that fit; of a multiple-choice question, a fair coin for each choice."""
    if question.kind is QuestionKind.FACTUAL:
        return str(rng.choice(ANSWERS[answer_type(question)]))
    return {choice.choice_id: bool(rng.random() < 0.5) for choice in question.choices}
