"""What the tables of detection, tracking and alignment show."""

import io

import pytest
from rich.console import Console
from rich.table import Table

from comphy.evaluation.intervals import accuracy
from comphy.evaluation.perception.detection import DetectionScores
from comphy.evaluation.perception.tables import AlignedBy, Figure, alignment_table, detection_table, tracking_table
from comphy.evaluation.perception.tracking import TrackingScores

DETECTION = DetectionScores(
    frames=40,
    true_boxes=160,
    ap50=0.9912,
    ap75=0.949996,
    ap50_95=0.8765,
    score=0.7,
    precision=0.9523,
    recall=0.9404,
    mean_iou=0.9101,
)
TRACKING = TrackingScores(videos=3, idtp=970, idfp=20, idfn=30, switches=12, fragments=7)


def printed(table: Table, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), soft_wrap=True)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def rows(table: Table) -> dict[str, list[str]]:
    """Cells of a printed table by the first one."""
    lines = [line.strip("│").split("│") for line in printed(table).splitlines() if line.startswith("│")]
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in lines}


def test_detection_beside_what_is_required():
    assert rows(detection_table(DETECTION)) == {
        "AP50": ["0.9912", "0.9900", "yes"],
        "AP75": ["0.9500", "0.9500", "no"],  # rounded it would do
        "AP50:95": ["0.8765", "–", "–"],
        "precision from score 0.7 on": ["0.9523", "–", "–"],
        "recall from score 0.7 on": ["0.9404", "–", "–"],
        "mean IoU of these hits": ["0.9101", "–", "–"],
    }
    assert "160 true boxes in 40 frames." in printed(detection_table(DETECTION))


def test_tracking_beside_what_is_required():
    assert rows(tracking_table(TRACKING)) == {
        "IDF1": ["0.9749", "0.9800", "no"],  # 2 * 970 / (990 + 1000)
        "identity precision": ["0.9798", "–", "–"],
        "identity recall": ["0.9700", "–", "–"],
        "identity switches": ["12", "–", "–"],
        "fragments": ["7", "–", "–"],
    }
    assert "1000 true boxes in 3 videos." in printed(tracking_table(TRACKING))


def test_alignment_with_its_interval():
    """Wilson's interval of 81 in 263 is a textbook one (Newcombe 1998): 0.2553 to 0.3662."""
    table = alignment_table({AlignedBy.FEATURES: accuracy(81, 263)})
    assert rows(table) == {
        "by features alone": ["0.3080", "–", "–"],
        "by features alone, 95 % interval": ["0.2553–0.3662", "–", "–"],
    }
    assert "263 reference tracks." in printed(table)


def test_something_is_required_of_learned_attributes_only():
    table = alignment_table({AlignedBy.FEATURES: accuracy(9, 10), AlignedBy.ATTRIBUTES: accuracy(99, 100)})
    assert rows(table)["by features alone"] == ["0.9000", "–", "–"]
    assert rows(table)["by learned attributes"] == ["0.9900", "0.9800", "yes"]


def test_what_was_not_measured_is_not_met():
    nothing = DetectionScores(0, 0, None, None, None, 0.5, None, None, None)
    assert rows(detection_table(nothing))["AP50"] == ["–", "0.9900", "no"]
    assert rows(tracking_table(TrackingScores()))["IDF1"] == ["–", "0.9800", "no"]
    assert rows(alignment_table({AlignedBy.FEATURES: None}))["by features alone"] == ["–", "–", "–"]
    assert "No reference tracks." in printed(alignment_table({AlignedBy.FEATURES: None}))


@pytest.mark.parametrize(("measured", "met"), [(0.99, True), (0.9899999, False), (1.0, True), (None, False)])
def test_a_figure_is_met_from_the_required_on(measured: float | None, met: bool):
    assert Figure("AP50", measured, 0.99).met is met
    assert Figure("AP50", measured).met is None


def test_nothing_is_cut_off_in_a_narrow_terminal():
    alignment = alignment_table({AlignedBy.FEATURES: accuracy(81, 263)})
    for table in (detection_table(DETECTION), tracking_table(TRACKING), alignment):
        assert printed(table, width=30) == printed(table)
