"""Calibration, counted by hand; tables and plots show what was counted."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from comphy.dataset.submission import Answer, QuestionKey
from comphy.evaluation.qa.calibration.calibration import (
    BINS,
    Calibration,
    CalibrationReport,
    Confidence,
    Recalibration,
    calibration,
    calibrations,
)
from comphy.evaluation.qa.calibration.plots import RELIABILITY, reliability_plot, write_reliability_plot
from comphy.evaluation.qa.calibration.tables import calibration_table
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind
# Three bins: two answers of 0.625, one right; four of 0.8, all right; two of 1, one right.
OUTCOMES = [(0.625, True), (0.625, False), *[(0.8, True)] * 4, (1.0, True), (1.0, False)]


def counted(outcomes: list[tuple[float, bool]], lowest: float) -> Calibration:
    found = calibration(outcomes, lowest)
    assert found is not None
    return found


@pytest.mark.parametrize("lowest", [0.0, 0.5])
def test_errors_and_brier_score(lowest: float):
    found = counted(OUTCOMES, lowest)
    filled = [one for one in found.bins if one.count]
    assert [one.count for one in filled] == [2, 4, 2]
    assert [one.gap for one in filled] == pytest.approx([0.125, 0.2, 0.5])  # |1/2 - 0.625|, |4/4 - 0.8|, |1/2 - 1|
    assert found.expected_error == pytest.approx((2 * 0.125 + 4 * 0.2 + 2 * 0.5) / 8)
    assert found.maximum_error == pytest.approx(0.5)
    assert found.brier == pytest.approx((0.375**2 + 0.625**2 + 4 * 0.2**2 + 0 + 1) / 8)
    assert found.count == 8 and found.accuracy.value == 0.75
    assert found.confidence == pytest.approx((2 * 0.625 + 4 * 0.8 + 2) / 8)


def test_the_area_under_the_roc_curve_counts_pairs():
    # Of the wrong answers, 0.625 ties with one right answer and is below five; 1.0 ties with one.
    assert counted(OUTCOMES, 0.5).auroc == pytest.approx((0.5 + 5 + 0.5) / 12)
    assert counted([(0.9, True), (0.6, False), (0.7, False)], 0.5).auroc == 1.0
    assert counted([(0.6, True), (0.9, False)], 0.5).auroc == 0.0


@pytest.mark.parametrize("right", [True, False])
def test_answers_that_are_all_alike_have_no_such_area(right: bool):
    assert counted([(0.9, right), (0.6, right)], 0.5).auroc is None


@pytest.mark.parametrize(
    ("lowest", "value", "place"),
    [(0.0, 0.0, 0), (0.0, 0.5, 5), (0.0, 0.49, 4), (0.0, 1.0, 9), (0.5, 0.5, 0), (0.5, 0.75, 5), (0.5, 0.56, 1)],
)
def test_bins_begin_at_the_lowest_confidence(lowest: float, value: float, place: int):
    found = counted([(value, True)], lowest)
    assert [one.count for one in found.bins] == [int(number == place) for number in range(BINS)]
    assert found.bins[0].low == lowest and found.bins[-1].high == 1.0
    assert [one.confidence for one in found.bins if one.count] == [value]


@pytest.mark.parametrize("value", [0.4, 1.1, float("nan")])
def test_a_confidence_that_cannot_be_is_refused(value: float):
    with pytest.raises(ValueError, match=r"expected confidences from 0\.5 to 1 \(got"):
        calibration([(0.7, True), (value, True)], 0.5)


def test_nothing_asked():
    assert calibration([], 0.0) is None


def choices(question_id: int, kind: QuestionKind, *correct: bool) -> Question:
    options = tuple(Choice(choice_id, "…", (), verdict) for choice_id, verdict in enumerate(correct))
    return Question(question_id, kind, "?", ("belong_to",), choices=options)


TRUTH = [
    SceneQuestions(
        3,
        "sim_00003.mp4",
        (
            Question(0, FACTUAL, "?", ("objects", "exist"), "f", "red and blue"),
            choices(1, COUNTERFACTUAL, True, False),
            choices(2, PREDICTIVE, True),
            choices(3, PREDICTIVE),
            Question(4, FACTUAL, "?", ("objects", "exist"), "f", "yes"),
        ),
    )
]
ANSWERS: dict[QuestionKey, Answer] = {
    (3, 0): "blue and red",
    (3, 1): {0: True, 1: True},
    (3, 2): {0: False},
    (3, 3): {},
}
CONFIDENCES: dict[QuestionKey, Confidence] = {(3, 0): 0.3, (3, 1): {0: 0.9, 1: 0.6}, (3, 2): {0: 0.8}, (3, 3): {}}


def test_kinds_of_questions_are_apart_and_options_count_one_by_one():
    found = calibrations(TRUTH, ANSWERS, CONFIDENCES)
    assert list(found) == [FACTUAL, PREDICTIVE, COUNTERFACTUAL]  # and the unanswered question is left out
    assert [(one.count, one.accuracy.right) for one in found.values()] == [(1, 1), (1, 0), (2, 1)]
    assert found[FACTUAL].expected_error == pytest.approx(0.7) and found[FACTUAL].bins[3].count == 1
    assert found[PREDICTIVE].expected_error == pytest.approx(0.8) and found[PREDICTIVE].brier == pytest.approx(0.64)
    assert found[COUNTERFACTUAL].expected_error == pytest.approx((0.1 + 0.6) / 2)


@pytest.fixture
def report() -> CalibrationReport:
    computed = calibrations(TRUTH, ANSWERS, CONFIDENCES)
    less_sure = calibrations(TRUTH, ANSWERS, CONFIDENCES | {(3, 1): {0: 0.75, 1: 0.55}})
    return CalibrationReport(computed, {COUNTERFACTUAL: (Recalibration(2.5, 0.5), less_sure[COUNTERFACTUAL])})


def test_the_record_has_both_and_what_was_fitted(report: CalibrationReport):
    record = report.record()
    assert record["factual"]["recalibrated"] is None
    changed = record["counterfactual"]
    assert (changed["recalibrated"]["temperature"], changed["recalibrated"]["bias"]) == (2.5, 0.5)
    assert len(changed["computed"]["bins"]) == BINS
    assert changed["computed"]["expected_calibration_error"] == pytest.approx(0.35)
    assert changed["recalibrated"]["expected_calibration_error"] == pytest.approx((0.25 + 0.55) / 2)


def printed(report: CalibrationReport) -> list[list[str]]:
    out = io.StringIO()
    Console(file=out, width=200).print(calibration_table(report))
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.getvalue().splitlines() if "│" in line]


def test_the_table(report: CalibrationReport):
    rows = printed(report)
    names = ["factual", "predictive options", "counterfactual options", "recalibrated"]
    assert [row[0] for row in rows] == names
    assert rows[2][1:] == ["2", "–", "–", "50.0", "75.0", "35.0", "60.0", "0.185", "100.0"]
    assert rows[3][1:4] == ["2", "2.50", "0.50"]


def test_the_diagram_shows_the_bins(report: CalibrationReport):
    figure = reliability_plot(report)
    assert [axes.get_title().splitlines()[1] for axes in figure.axes[:3]] == [
        "ECE 70.0 %",
        "ECE 80.0 %",
        "ECE 35.0 → 40.0 %",
    ]
    markers = next(one for one in figure.axes[2].collections if one.get_label() == "as computed")
    np.testing.assert_allclose(markers.get_offsets(), [[60, 0], [90, 100]])
    heights = [bar.get_height() for bar in figure.axes[5].containers[0]]
    assert heights == [0, 0, 50, 0, 0, 0, 0, 0, 50, 0]


def test_the_diagram_is_written(report: CalibrationReport, tmp_path: Path):
    one_kind = CalibrationReport({COUNTERFACTUAL: report.computed[COUNTERFACTUAL]}, report.recalibrated)
    (path,) = write_reliability_plot(tmp_path / "plots", one_kind)
    assert path.name == RELIABILITY
    pixels = np.asarray(Image.open(path).convert("RGB"))
    assert pixels.shape[1] > 600 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 10
