"""Pictures of question accuracies: every group of questions with its interval, and the paper's columns beside others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.plot_style import INK, percentages, write_pictures
from comphy.evaluation.qa.accuracy import GroupScore, QAReport
from comphy.evaluation.qa.tables import PUBLISHED, heading
from comphy.questions.model import QuestionKind

GROUPS: Final = "groups.png"
COMPARISON: Final = "comparison.png"
_SHOWN: Final = ("CPL", "PCR", "Humans")  # of the paper's rows
_COLORS: Final = {
    QuestionKind.FACTUAL: "#4477aa",
    QuestionKind.EXPLANATORY: "#aa3377",
    QuestionKind.PREDICTIVE: "#228833",
    QuestionKind.COUNTERFACTUAL: "#ee7733",
}
_OURS: Final = ("#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee7733", "#aa3377", "#bb5566", "#aabbcc")
_NARROW: Final = 0.1  # of a column: its number stands upright
_PAPER: Final = {"CPL": "#dddddd", "PCR": "#bbbbbb", "Humans": "#777777"}
_PALE: Final = ("#66ccee", "#ccbb44", "#aabbcc", "#dddddd", "#bbbbbb")


def write_plots(folder: Path, report: QAReport, name: str, beside: Mapping[str, QAReport]) -> list[Path]:
    """Both pictures, as PNG files."""
    return write_pictures(folder, {GROUPS: group_plot(report), COMPARISON: comparison_plot(report, name, beside)})


def group_plot(report: QAReport) -> Figure:
    """Per question accuracy of every group, best first within its kind."""
    bars: list[GroupScore | None] = []
    for kind in QuestionKind:
        groups = [one for one in report.templates if one.kind is kind and one.per_question]
        bars += [*([None] if bars and groups else []), *sorted(groups, key=_value, reverse=True)]
    figure = Figure(figsize=(8, 0.8 + 0.26 * len(bars)), layout="constrained")
    axes = figure.subplots()
    for place, one in enumerate(bars):
        if one is not None and one.per_question is not None:
            _bar(axes, place, one.per_question, _COLORS[one.kind])
    places = [place for place, one in enumerate(bars) if one is not None]
    axes.set_yticks(places, [f"{one.group.replace('_', ' ')}  ({one.questions})" for one in bars if one is not None])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    percentages(axes, "x")
    axes.set_xlabel("accuracy per question in %, with 95 % interval")
    present = [kind for kind in QuestionKind if any(one is not None and one.kind is kind for one in bars)]
    handles = [Patch(color=_COLORS[kind]) for kind in present]
    figure.legend(
        handles, [str(kind) for kind in present], loc="outside upper right", ncols=len(present), frameon=False
    )
    return figure


def comparison_plot(report: QAReport, name: str, beside: Mapping[str, QAReport]) -> Figure:
    """The paper's five columns: measured accuracies with intervals, and in gray the published ones."""
    systems = {name: report, **beside}
    columns = [column for column in report.columns() if not column.startswith(QuestionKind.EXPLANATORY)]
    rows = [row for row in PUBLISHED if row.system in _SHOWN]
    width = 0.84 / (len(systems) + len(rows))
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    axes = figure.subplots()
    for number, (system, answered) in enumerate(systems.items()):
        found = [answered.columns().get(column) for column in columns]
        places = [column + (number + 0.5) * width - 0.42 for column in range(len(columns))]
        color = _OURS[min(number, len(_OURS) - 1)]
        _columns(axes, places, width, [one.value * 100 if one else 0.0 for one in found], color, system)
        axes.errorbar(places, *_errors(found), fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    for number, row in enumerate(rows, start=len(systems)):
        places = [column + (number + 0.5) * width - 0.42 for column in range(len(columns))]
        values = [row.factual, *row.predictive, *row.counterfactual]
        _columns(axes, places, width, values, _PAPER[row.system], f"{row.system} (paper)")
    axes.set_xticks(range(len(columns)), [heading(column) for column in columns])
    percentages(axes, "y")
    axes.set_ylabel("accuracy in %")
    figure.legend(loc="outside upper center", ncols=min(5, len(systems) + len(rows)), frameon=False, fontsize=9)
    return figure


def _value(one: GroupScore) -> float:
    return one.per_question.value if one.per_question else 0.0


def _bar(axes: Axes, place: int, one: Accuracy, color: str) -> None:
    axes.barh(place, 100 * one.value, height=0.72, color=color)
    values, reach = _errors([one])
    axes.errorbar(values, [place], xerr=reach, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    axes.text(1.5, place, f"{100 * one.value:.1f}", va="center", color="white", fontsize=8)


def _columns(axes: Axes, places: list[float], width: float, values: list[float], color: str, label: str) -> None:
    axes.bar(places, values, width=0.92 * width, color=color, label=label)
    for place, value in zip(places, values, strict=True):
        upright = 90 if width < _NARROW else 0
        ink = INK if color in _PALE else "white"
        axes.text(place, 1.5, f"{value:.0f}", ha="center", va="bottom", fontsize=7, color=ink, rotation=upright)


def _errors(found: Sequence[Accuracy | None]) -> tuple[list[float], list[list[float]]]:
    """Heights, and how far the intervals reach below and above them."""
    values = [100 * one.value if one else 0.0 for one in found]
    low = [100 * max(0.0, one.value - one.low) if one else 0.0 for one in found]
    high = [100 * max(0.0, one.high - one.value) if one else 0.0 for one in found]
    return values, [low, high]
