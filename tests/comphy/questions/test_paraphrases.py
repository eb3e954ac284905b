from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.questions import answers_path, read_questions
from comphy.errors import DatasetError
from comphy.questions.choices import CHOICE_TEXT, COUNTERFACTUAL_TEXT, PREDICTIVE_TEXT
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from comphy.questions.paraphrases import choice_paraphrases, paraphrased, paraphrases, question_paraphrases
from comphy.questions.templates import templates

COLLISION = (
    "all_events objects red filter_color unique filter_collision objects metal filter_material sphere filter_shape "
    "unique filter_collision unique"
)


def asked(kind: QuestionKind, program: str) -> Question:
    return Question(0, kind, "?", tuple(program.split()))


@pytest.fixture(scope="module")
def scenes(small_dataset: Path) -> list[SceneQuestions]:
    return [
        scene for split in ("train", "val", "test") for scene in read_questions(small_dataset / answers_path(split))
    ]


def test_every_template_and_every_kind_of_choice_has_other_wordings() -> None:
    names = {family.name for family in paraphrases().families}
    others = {"predictive", "counterfactual", "counterfactual_not", "predictive_choice", "counterfactual_choice"}
    assert names == {template.family for template in templates()} | others
    assert all(len(set(family.text)) >= 3 for family in paraphrases().families)


def test_no_wording_is_one_of_the_dataset() -> None:
    known = {text for template in templates() for text in template.text}
    known |= {*PREDICTIVE_TEXT, *COUNTERFACTUAL_TEXT[False], *COUNTERFACTUAL_TEXT[True]}
    known |= {text for texts in CHOICE_TEXT.values() for text in texts}
    plain = {_plain(text) for text in known}
    assert not plain & {_plain(text) for family in paraphrases().families for text in family.text}


def _plain(wording: str) -> str:
    """As it reads where it names no time."""
    return " ".join(wording.replace("{time}", "").strip(" ,").lower().split()).replace(" ?", "?")


def test_times_and_looks_are_put_into_words() -> None:
    moving = "objects rubber filter_material {} filter_moving count"
    assert question_paraphrases(asked(QuestionKind.FACTUAL, moving.format("null"))) == (
        "How many of the rubber objects are moving?",
        "How many rubber objects are there that are moving?",
        "What is the number of rubber objects that move?",
    )
    entrance = "events objects blue filter_color cube filter_shape unique filter_in unique query_frame"
    first, second, _ = question_paraphrases(asked(QuestionKind.FACTUAL, moving.format(entrance)))
    assert first == "How many of the rubber objects are moving as the blue cube enters the scene?"
    assert second.startswith("As the blue cube enters the scene, how many rubber objects")


def test_what_would_not_happen_is_worded_as_such() -> None:
    program = "all_events objects cube filter_shape unique counterfact_opposite filter_counterfact belong_to"
    would = question_paraphrases(asked(QuestionKind.COUNTERFACTUAL, program))
    would_not = question_paraphrases(asked(QuestionKind.COUNTERFACTUAL, f"{program} not"))
    assert would[0] == "What would happen if the cube were oppositely charged?"
    assert [text.replace(" not ", " ") for text in would_not] == list(would)


def test_choices_are_worded_for_their_question() -> None:
    choice = Choice(0, "?", tuple(COLLISION.split()), None)
    assert "The red object will collide with the metal sphere" in choice_paraphrases(choice, QuestionKind.PREDICTIVE)
    hypothetical = choice_paraphrases(choice, QuestionKind.COUNTERFACTUAL)
    assert all("would" in text and "the red object" in text.lower() for text in hypothetical)


def test_a_dataset_is_reworded_and_otherwise_left_as_it_is(scenes: list[SceneQuestions]) -> None:
    reworded = paraphrased(scenes, np.random.default_rng(0))
    assert paraphrased(scenes, np.random.default_rng(0)) == reworded != paraphrased(scenes, np.random.default_rng(1))
    assert _texts(scenes).isdisjoint(_texts(reworded))
    for before, after in zip(scenes, reworded, strict=True):
        assert _programs(before) == _programs(after)
        assert [question.answer for question in before.questions] == [question.answer for question in after.questions]


def test_a_dataset_has_programs_of_many_families(scenes: list[SceneQuestions]) -> None:
    found = {question.family for scene in scenes for question in scene.questions}
    assert len(found) > 8, "else the test above shows little"


def test_a_program_of_no_template_is_named() -> None:
    with pytest.raises(DatasetError, match="no paraphrase for the program 'objects exist'"):
        question_paraphrases(asked(QuestionKind.FACTUAL, "objects exist"))


def _texts(scenes: list[SceneQuestions]) -> set[str]:
    questions = [question for scene in scenes for question in scene.questions]
    return {text for one in questions for text in (one.text, *(choice.text for choice in one.choices))}


def _programs(scene: SceneQuestions) -> list[tuple[str, ...]]:
    return [
        program for one in scene.questions for program in (one.program, *(choice.program for choice in one.choices))
    ]
