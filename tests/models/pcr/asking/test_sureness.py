"""How sure `ask` says it is: the recalibrated probability that an evaluation of the same answers measures."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
import torch
from rich.console import Console

from comphy.dataset.questions import read_questions, split_file
from comphy.evaluation.qa.calibration.calibration import Confidence, Recalibration
from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.pcr.asking.asking import ask
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.question import query_of_program
from models.pcr.asking.reply import Reply
from models.pcr.asking.terminal import print_reply
from models.pcr.evaluation.true_scene import TrueImagination
from models.pcr.executor.answers import asked_of, group, run
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.reasoner.answering import AnswerDistributions
from models.pcr.reasoner.recalibration import Recalibrations
from tests.support.interpreted_sets import certain

pytestmark = pytest.mark.bullet
FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind
HOW = {
    FACTUAL: Recalibration(3.0, 0.0),
    PREDICTIVE: Recalibration(2.0, 0.5),
    COUNTERFACTUAL: Recalibration(5.0, 1.0),
}


def unsure(root: Path, index: int) -> InterpretedSet:
    """The truth, with doubts about masses and about what is imagined."""
    scene = certain(root, index).scene
    truth = scene.imagination
    assert isinstance(truth, TrueImagination)
    doubted = replace(truth, after=doubtful(truth.after), premised=doubtful(truth.premised))
    return InterpretedSet(index, replace(scene, heavy=0.1 + 0.75 * scene.heavy, imagination=doubted))


def doubtful(events: SoftEvents) -> SoftEvents:
    return events.having(0.2 + 0.7 * events.probability)


def asked(root: Path, *kinds: QuestionKind) -> list[tuple[int, Question]]:
    scenes = read_questions(split_file(root, "train", answers=True))[:4]
    return [(scene.scene_index, one) for scene in scenes for one in scene.questions if one.kind in kinds]


def reply_to(known: InterpretedSet, question: Question) -> Reply:
    choices = [" ".join(choice.program) for choice in question.choices]
    return ask(known, query_of_program(" ".join(question.program), choices))


def measured(known: InterpretedSet, question: Question) -> Confidence:
    """As an evaluation has it."""
    chances = run(group(asked_of(question, 0)), known.scene)
    scenes = [SceneQuestions(known.index, "", (question,))]
    return AnswerDistributions(scenes, {}, chances).confidences(HOW)[known.index, question.question_id]


def test_a_factual_answer(dozen: Path):
    changed = 0
    for index, question in asked(dozen, FACTUAL):
        known = unsure(dozen, index)
        before, after = (reply_to(replace(known, recalibrations=how), question) for how in ({}, HOW))
        expected = measured(known, question)
        assert isinstance(expected, float)
        presupposes = {"unique", "filter_order"} & set(question.program)
        assert after.sure <= expected + 1e-6 if presupposes else after.sure == pytest.approx(expected, abs=1e-6)
        assert after.answers[0].words == before.answers[0].words and after.sentence == before.sentence
        assert after.steps[-1].items[0].chance == after.sure and after.steps[:-1] == before.steps[:-1]
        changed += after.sure < before.sure - 0.05
    assert changed


def test_verdicts(dozen: Path):
    questions = asked(dozen, PREDICTIVE, COUNTERFACTUAL)
    for index, question in questions:
        known = unsure(dozen, index)
        before, after = (reply_to(replace(known, recalibrations=how), question) for how in ({}, HOW))
        expected = measured(known, question)
        assert isinstance(expected, dict)
        sure = [max(verdict.chance, 1 - verdict.chance) for verdict in after.verdicts]
        assert sure == pytest.approx(list(expected.values()), abs=1e-6)
        assert [one.holds for one in after.verdicts] == [one.holds for one in before.verdicts]
        assert after.sentence == before.sentence and after.sure == min(sure) != before.sure
    assert {question.kind for _, question in questions} == {PREDICTIVE, COUNTERFACTUAL}


def test_every_pair(dozen: Path):
    query = query_of_program("unseen_events belong_to not")
    known = unsure(dozen, 0)
    before, after = (ask(replace(known, recalibrations=how), query) for how in ({}, HOW))
    assert {one.pair: one.holds for one in before.pairs} == {one.pair: one.holds for one in after.pairs}
    odds = {one.pair: one.chance / (1 - one.chance) for one in before.pairs}
    for one in after.pairs:  # log-odds / 2, and the bias of 0.5 towards what is likelier
        towards = 0.5 if odds[one.pair] > 1 else -0.5
        assert one.chance / (1 - one.chance) == pytest.approx(odds[one.pair] ** 0.5 * 2.718281828**towards, rel=1e-4)


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ({}, "Fairly sure: 87%; otherwise no (13%)."),
        ({FACTUAL: Recalibration(3.0, 0.0)}, "Unsure: 65%; otherwise no (35%)."),  # (87 / 13)^(1/3) : 1
        ({FACTUAL: Recalibration(1.0, 1.0)}, "Sure: 95%; otherwise no (5%)."),  # 87 e : 13
        ({PREDICTIVE: Recalibration(3.0, 0.0)}, "Fairly sure: 87%; otherwise no (13%)."),
    ],
)
def test_words_and_percentage(dozen: Path, how: Recalibrations, line: str):
    """One object is heavy with 87 %, no other is."""
    scene = certain(dozen, 0).scene
    heavy = torch.zeros_like(scene.heavy)
    heavy[0, 0] = 0.87
    known = InterpretedSet(0, replace(scene, heavy=heavy), how)
    out, reply = StringIO(), ask(known, query_of_program("objects filter_heavy exist"))
    print_reply(Console(file=out, width=200), reply, known)
    assert out.getvalue().splitlines()[1] == line


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("objects count", FACTUAL),
        ("unseen_events belong_to", PREDICTIVE),
        ("all_events objects filter_heavy unique counterfact_heavier filter_counterfact belong_to not", COUNTERFACTUAL),
        ("events belong_to", EXPLANATORY),
    ],
)
def test_kinds_of_questions(program: str, kind: QuestionKind):
    assert query_of_program(program).kind is kind
