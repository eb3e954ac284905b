"""Answers of a trained reasoner to the questions of many sets."""

from collections.abc import Iterator, Sequence

import torch

from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.questions.model import Question, SceneQuestions
from models.pcr.executor.answers import best_answers, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.properties.refinement import studied
from models.pcr.reasoner.question_batches import Lesson, is_any, make_lessons
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed


@torch.no_grad()
def answer_scenes(
    reasoner: Reasoner, observed: Observed, scenes: Sequence[SceneQuestions], together: int
) -> Submission:
    """Row i of what is observed is the set of `scenes[i]`. Programs are those of the questions."""
    return answer_studied(reasoner.eval(), studied(reasoner, observed), scenes, together)


@torch.no_grad()
def answer_studied(reasoner: Reasoner, seen: Observed, scenes: Sequence[SceneQuestions], together: int) -> Submission:
    """The same of sets that have been studied already. No true answer is looked at: a question that was misread may
    have another kind of answer."""
    answers: dict[QuestionKey, Answer] = {}
    asked = [scene.without_answers() for scene in scenes]
    for lesson in make_lessons(asked, is_any, together, imagine=False):
        lesson = lesson.to(seen.objects.device)
        answers |= answer_lesson(lesson, scenes, reasoner.scene(seen.rows(lesson.rows), hard=True))
    return answers


def answer_lesson(lesson: Lesson, scenes: Sequence[SceneQuestions], scene: SoftScene) -> dict[QuestionKey, Answer]:
    """The answers to a lesson with all questions of its sets, in a scene of these sets."""
    given = iter(best_answers(lesson.batch, run(lesson.batch, scene)))
    return {
        (scenes[row].scene_index, question.question_id): _answer(question, given)
        for row in lesson.rows.tolist()
        for question in scenes[row].questions
    }


def _answer(question: Question, given: Iterator[str | bool]) -> Answer:
    if not question.choices:
        return str(next(given))
    return {choice.choice_id: bool(next(given)) for choice in question.choices}
