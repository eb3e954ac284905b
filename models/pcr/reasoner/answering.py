"""Answers of a trained reasoner to the questions of many sets."""

from collections.abc import Iterator, Sequence

import torch

from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.questions.model import Question, SceneQuestions
from models.pcr.executor.answers import best_answers, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.question_batches import QuestionBatch, is_any, make_question_batches
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.observed import Observed


@torch.no_grad()
def answer_scenes(
    reasoner: Reasoner, observed: Observed, scenes: Sequence[SceneQuestions], batch_size: int
) -> Submission:
    """Answers to all questions, by the programs that the questions have, in batches of `batch_size` sets. Row i of
    `observed` is the set of `scenes[i]`."""
    return answer_refined(reasoner.eval(), align_and_refine(reasoner, observed), scenes, batch_size)


@torch.no_grad()
def answer_refined(reasoner: Reasoner, seen: Observed, scenes: Sequence[SceneQuestions], batch_size: int) -> Submission:
    """The same for sets that are aligned and refined already. True answers are removed first: a question that was parsed
    wrongly may have an answer that its program cannot give."""
    answers: dict[QuestionKey, Answer] = {}
    asked = [scene.without_answers() for scene in scenes]
    for batch in make_question_batches(asked, is_any, batch_size, imagine=False):
        batch = batch.to(seen.objects.device)
        answers |= answer_batch(batch, scenes, reasoner.scene(seen.rows(batch.rows), hard=True))
    return answers


def answer_batch(batch: QuestionBatch, scenes: Sequence[SceneQuestions], scene: SoftScene) -> dict[QuestionKey, Answer]:
    """The answers to a batch with all questions of its sets, in a scene of these sets."""
    given = iter(best_answers(batch.programs, run(batch.programs, scene)))
    return {
        (scenes[row].scene_index, question.question_id): _answer(question, given)
        for row in batch.rows.tolist()
        for question in scenes[row].questions
    }


def _answer(question: Question, given: Iterator[str | bool]) -> Answer:
    if not question.choices:
        return str(next(given))
    return {choice.choice_id: bool(next(given)) for choice in question.choices}
