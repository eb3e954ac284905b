"""`comphy train`: train the task that a config names, then answer and score the validation and test questions.

The task pcr may be shared by several processes, each with a GPU of its own or all on CPUs:

    torchrun --nproc-per-node 2 -m comphy.cli train pcr/comphy cache=out/features --data out/comphy
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comphy.cli.options import MinutesOption
from comphy.command import build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from rich.table import Table

    from comphy.evaluation.qa.accuracy import QAReport


@when_interrupted("The last checkpoint is kept in --out; run the same command again to go on.")
def main(
    config: Annotated[str, typer.Argument(help="A config: a YAML file, or a name such as blind_lstm or pcr/tiny.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="Changes to it: epochs=10 model.hidden=128")] = None,
    data: Annotated[Path, typer.Option(help="Folder of a dataset with questions, or of plays.")] = Path("out/comphy"),
    out: Annotated[Path, typer.Option(help="Folder of the run; created, or gone on with.")] = Path("out/run"),
    max_minutes: MinutesOption = None,
) -> None:
    """Train a model, and write what it answers to the validation and test questions. Run it again to go on.

    Example: comphy train blind_lstm --data out/comphy --out out/runs/blind_lstm
    """
    from comphy.resources import find_config
    from data_gen.frames import open_frames
    from models.tasks import load_task, train
    from models.train.distributed import is_main
    from models.train.run import Run

    task, settings = load_task(find_config(config, ("baselines", "perceiver", "pcr", "phyq")), overrides or [])
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


def accuracy_table(reports: "Mapping[str, QAReport]") -> "Table":
    """One row per split, in the columns of the paper's Table 3."""
    from rich.table import Table

    from comphy.evaluation.qa.tables import percent

    names = next(iter(reports.values())).columns()
    table = Table("split", *(name.replace("_", "\n") for name in names), title="Accuracy in %", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for split, report in reports.items():
        found = report.columns()
        table.add_row(split, *(percent(found.get(name)) for name in names))
    return table


app = build_app(main)
