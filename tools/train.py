#!/usr/bin/env python
"""Train the task that a config names, then answer and score the validation and test questions.

    python tools/train.py configs/baselines/blind_lstm.yaml --data out/comphy --out out/runs/blind_lstm

Run the same command again to go on after an interruption. The task pcr may be shared by several processes, each with a
GPU of its own or all on CPUs:

    torchrun --nproc-per-node 2 tools/train.py configs/pcr/comphy.yaml cache=out/features --data out/comphy
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from comphy.command import console, progress_bar, run_command
from comphy.evaluation.qa.accuracy import QAReport
from comphy.evaluation.qa.tables import percent
from data_gen.frames import open_frames
from models.tasks import load_task, train
from models.train.run import Run


def main(
    config: Annotated[Path, typer.Argument(help="YAML file, such as configs/baselines/blind_lstm.yaml.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="Changes to it: epochs=10 model.hidden=128")] = None,
    data: Annotated[Path, typer.Option(help="Folder of a dataset with questions.")] = Path("out/comphy"),
    out: Annotated[Path, typer.Option(help="Folder of the run; created, or gone on with.")] = Path("out/run"),
    max_minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop cleanly after this time; the same command then goes on.")
    ] = None,
) -> None:
    """Train a model, and write what it answers to the validation and test questions.

    Example: python tools/train.py configs/baselines/blind_lstm.yaml --data out/comphy --out out/runs/blind_lstm
    """
    task, settings = load_task(config, overrides or [])
    from models.train.distributed import is_main

    console.quiet = not is_main()
    with progress_bar() as progress:
        bar = progress.add_task(f"training {settings.task}", total=None, visible=False)
        run = Run(
            data,
            out,
            max_minutes,
            lambda done, total: progress.update(bar, completed=done, total=total, visible=True),
            partial(open_frames, data),
        )
        outcome = train(task, settings, run)
    console.print(outcome.note)
    if outcome.reports:
        console.print(accuracy_table(outcome.reports))
    for table in outcome.tables:
        console.print(table)
    console.print(f"Run: {out}")
    if outcome.exit_code:
        raise typer.Exit(outcome.exit_code)


def accuracy_table(reports: Mapping[str, QAReport]) -> Table:
    """One row per split, in the columns of the paper's Table 3."""
    names = next(iter(reports.values())).columns()
    table = Table("split", *(name.replace("_", "\n") for name in names), title="Accuracy in %", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for split, report in reports.items():
        found = report.columns()
        table.add_row(split, *(percent(found.get(name)) for name in names))
    return table


if __name__ == "__main__":
    run_command(main)
