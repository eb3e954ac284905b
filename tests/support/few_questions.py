"""Fewer questions for tests that answer: each counterfactual is imagined for itself, and untrained parsers write long."""

from dataclasses import replace
from pathlib import Path

from comphy.dataset.questions import read_questions, split_file, write_questions
from comphy.questions.model import Question, QuestionKind, SceneQuestions

SPLITS = ("train", "val", "test")


def few(scenes: list[SceneQuestions]) -> list[SceneQuestions]:
    """A question of each kind and family of each set; counterfactuals of the first set alone."""
    return [_few(scene, counterfactual=scene is scenes[0]) for scene in scenes]


def keep_few_questions(data: Path) -> Path:
    """Leave a dataset with these questions."""
    for path in (split_file(data, split, answers) for split in SPLITS for answers in (True, False)):
        if path.exists():
            write_questions(path, few(read_questions(path)))
    return data


def _few(scene: SceneQuestions, counterfactual: bool) -> SceneQuestions:
    first: dict[tuple[str, str], Question] = {}
    for question in scene.questions:
        if counterfactual or question.kind is not QuestionKind.COUNTERFACTUAL:
            first.setdefault((question.kind, question.family), question)
    return replace(scene, questions=tuple(first.values()))
