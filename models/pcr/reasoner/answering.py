"""Answers of a trained reasoner to the questions of many sets, and how sure it is of them.

Shapes: Q questions (a choice counts as one, answered yes or no), A answers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.evaluation.qa.calibration.calibration import Confidence
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.pcr.executor.answers import ANSWER_WORDS, best_answers, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.question_batches import QuestionBatch, is_any, make_question_batches
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.recalibration import NEUTRAL, Recalibrations, recalibrated
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.observed import Observed


@dataclass(frozen=True)
class AnswerDistributions:
    """Answers to all questions of `scenes`. Each is the most likely one of its distribution, a row of `chances` [Q, A]
    (see `models.pcr.executor.answers.run`); rows are in the order of scenes, questions and choices."""

    scenes: Sequence[SceneQuestions]
    answers: Submission
    chances: Tensor

    @property
    def kinds(self) -> list[QuestionKind]:
        """Of the question of each row."""
        asked = (question for scene in self.scenes for question in scene.questions)
        return [question.kind for question in asked for _ in range(_rows(question))]

    def confidences(self, recalibrations: Recalibrations) -> dict[QuestionKey, Confidence]:
        """The probability of each given answer, recalibrated for its kind of question."""
        ways = [recalibrations.get(kind, NEUTRAL) for kind in self.kinds]
        temperature = torch.tensor([[how.temperature] for how in ways], dtype=torch.double)
        bias = torch.tensor([[how.bias] for how in ways], dtype=torch.double)
        sure = iter(recalibrated(self.chances, temperature, bias).amax(dim=1).tolist())
        return {
            (scene.scene_index, question.question_id): _confidence(question, sure)
            for scene in self.scenes
            for question in scene.questions
        }


def answer_scenes(
    reasoner: Reasoner, observed: Observed, scenes: Sequence[SceneQuestions], batch_size: int
) -> AnswerDistributions:
    """Answers to all questions, by the programs that the questions have, in batches of `batch_size` sets. Row i of
    `observed` is the set of `scenes[i]`."""
    return answer_refined(reasoner.eval(), align_and_refine(reasoner, observed), scenes, batch_size)


@torch.no_grad()
def answer_refined(
    reasoner: Reasoner, seen: Observed, scenes: Sequence[SceneQuestions], batch_size: int
) -> AnswerDistributions:
    """The same for sets that are aligned and refined already. True answers are removed first: a question that was parsed
    wrongly may have an answer that its program cannot give."""
    answers: dict[QuestionKey, Answer] = {}
    asked = [scene.without_answers() for scene in scenes]
    chances: list[Tensor] = []
    for batch in make_question_batches(asked, is_any, batch_size, imagine=False):
        batch = batch.to(seen.objects.device)
        chances.append(run(batch.programs, reasoner.scene(seen.rows(batch.rows), hard=True)).cpu())
        answers |= _answers(batch, scenes, chances[-1])
    return AnswerDistributions(asked, answers, torch.cat(chances) if chances else torch.empty(0, len(ANSWER_WORDS)))


def answer_batch(batch: QuestionBatch, scenes: Sequence[SceneQuestions], scene: SoftScene) -> dict[QuestionKey, Answer]:
    """The answers to a batch with all questions of its sets, in a scene of these sets."""
    return _answers(batch, scenes, run(batch.programs, scene))


def _answers(batch: QuestionBatch, scenes: Sequence[SceneQuestions], chances: Tensor) -> dict[QuestionKey, Answer]:
    given = iter(best_answers(batch.programs, chances))
    return {
        (scenes[row].scene_index, question.question_id): _answer(question, given)
        for row in batch.rows.tolist()
        for question in scenes[row].questions
    }


def _answer(question: Question, given: Iterator[str | bool]) -> Answer:
    if question.kind is QuestionKind.FACTUAL:
        return str(next(given))
    return {choice.choice_id: bool(next(given)) for choice in question.choices}


def _confidence(question: Question, sure: Iterator[float]) -> Confidence:
    if question.kind is QuestionKind.FACTUAL:
        return next(sure)
    return {choice.choice_id: next(sure) for choice in question.choices}


def _rows(question: Question) -> int:
    return 1 if question.kind is QuestionKind.FACTUAL else len(question.choices)
