"""The engine on real sets."""

from pathlib import Path

import pytest

from comphy.dataset.annotations.askable import read_askable
from comphy.dataset.layout import split_of
from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.questions import answers_path, questions_path, read_questions
from comphy.questions.engine import candidates_of, choose
from comphy.questions.model import QuestionKind

pytestmark = pytest.mark.bullet


def test_what_is_asked_depends_only_on_the_seed_and_the_sets_before(small_dataset: Path) -> None:
    sets = [candidates_of(read_askable(small_dataset, index), seed=0) for index in range(4)]
    whole = list(choose(sets, 0, many_choices=False))
    assert list(choose(sets[:2], 0, many_choices=False)) == whole[:2]
    assert [asked.questions for asked in whole] == read_questions_without_family(small_dataset)
    other = list(
        choose([candidates_of(read_askable(small_dataset, index), seed=1) for index in range(4)], 1, many_choices=False)
    )
    assert other != whole


def read_questions_without_family(root: Path) -> list:
    """The file has no family for questions with choices; the notes have."""
    from dataclasses import replace

    notes = read_notes(root / notes_path("train"))
    return [
        replace(
            scene,
            questions=tuple(
                replace(question, family=note.family)
                for question, note in zip(scene.questions, notes[scene.scene_index], strict=True)
            ),
        )
        for scene in read_questions(root / answers_path("train"))
    ]


def test_a_set_has_factual_and_usually_other_questions(small_dataset: Path) -> None:
    scenes = read_questions(small_dataset / answers_path("train"))
    assert [scene.scene_index for scene in scenes] == [i for i in range(4) if split_of(i) == "train"]
    kinds = [[question.kind for question in scene.questions] for scene in scenes]
    assert all(of_set.count(QuestionKind.FACTUAL) == 3 for of_set in kinds)
    assert any(QuestionKind.COUNTERFACTUAL in of_set for of_set in kinds)
    assert all(question.choices or question.answer for scene in scenes for question in scene.questions)


def test_every_split_has_its_files_and_the_test_split_keeps_answers_back(small_dataset: Path) -> None:
    for split in ("train", "val", "test"):
        assert (small_dataset / questions_path(split)).is_file() and (small_dataset / notes_path(split)).is_file()
    assert (small_dataset / answers_path("test")).name == "test_answers.json"
