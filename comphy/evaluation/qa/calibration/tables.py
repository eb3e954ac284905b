"""Calibration as a table for a terminal."""

from rich.table import Table

from comphy.evaluation.qa.calibration.calibration import Calibration, CalibrationReport
from comphy.evaluation.qa.tables import NOTHING, in_full, new_table, percent, share_in_percent
from comphy.questions.model import QuestionKind


def calibration_table(report: CalibrationReport) -> Table:
    """One row per kind of question and, below it, the same with recalibrated confidences."""
    headings = ("", "answers", "temperature", "bias", "accuracy", "confidence", "ECE", "MCE", "Brier score", "AUROC")
    table = new_table("Calibration of answers in %", *headings)
    for kind, one in report.computed.items():
        fitted = report.recalibrated.get(kind)
        cells = (str(one.count), NOTHING, NOTHING, *_cells(one))
        table.add_row(column_name(kind), *cells, style="bold", end_section=fitted is None)
        if fitted is not None:
            how, after = fitted
            cells = (str(after.count), f"{how.temperature:.2f}", f"{how.bias:.2f}", *_cells(after))
            table.add_row("  recalibrated", *cells, end_section=True)
    table.caption = (
        "Confidence: the mean probability of the given answers. ECE, MCE: the mean and the largest gap between confidence\n"
        "and accuracy in 10 bins of equal width. AUROC: how often a right answer is given with more confidence than a\n"
        "wrong one. "
        + (
            "Recalibrated: as `comphy ask` tells confidence."
            if report.recalibrated
            else "The run is not recalibrated: --split val --calibrate does it."
        )
    )
    return in_full(table)


def column_name(kind: QuestionKind) -> str:
    return str(kind) if kind is QuestionKind.FACTUAL else f"{kind} options"


def _cells(one: Calibration) -> list[str]:
    errors = (one.confidence, one.expected_error, one.maximum_error)
    area = NOTHING if one.auroc is None else share_in_percent(one.auroc)
    return [percent(one.accuracy), *map(share_in_percent, errors), f"{one.brier:.3f}", area]
