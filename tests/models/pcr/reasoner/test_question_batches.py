from pathlib import Path

import pytest
import torch

from comphy.dataset.questions import read_questions, split_file
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from models.pcr.reasoner.question_batches import (
    is_any,
    is_factual,
    is_visible,
    make_question_batches,
    mean_questions,
    presupposed_facts,
)

SEEN = Question(0, QuestionKind.FACTUAL, "", ("objects", "red", "filter_color", "count"), answer="1")
FELT = Question(1, QuestionKind.FACTUAL, "", ("objects", "filter_heavy", "exist"), answer="no")
RED_CUBE = ("objects", "red", "filter_color", "cube", "filter_shape", "unique")


def supposing(premise: str) -> Question:
    collision = ("all_events", "objects", "filter_collision", "unique")
    program = ("all_events", *RED_CUBE, premise, "filter_counterfact", "belong_to")
    choices = (Choice(0, "", collision, True), Choice(1, "", collision, False))
    return Question(2, QuestionKind.COUNTERFACTUAL, "", program, choices=choices)


def test_visible_questions_ask_for_nothing_hidden():
    assert is_visible(SEEN) and not is_visible(FELT) and not is_visible(supposing("counterfact_heavier"))
    assert is_factual(SEEN) and is_factual(FELT) and not is_factual(supposing("counterfact_heavier"))


@pytest.mark.parametrize(
    ("premise", "property_"),
    [
        ("counterfact_heavier", "filter_light"),
        ("counterfact_lighter", "filter_heavy"),
        ("counterfact_uncharged", "filter_charged"),
        ("counterfact_opposite", "filter_charged"),
    ],
)
def test_a_premise_says_that_the_object_is_there_and_not_yet_so(premise: str, property_: str):
    there, so = presupposed_facts([SEEN, supposing(premise), supposing(premise)])
    assert there.program == (*RED_CUBE[:-1], "exist")
    assert so.program == (*RED_CUBE[:-1], property_, "exist")
    assert there.answer == so.answer == "yes"


def test_batches_hold_whole_sets_and_all_their_questions():
    scenes = [SceneQuestions(index, "", (SEEN, FELT, supposing("counterfact_heavier"))) for index in (7, 3, 9)]
    batches = make_question_batches(scenes, is_any, 2, imagine=False)
    assert [batch.rows.tolist() for batch in batches] == [[0, 1], [2]]
    assert [len(batch.programs) for batch in batches] == [8, 4]
    assert mean_questions(batches) == 6
    assert len(make_question_batches(scenes, is_factual, 3, imagine=True)[0].programs) == 3 * (2 + 2)


def test_sets_without_such_questions_make_no_batch():
    assert make_question_batches([SceneQuestions(0, "", (FELT,))], is_visible, 4, imagine=False) == []


@pytest.mark.bullet
def test_statements_of_real_premises_are_true(dozen: Path):
    """What is taught along with the questions holds in every set."""
    from comphy.dataset.annotations.askable import read_askable
    from comphy.programs.executor import answer
    from comphy.programs.program import parse

    told = 0
    for scene in read_questions(split_file(dozen, "train", answers=True)):
        facts = read_askable(dozen, scene.scene_index).facts
        for statement in presupposed_facts(scene.questions):
            assert answer(parse(statement.program), facts) == "yes"
            told += 1
    assert told > 5


def test_batches_move_to_a_device():
    batch = make_question_batches([SceneQuestions(0, "", (SEEN,))], is_any, 1, imagine=False)[0].to("meta")
    assert batch.rows.device == torch.device("meta")
