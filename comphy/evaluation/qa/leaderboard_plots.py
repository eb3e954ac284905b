"""A leaderboard as a picture: a panel for each column, a row for each system, with 95 % intervals."""

from matplotlib.figure import Figure

from comphy.evaluation.plot_style import INK, PALETTE, percentages
from comphy.evaluation.qa.leaderboard import Leaderboard
from comphy.evaluation.qa.tables import heading

_FAINT_POINT = "#aaaaaa"


def leaderboard_plot(board: Leaderboard) -> Figure:
    """Points in colour differ from those they are compared with no more than chance allows; gray ones do."""
    columns, names = board.columns(), list(board.reports)
    figure = Figure(figsize=(2.2 + 1.9 * len(columns), 1.5 + 0.34 * len(names)), layout="constrained")
    panels = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        for place, name in enumerate(names):
            one, compared = board.accuracy(name, column), board.comparisons[column].get(name)
            color = _FAINT_POINT if compared and compared.significant else PALETTE[0]
            value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
            axes.plot([low, high], [place, place], color=color, linewidth=2.2, solid_capstyle="round")
            axes.plot([value], [place], "o", color=color, markersize=6)
            axes.annotate(
                f"{value:.1f}", (value, place), (0, 6), textcoords="offset points", ha="center", fontsize=7, color=INK
            )
        percentages(axes, "x")
        axes.set_xlim(-4, 104)
        axes.set_xticks(range(0, 101, 25))
        axes.tick_params(axis="x", labelsize=8)
        axes.set_title(heading(column).strip(), fontsize=9, color=INK)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.5, -0.8)
    figure.supxlabel(
        "accuracy in % with 95 % interval; gray: differs significantly from what it is compared with",
        fontsize=8,
        color=INK,
    )
    return figure
