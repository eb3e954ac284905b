from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.questions import answers_path, read_questions
from comphy.language.noise import contracted, misspelt, nonsense, with_other_ending, with_typing_errors
from comphy.language.rewording import held_out, random_questions
from comphy.language.rewording import misspelt as misspelt_questions
from comphy.questions.model import SceneQuestions


@pytest.fixture(scope="module")
def scenes(small_dataset: Path) -> list[SceneQuestions]:
    return read_questions(small_dataset / answers_path("train"))


def texts(scenes: list[SceneQuestions]) -> set[str]:
    questions = [question for scene in scenes for question in scene.questions]
    return {text for one in questions for text in (one.text, *(choice.text for choice in one.choices))}


def test_a_dataset_is_reworded_and_otherwise_left_as_it_is(scenes: list[SceneQuestions]) -> None:
    said = held_out(scenes, np.random.default_rng(0), words=True, frames=True)
    assert said == held_out(scenes, np.random.default_rng(0), words=True, frames=True)
    assert said != held_out(scenes, np.random.default_rng(1), words=True, frames=True)
    assert texts(scenes).isdisjoint(texts(said))
    for before, after in zip(scenes, said, strict=True):
        assert [one.program for one in before.questions] == [one.program for one in after.questions]
        assert [one.answer for one in before.questions] == [one.answer for one in after.questions]


def test_typing_errors_are_made(scenes: list[SceneQuestions]) -> None:
    assert texts(scenes).isdisjoint(texts(misspelt_questions(scenes, np.random.default_rng(0))))


def test_questions_that_no_dataset_asks() -> None:
    made = random_questions(30, np.random.default_rng(0))
    assert len(made) == 30 and all(len(scene.questions) == 2 for scene in made)
    assert len({question.program[-1] for scene in made for question in scene.questions}) > 6


@pytest.mark.parametrize(
    ("plain", "short"),
    [
        ("What is it?", "What's it?"),
        ("It will not move", "It won't move"),
        ("They are not red", "They aren't red"),
        ("I would like it", "I'd like it"),
        ("How many are there?", "How many are there?"),
    ],
)
def test_contractions(plain: str, short: str) -> None:
    assert contracted(plain) == short


def test_one_letter_is_wrong() -> None:
    rng = np.random.default_rng(0)
    found = {misspelt("sphere", rng) for _ in range(200)}
    assert {"shpere", "spere", "sphhere"} <= found
    assert all(one[0] == "s" and abs(len(one) - 6) <= 1 for one in found)
    assert {with_other_ending("blue", rng)[:3] for _ in range(20)} == {"blu"}
    assert 3 <= len(nonsense(rng)) < 9


def test_a_sentence_has_at_least_one_error_if_it_can() -> None:
    rng = np.random.default_rng(0)
    assert with_typing_errors("is it red", 0.5, rng) == "is it red"
    wrong = [with_typing_errors("does the sphere move", 0.0, rng) for _ in range(30)]
    assert all(len(set(text.split()) ^ {"does", "the", "sphere", "move"}) in (1, 2) for text in wrong)
