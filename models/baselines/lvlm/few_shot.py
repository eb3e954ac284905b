"""Examples in the prompt: questions of the train split of the same type, drawn for each question by its number."""

from collections.abc import Sequence

import numpy as np

from comphy.errors import ConfigError
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.baselines.lvlm.prompts import Example
from models.questions.question_types import answer_type


class ExamplePool:
    """Questions with answers by their type."""

    def __init__(self, scenes: Sequence[SceneQuestions], seed: int) -> None:
        self._seed = seed
        self._by_type: dict[str, list[Example]] = {}
        for scene in scenes:
            for question in scene.questions:
                if _is_answered(question):
                    self._by_type.setdefault(_type(question), []).append(Example(scene.scene_index, question))
        if not self._by_type:
            raise ConfigError(
                "few_shot.examples: expected a train split whose questions have answers (found none). Use "
                "few_shot.examples=0, or another dataset."
            )

    def draw(self, index: int, question: Question, count: int) -> list[Example]:
        """Different ones; fewer where the train split has fewer of this type."""
        pool = self._by_type.get(_type(question), [])
        rng = np.random.default_rng((self._seed, index, question.question_id))
        return [pool[number] for number in rng.permutation(len(pool))[:count]]


def _is_answered(question: Question) -> bool:
    if question.kind is QuestionKind.FACTUAL:
        return question.answer is not None
    return bool(question.choices) and all(choice.correct is not None for choice in question.choices)


def _type(question: Question) -> str:
    """The type of the answer to a factual question, or the kind of the question."""
    return answer_type(question) if question.kind is QuestionKind.FACTUAL else question.kind
