"""The interface of a question-answering model: the questions about a set in, their answers out."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from comphy.dataset.submission import Answer, QuestionKey
from comphy.questions.model import SceneQuestions


class QABaseline(Protocol):
    """Answers all questions about one set at once, so that a model that watches its videos does so once."""

    def answer(self, scene: SceneQuestions) -> Mapping[int, Answer]:
        """Answer the questions about a set.

        Args:
            scene: the questions, without their answers.

        Returns:
            By question_id: the word that answers a factual question, or whether each choice (by choice_id) is
            correct."""


def answer_all(baseline: QABaseline, scenes: Sequence[SceneQuestions]) -> dict[QuestionKey, Answer]:
    """Answer the questions about many sets. The model is shown them without their answers.

    Args:
        baseline: the model.
        scenes: the questions, set by set.

    Returns:
        A submission: answers by scene_index and question_id."""
    return {
        (scene.scene_index, question_id): answer
        for scene in scenes
        for question_id, answer in baseline.answer(scene.without_answers()).items()
    }
