"""Reliability diagrams: accuracy over confidence, and how many answers have each confidence."""

from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comphy.evaluation.plot_style import FAINT, INK, PALETTE, plain, write_pictures
from comphy.evaluation.qa.calibration.calibration import Calibration, CalibrationReport, lowest_confidence
from comphy.evaluation.qa.calibration.tables import column_name

RELIABILITY: Final = "reliability.png"
_COMPUTED: Final = ("as computed", PALETTE[1])
_RECALIBRATED: Final = ("recalibrated", PALETTE[0])
_LEAST_AREA: Final = 24.0  # points²
_MORE_AREA: Final = 160.0
_MARGIN: Final = 0.03  # of the confidences: a marker at 100 % is seen in full


def write_reliability_plot(folder: Path, report: CalibrationReport) -> list[Path]:
    """As a PNG file."""
    return write_pictures(folder, {RELIABILITY: reliability_plot(report)})


def reliability_plot(report: CalibrationReport) -> Figure:
    """One diagram per kind of question: what is calibrated lies on the diagonal. Bars are 95 % intervals of accuracies."""
    figure = Figure(figsize=(1 + 3.6 * len(report.computed), 4.8), layout="constrained")
    rows = figure.subplots(2, len(report.computed), height_ratios=(3, 1), squeeze=False)
    for number, (kind, computed) in enumerate(report.computed.items()):
        upper, lower = rows[0][number], rows[1][number]
        shown = [(computed, *_COMPUTED)]
        if kind in report.recalibrated:
            shown.append((report.recalibrated[kind][1], *_RECALIBRATED))
        for place, (one, label, color) in enumerate(shown):
            _draw_reliability(upper, one, label, color)
            _draw_shares(lower, one, color, place, len(shown))
        errors = " → ".join(f"{100 * one.expected_error:.1f}" for one, _, _ in shown)
        upper.set_title(f"{column_name(kind)}\nECE {errors} %", fontsize=10, color=INK)
        _finish(upper, lower, 100 * lowest_confidence(kind))
    rows[0][0].set_ylabel("accuracy in %", color=INK)
    rows[1][0].set_ylabel("answers in %", color=INK)
    handles, labels = max((upper.get_legend_handles_labels() for upper in rows[0]), key=lambda found: len(found[1]))
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False, fontsize=9)
    return figure


def _draw_reliability(axes: Axes, one: Calibration, label: str, color: str) -> None:
    """The area of a marker grows with the answers in its bin."""
    filled = [(part.confidence, part.accuracy) for part in one.bins if part.accuracy and part.confidence is not None]
    confidences = [100 * confidence for confidence, _ in filled]
    values = [100 * accuracy.value for _, accuracy in filled]
    areas = [_LEAST_AREA + _MORE_AREA * accuracy.count / one.count for _, accuracy in filled]
    low, high = ([100 * getattr(accuracy, end) for _, accuracy in filled] for end in ("low", "high"))
    axes.vlines(confidences, low, high, color=color, linewidth=1, alpha=0.55)
    axes.scatter(
        *(confidences, values, areas),
        color=color,
        edgecolors="white",
        linewidths=0.5,
        zorder=3,
        clip_on=False,
        label=label,
    )


def _draw_shares(axes: Axes, one: Calibration, color: str, place: int, systems: int) -> None:
    """Bars of several systems stand side by side within each bin."""
    width = 100 * (one.bins[0].high - one.bins[0].low) * 0.86 / systems
    middles = [50 * (part.low + part.high) + (place - (systems - 1) / 2) * width for part in one.bins]
    axes.bar(middles, [100 * part.count / one.count for part in one.bins], width=width, color=color)


def _finish(upper: Axes, lower: Axes, lowest: float) -> None:
    upper.plot([lowest, 100], [lowest, 100], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ticks = range(round(lowest), 101, 10 if lowest else 20)
    reach = _MARGIN * (100 - lowest)
    for axes in (upper, lower):
        axes.set_xlim(lowest - reach, 100 + reach)
        axes.set_xticks(ticks)
        axes.grid(axis="y", color=FAINT, linewidth=0.8)
        plain(axes)
    upper.grid(axis="x", color=FAINT, linewidth=0.8)
    upper.set_ylim(-2, 103)
    upper.set_yticks(range(0, 101, 20))
    lower.set_ylim(0, 103)
    lower.set_yticks((0, 50, 100))
    lower.set_xlabel("confidence in %", color=INK)
