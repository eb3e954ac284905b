"""Answers of a trained reasoner to the questions of many sets."""

from collections.abc import Iterator, Sequence

import torch

from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.questions.model import Question, SceneQuestions
from models.pcr.alignment import aligned_by_looks
from models.pcr.executor.answers import best_answers, run
from models.pcr.lessons import is_any, make_lessons
from models.pcr.observed import Observed
from models.pcr.reasoner import Reasoner


@torch.no_grad()
def answer_scenes(
    reasoner: Reasoner, observed: Observed, scenes: Sequence[SceneQuestions], together: int
) -> Submission:
    """Row i of what is observed is the set of `scenes[i]`. Programs are those of the questions."""
    reasoner.eval()
    seen = aligned_by_looks(observed, reasoner.grounder)
    answers: dict[QuestionKey, Answer] = {}
    for lesson in make_lessons(scenes, is_any, together, imagine=False):
        lesson = lesson.to(seen.objects.device)
        given = iter(best_answers(lesson.batch, run(lesson.batch, reasoner.scene(seen.rows(lesson.rows), hard=True))))
        for row in lesson.rows.tolist():
            for question in scenes[row].questions:
                answers[scenes[row].scene_index, question.question_id] = _answer(question, given)
    return answers


def _answer(question: Question, given: Iterator[str | bool]) -> Answer:
    if not question.choices:
        return str(next(given))
    return {choice.choice_id: bool(next(given)) for choice in question.choices}
