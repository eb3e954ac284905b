"""Pictures of how soon agents solve their test tasks."""

import math
from collections.abc import Mapping
from itertools import cycle
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comphy.evaluation.plot_style import FAINT, PALETTE, percentages
from comphy.evaluation.puzzles.phyre.results import AgentResult, Comparison
from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS

_TICKS: Final = (1, 3, 10, 30, 100)
_AGENTS: Final = ("dqn", "mem", "object_search", "optimal", "rand")  # each has its colour, whoever is beside it
_ONLINE: Final = "_o"  # ends the name of an agent that goes on learning: the same colour, dashed
_LEGEND_COLUMNS: Final = 3  # over each panel
_LEGEND_ROW: Final = 0.25  # inches


def curve_plot(found: Comparison) -> Figure:
    """A panel for each set-up: shares of tasks solved within k attempts, mean and deviation over folds."""
    shown = dict.fromkeys(agent for agents in found.values() for agent in agents)
    rows = math.ceil(len(shown) / (_LEGEND_COLUMNS * len(found)))
    columns = math.ceil(len(shown) / rows)
    height = 3.65 + _LEGEND_ROW * rows
    figure = Figure(figsize=(0.6 + 4.4 * len(found), height), layout="constrained")
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    families = dict.fromkeys((*_AGENTS, *map(_family, shown)))
    colors = dict(zip(families, cycle(PALETTE), strict=False))
    for axes, (setup, agents) in zip(panels, found.items(), strict=True):
        _panel(axes, setup, agents, colors)
    panels[0].set_ylabel("solved tasks in %")
    handles = {line.get_label(): line for axes in panels for line in axes.get_lines()}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=columns, frameon=False)
    return figure


def _panel(axes: Axes, setup: str, agents: Mapping[str, tuple[AgentResult, ...]], colors: Mapping[str, str]) -> None:
    attempts = np.arange(1, MAX_TEST_ATTEMPTS + 1)
    for agent, results in agents.items():
        curves = 100 * np.array([one.scores.curve for one in results])
        mean, reach = curves.mean(axis=0), curves.std(axis=0)
        color, style = colors[_family(agent)], "--" if agent.endswith(_ONLINE) else "-"
        axes.plot(attempts, mean, color=color, linestyle=style, label=agent, linewidth=1.8)
        axes.fill_between(attempts, mean - reach, mean + reach, color=color, alpha=0.15, linewidth=0)
    percentages(axes, "y")
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(_TICKS, [str(k) for k in _TICKS])
    axes.set_xlim(1, MAX_TEST_ATTEMPTS)
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    axes.set_xlabel("attempts")
    axes.set_title(setup.replace("_", " "), fontsize=10)


def _family(agent: str) -> str:
    return agent.removesuffix(_ONLINE)
