"""`comphy torture`: prove robustness by seeded trials that damage files, kill commands, race them and fill the disk."""

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from comphy.choices import Torture
from comphy.cli.options import SeedOption
from comphy.command import build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.progress import Progress

    from comphy.toolkit.torture.tally import Tally


@when_interrupted("What was counted is kept in --out, if there is one; run the same command again to go on.")
def main(
    kinds: Annotated[list[Torture] | None, typer.Argument(help="What to try; everything if none is named.")] = None,
    seed: SeedOption = 0,
    trials: Annotated[
        int | None, typer.Option(min=1, help="Trials of each kind; by default some minutes of it.")
    ] = None,
    first: Annotated[int, typer.Option(min=0, help="Number of the first trial, to repeat one or to go on.")] = 0,
    max_minutes: Annotated[float | None, typer.Option(min=0, help="Stop each kind cleanly after this time.")] = None,
    folder: Annotated[Path, typer.Option(help="Folder for what is damaged; not to be used for anything else.")] = Path(
        "out/torture"
    ),
    json_file: Annotated[
        Path | None,
        typer.Option("--out", "--json", help="Count in this file; of the trials in it, only failures are tried again."),
    ] = None,
) -> None:
    """Damage files, kill commands and start them together, and count what is not survived; exit 0 only if everything is.

    Example: comphy torture programs packs --trials 500
    """
    import os

    # Compiling the ray tracer takes longer than drawing a few small pictures.
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from comphy.toolkit.torture.run import TRIALS, torture
    from comphy.toolkit.torture.tally import Tallies

    counted, tallies = Tallies(seed, json_file), []
    with progress_bar() as progress:
        for name in kinds or list(Torture):
            numbers = range(first, first + (trials or TRIALS[name]))
            end = time.monotonic() + 60 * max_minutes if max_minutes is not None else float("inf")
            shown, over = _shown(progress, name), partial(_is_over, end)
            tallies.append(torture(name, folder, seed, numbers, shown, over, counted.of(name), counted.write))
    show(tallies)
    if any(tally.failures for tally in tallies):
        raise typer.Exit(1)


def _is_over(end: float) -> bool:
    return time.monotonic() > end


def _shown(progress: "Progress", name: str) -> "Callable[[int, int], None]":
    task = progress.add_task(name, total=None)
    return lambda done, total: progress.update(task, completed=done, total=total)


def show(tallies: "Sequence[Tally]") -> None:
    from rich.table import Table

    from comphy.evaluation.qa.tables import in_full

    columns = ("tried", "survived", "lost", "different", "traceback", "skipped")
    table = Table("", *columns, "how they ended")
    for column in table.columns[1:-1]:
        column.justify = "right"
    for tally in tallies:
        ways = ", ".join(f"{count} {way}" for way, count in tally.ways.most_common())
        table.add_row(tally.kind, *(str(getattr(tally, name)) for name in columns), ways)
    console.print(in_full(table))
    for tally in tallies:
        for failure in tally.failures[:20]:
            console.print(
                Text("not survived", "red"), f"{failure.outcome.tried}: {failure.outcome.told}", highlight=False
            )
            console.print(f"  {failure.repeat}", highlight=False)
        if len(tally.failures) > 20:
            console.print(f"… and {len(tally.failures) - 20} more of {tally.kind}; --json has them all.")


app = build_app(main)
