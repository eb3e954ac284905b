"""`comphy phyq compare`: agents beside each other, people and the published agents."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.command import NOTHING_KEPT, console, when_interrupted


@when_interrupted(NOTHING_KEPT)
def compare(
    files: Annotated[list[Path], typer.Argument(help="What evaluate wrote with --json, of the same tasks.")],
    plots: Annotated[
        Path | None, typer.Option(help="Draw rates, scores and times of thinking into this folder.")
    ] = None,
) -> None:
    """Set agents beside each other, people and the published agents: means, scores, scenarios, who beats whom for sure.

    Example: comphy phyq compare out/pig_shooter.json --plots out/plots
    """
    from comphy.evaluation.plot_style import write_pictures
    from comphy.evaluation.puzzles.phyq.comparison import brought_together, comparison_tables
    from comphy.evaluation.puzzles.phyq.plots import comparison_plot, thinking_plot
    from comphy.evaluation.puzzles.phyq.results import read_result

    found = brought_together([read_result(path) for path in files])
    for table in comparison_tables(found):
        console.print(table)
    if plots is not None:
        drawn = {"phyq_agents.png": comparison_plot(found), "phyq_thinking.png": thinking_plot(found)}
        for path in write_pictures(plots, {name: figure for name, figure in drawn.items() if figure is not None}):
            console.print(f"Picture: {path}")
