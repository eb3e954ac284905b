"""How alike the solutions of a template's tasks are: of each action, how many of them it solves.

Bars far to the right mean that one action solves many tasks at once; the benchmark's choice of tasks avoids that.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from comphy.evaluation.plot_style import FAINT, PALETTE, plain
from comphy.puzzles.phyre.benchmark.cache import Statuses

PANELS_IN_A_ROW: Final = 5
BINS: Final = tuple(0.5 + 4.0 * k for k in range(26))  # of tasks solved by one action


def tasks_solved(statuses: Statuses) -> NDArray[np.int64]:
    """Of each action [N] the number of tasks that it solves; statuses [tasks, N]."""
    return np.asarray((statuses > 0).sum(axis=0), dtype=np.int64)


def diversity_plot(solved: Mapping[str, NDArray[np.int64]]) -> Figure:
    """A histogram for each template: actions by the number of its tasks that they solve; actions that solve none are
    left out."""
    rows = -(-len(solved) // PANELS_IN_A_ROW)
    figure = Figure(figsize=(2.1 * PANELS_IN_A_ROW, 1.5 * rows + 0.4), layout="constrained")
    panels = figure.subplots(rows, PANELS_IN_A_ROW, sharex=True, squeeze=False).ravel()
    for axes, (template, counts) in zip(panels, solved.items(), strict=False):
        _panel(axes, template, counts)
    for axes in panels[len(solved) :]:
        axes.set_visible(False)
    figure.supxlabel("tasks of the template that one action solves", fontsize=9)
    figure.supylabel("actions", fontsize=9)
    return figure


def _panel(axes: Axes, template: str, counts: NDArray[np.int64]) -> None:
    solving = counts[counts > 0]
    axes.hist(solving, bins=BINS, color=PALETTE[0])
    if not len(solving):
        axes.set_ylim(0, 1)
        axes.text(50, 0.5, "no action solves any", ha="center", va="center", fontsize=7)
    axes.set_title(template, fontsize=7)
    axes.set_xlim(0, 100)
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.tick_params(labelsize=7)
    plain(axes)
