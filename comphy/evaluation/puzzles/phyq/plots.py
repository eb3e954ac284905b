"""Pictures of Phy-Q agents: pass rates by scenario beside people's, scores on one line with the published agents', and what
thinking is worth."""

from itertools import cycle
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from comphy.evaluation.plot_style import FAINT, INK, PALETTE, percentages, plain
from comphy.evaluation.puzzles.phyq.comparison import Results
from comphy.evaluation.puzzles.phyq.published import PUBLISHED
from comphy.evaluation.puzzles.phyq.rates import scenario_rates, score, scored
from comphy.evaluation.puzzles.phyq.score import PEOPLE, by_scenario, partial_score
from comphy.puzzles.phyq.templates.published import SCENARIOS

PEOPLE_SECONDS: Final = 23.7  # of thinking a task
_MARKERS: Final = "osD^vPX*"
_SHORTEST: Final = 0.001  # seconds; agents that think less are drawn here
_CLOSE: Final = 3.0  # a factor; names of agents that think a little longer are written on the other side


def comparison_plot(found: Results) -> Figure:
    """Above, a point for each agent in each scenario; below, its score with its interval, if there is one."""
    points = {name: rate for name, one in found.items() if (rate := score(one)) is not None}
    rows = len(points) + len(PUBLISHED) if points else 0
    figure = Figure(figsize=(11.0, 4.6 + 0.24 * rows), layout="constrained")
    panels = figure.subplots(2 if rows else 1, 1, height_ratios=[4.2, 0.24 * rows] if rows else None, squeeze=False)[
        :, 0
    ]
    colors = dict(zip(found, cycle(PALETTE), strict=False))
    _scenario_panel(panels[0], found, colors)
    if rows:
        _score_panel(panels[1], found, colors)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    return figure


def _scenario_panel(axes: Axes, found: Results, colors: dict[str, str]) -> None:
    numbers = list(scenario_rates(next(iter(found.values()))))
    places = dict(zip(numbers, range(len(numbers)), strict=True))
    axes.bar(range(len(numbers)), [100 * PEOPLE[m].rate for m in numbers], width=0.86, color=FAINT, label="people")
    for k, (name, one) in enumerate(found.items()):
        aside = 0.7 * ((k + 0.5) / len(found) - 0.5)
        rates = scenario_rates(one)
        xs, ys = [places[m] + aside for m in rates], [100 * rate.value for rate in rates.values()]
        axes.plot(xs, ys, _MARKERS[k % len(_MARKERS)], color=colors[name], markersize=5, label=name, clip_on=False)
    percentages(axes, "y")
    names = [f"{m} {SCENARIOS[m - 1]}".replace(" ", "\n") for m in numbers]
    axes.set_xticks(range(len(numbers)), names, fontsize=6)
    axes.set_ylabel("passed in %", color=INK)


def _score_panel(axes: Axes, found: Results, colors: dict[str, str]) -> None:
    counted = scored(next(iter(found.values())))
    rows = [(f"{one.name}, published", partial_score(by_scenario(one.broad), counted), None) for one in PUBLISHED]
    lines: list[tuple[str, float, tuple[float, float] | None]] = list(rows)
    for name, one in found.items():
        if (rate := score(one)) is not None:
            lines.append((name, rate.value, (rate.low, rate.high)))
    lines.sort(key=lambda line: line[1])
    for row, (name, value, bounds) in enumerate(lines):
        if bounds is not None:
            axes.plot(bounds, (row, row), color=colors[name], linewidth=2)
        axes.plot(value, row, "o", color=colors.get(name, "#aaaaaa"), markersize=6)
    axes.set_yticks(range(len(lines)), [name for name, _, _ in lines], fontsize=8)
    axes.axvline(100.0, color=INK, linewidth=0.8, linestyle=":")
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    plain(axes)
    whole = len(counted) == 13
    axes.set_xlabel(
        "Phy-Q score; people have 100" if whole else f"score over {len(counted)} scenarios; people have 100", color=INK
    )


def thinking_plot(found: Results) -> Figure | None:
    """The score over the time of thinking, which grows by factors; people beside the agents. None if nobody has a score."""
    rates = {name: rate for name, one in found.items() if (rate := score(one)) is not None}
    if not rates:
        return None
    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    axes = figure.subplots()
    colors = dict(zip(found, cycle(PALETTE), strict=False))
    axes.set_xscale("log")
    axes.plot(PEOPLE_SECONDS, 100.0, "*", color=INK, markersize=9)
    _label(axes, "people", PEOPLE_SECONDS, 100.0, before=True)
    times = {name: max(found[name].seconds, _SHORTEST) for name in rates}
    for name, rate in rates.items():
        axes.plot((times[name], times[name]), (rate.low, rate.high), color=colors[name], linewidth=2)
        axes.plot(times[name], rate.value, "o", color=colors[name], markersize=6)
        close = any(times[name] < other < _CLOSE * times[name] for other in times.values())
        _label(axes, name, times[name], rate.value, before=close)
    axes.set_xlim(_SHORTEST / 1.5, 4 * max(PEOPLE_SECONDS, *(one.seconds for one in found.values())))
    axes.grid(color=FAINT, linewidth=0.8)
    axes.minorticks_off()
    plain(axes)
    axes.set_xlabel("CPU seconds of thinking in a play", color=INK)
    axes.set_ylabel("Phy-Q score", color=INK)
    return figure


def _label(axes: Axes, name: str, seconds: float, points: float, before: bool) -> None:
    aside, side = ((-7, 0), "right") if before else ((7, 0), "left")
    axes.annotate(
        name, (seconds, points), aside, textcoords="offset points", ha=side, va="center", fontsize=8, color=INK
    )
