"""Both executors give the same answers to all questions of a generated dataset."""

from pathlib import Path

import pytest

from comphy.dataset.annotations.askable import read_askable
from comphy.dataset.checks.questions import verdict
from comphy.dataset.layout import SPLITS
from comphy.dataset.questions import answers_path, read_questions
from comphy.programs.executor import answer
from comphy.programs.facts import SceneFacts
from comphy.programs.program import parse
from comphy.questions.model import Question
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.executor.answers import answer_losses, asked_of, best_answers, group, run

pytestmark = pytest.mark.bullet


def exactly(question: Question, facts: SceneFacts) -> list[str | bool]:
    if question.choices:
        return [verdict(question, choice, facts) for choice in question.choices]
    return [answer(parse(question.program), facts)]


def test_every_question_and_choice(small_dataset: Path):
    sets = [scene for split in SPLITS for scene in read_questions(small_dataset / answers_path(split))]
    facts = [read_askable(small_dataset, scene.scene_index).facts for scene in sets]
    questions = [(row, question) for row, scene in enumerate(sets) for question in scene.questions]
    batch = group([asked for row, question in questions for asked in asked_of(question, row)])
    chances = run(batch, true_scene(facts))
    expected = [found for row, question in questions for found in exactly(question, facts[row])]
    assert len(questions) > 10 and any(batch.choice) and not all(batch.choice)
    assert best_answers(batch, chances) == expected
    assert float(answer_losses(batch, chances).max()) < 1e-3
