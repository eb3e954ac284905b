"""`comphy stability`: measure how well-posed the predictive and counterfactual options of a split are."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comphy.choices import Split
from comphy.cli.options import WorkersOption
from comphy.command import build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from data_gen.stability.job import StabilityOutcome


@when_interrupted("The sets that were measured are kept; run the same command again to go on.")
def main(
    root: Annotated[Path, typer.Argument(metavar="DATA", help="Folder of a dataset.")],
    split: Annotated[Split, typer.Option(help="Split of the dataset.")] = Split.TEST,
    runs: Annotated[int, typer.Option(min=1, help="Re-simulations of each question.")] = 16,
    sets: Annotated[int | None, typer.Option(min=1, help="The first so many sets of the split.")] = None,
    workers: WorkersOption = 1,
) -> None:
    """Simulate each question again from noisy states, and write the share of runs with the same answer into the notes.

    Run it again to go on after an interruption. `comphy evaluate` then scores stable and chaotic options apart.

    Example: comphy stability out/comphy --split val --workers 2
    """
    from data_gen.stability.job import measure_stability

    with progress_bar() as progress:
        task = progress.add_task(f"sets of {split}", total=None)
        outcome = measure_stability(
            root,
            split,
            runs,
            sets,
            workers,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    show(outcome, f"Stability of {split} in %, {runs} runs")


def show(outcome: "StabilityOutcome", title: str) -> None:
    from comphy.evaluation.qa.tables import measured_table

    console.print(f"{outcome.measured} sets measured, {outcome.kept} found done.")
    console.print(measured_table(title, outcome.by_kind()))


app = build_app(main)
