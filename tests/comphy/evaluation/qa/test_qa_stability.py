"""Answers by stability, and ceilings, counted by hand."""

import io

import pytest
from rich.console import Console

from comphy.dataset.submission import Answer, QuestionKey
from comphy.errors import DatasetError
from comphy.evaluation.qa.accuracy import score
from comphy.evaluation.qa.stability import Ceiling, Part, StabilityReport, ceiling_of, score_by_stability
from comphy.evaluation.qa.tables import measured_table, remarks, tables
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions, Stability

FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind


def choices(question_id: int, kind: QuestionKind, *correct: bool) -> Question:
    options = tuple(Choice(choice_id, "…", (), verdict) for choice_id, verdict in enumerate(correct))
    return Question(question_id, kind, "?", ("belong_to",), choices=options)


TRUTH = [
    SceneQuestions(
        4,
        "sim_00004.mp4",
        (
            Question(0, FACTUAL, "?", ("objects", "exist"), "f", "yes"),
            choices(1, PREDICTIVE, True, False),
            choices(2, COUNTERFACTUAL, True, False, False, True),
            choices(3, COUNTERFACTUAL, False, True),
            choices(4, COUNTERFACTUAL),
        ),
    ),
    SceneQuestions(10, "sim_00010.mp4", (choices(0, COUNTERFACTUAL, True, True),)),
]
STABILITIES = {
    (4, 1): Stability(20, (1.0, 0.95), 0.95),
    (4, 2): Stability(20, (1.0, 0.9, 0.5, 0.2), 0.1),
    (4, 3): Stability(20, (1.0, 1.0), 1.0),
    (10, 0): Stability(20, (0.5, 0.5), 0.25),
}
ANSWERS: dict[QuestionKey, Answer] = {
    (4, 0): "yes",
    (4, 1): {0: True, 1: True},  # 1 of 2
    (4, 2): {0: True, 1: True, 2: False, 3: True},  # all but the second
    (4, 3): {0: False, 1: True},  # both
    (10, 0): {0: True, 1: True},  # both
}


@pytest.fixture
def report() -> StabilityReport:
    return score_by_stability(TRUTH, ANSWERS, STABILITIES)


def counted(report: StabilityReport) -> dict[tuple[QuestionKind, Part], tuple[object, object]]:
    """(right, of) per option and per question."""
    return {
        (one.kind, one.part): (
            one.per_option and (one.per_option.right, one.per_option.count),
            one.per_question and (one.per_question.right, one.per_question.count),
        )
        for one in report.scores
    }


def test_stable_and_chaotic_options_are_counted_apart(report: StabilityReport):
    assert counted(report) == {
        (PREDICTIVE, Part.ALL): ((1, 2), (0, 1)),
        (PREDICTIVE, Part.STABLE): ((1, 2), (0, 1)),  # 0.95 is stable
        (PREDICTIVE, Part.CHAOTIC): (None, None),
        (COUNTERFACTUAL, Part.ALL): ((7, 8), (2, 3)),
        (COUNTERFACTUAL, Part.STABLE): ((3, 3), (1, 1)),
        (COUNTERFACTUAL, Part.CHAOTIC): ((4, 5), (1, 2)),
    }
    assert (report.measured, report.asked, report.complete) == (4, 4, True)
    groups = {(one["kind"], one["group"]): one["per_question"] for one in report.record()["groups"]}
    assert groups["counterfactual", "4 choices"] == 0.1 and groups["predictive", "all"] == 0.95


def test_ceilings_are_the_mean_stability(report: StabilityReport):
    """The majority is wrong about the option of 0.2, and right about half of those of 0.5."""
    found = {(one.kind, one.part): one.ceiling for one in report.scores}
    assert found[PREDICTIVE, Part.ALL] == Ceiling(0.975, 0.95, 1.0, 1.0)
    assert found[PREDICTIVE, Part.CHAOTIC] == Ceiling(None, None, None, None)
    whole, chaotic = found[COUNTERFACTUAL, Part.ALL], found[COUNTERFACTUAL, Part.CHAOTIC]
    assert whole.per_option == pytest.approx(5.6 / 8) and whole.per_question == pytest.approx(1.35 / 3)
    assert whole.majority_per_option == pytest.approx((4 + 3 * 0.5) / 8)
    assert whole.majority_per_question == pytest.approx((0 + 1 + 0.25) / 3)
    assert chaotic.per_option == pytest.approx(2.6 / 5) and chaotic.per_question == pytest.approx(0.35 / 2)
    assert found[COUNTERFACTUAL, Part.STABLE] == Ceiling(1.0, 1.0, 1.0, 1.0)
    assert ceiling_of([], []) == Ceiling(None, None, None, None)


def printed(*shown: object) -> str:
    console = Console(file=io.StringIO(), width=200)
    for one in shown:
        console.print(one)
    return console.file.getvalue()  # type: ignore[attr-defined]


def row(text: str, label: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.strip("│ ").startswith(label))
    return [cell.strip() for cell in line.strip("│").split("│")][1:]


def test_tables_have_the_ceilings_beside_the_accuracies(report: StabilityReport):
    columns, groups, by_stability = tables(score(TRUTH, ANSWERS), stability=report)
    assert row(printed(columns), "ceiling, one run") == ["–", "97.5", "95.0", "70.0", "45.0"]
    assert row(printed(columns), "ceiling, majority") == ["–", "100.0", "100.0", "68.8", "41.7"]
    found = printed(groups)
    assert row(found, "counterfactual")[3::2] == ["70.0", "45.0"] and row(found, "factual")[3::2] == ["–", "–"]
    assert row(found, "4 choices")[3::2] == ["65.0", "10.0"] and row(found, "will happen")[3::2] == ["97.5", "95.0"]
    text = printed(by_stability)
    assert row(text, "counterfactual")[::3] == ["8", "3"] and row(text, "counterfactual")[2::3] == ["70.0", "45.0"]
    assert remarks(score(TRUTH, ANSWERS), report)[-1].startswith("1 questions have no choices")


def test_what_was_measured_needs_no_answers():
    by_kind = {PREDICTIVE: [STABILITIES[4, 1]], COUNTERFACTUAL: [STABILITIES[4, 2], STABILITIES[4, 3]]}
    text = printed(measured_table("Stability", by_kind))
    assert row(text, "predictive") == ["2", "100.0", "97.5", "100.0", "1", "100.0", "95.0", "100.0"]
    assert row(text, "counterfactual") == ["6", "50.0", "76.7", "75.0", "2", "50.0", "55.0", "50.0"]


def test_what_is_measured_in_part_is_said_and_has_no_ceiling_in_the_columns():
    part = score_by_stability(TRUTH, ANSWERS, {(10, 0): STABILITIES[10, 0]})
    assert (part.measured, part.asked) == (1, 4)
    assert "1 of 4 predictive and counterfactual questions" in remarks(score(TRUTH, ANSWERS), part)[-1]
    assert "ceiling" not in printed(*tables(score(TRUTH, ANSWERS), stability=part)[:2])


def test_without_stability_nothing_changes():
    none = score_by_stability(TRUTH, ANSWERS, {})
    report = score(TRUTH, ANSWERS)
    assert printed(*tables(report)) == printed(*tables(report, stability=none))
    assert remarks(report) == remarks(report, none) and none.scores == ()


def test_stability_of_other_choices_is_refused():
    with pytest.raises(
        DatasetError, match=r"scene 10: question 0: expected the stability of 2 options \(the notes have 1\)"
    ):
        score_by_stability(TRUTH, ANSWERS, {(10, 0): Stability(16, (1.0,), 1.0)})
