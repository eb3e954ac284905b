"""`comphy export`: write our sets in the layouts of the published ComPhy release, its authors' own files, or CLEVRER."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import ExportAs
from comphy.cli.options import DeviceOption, WorkersOption
from comphy.command import build_app, console, progress_bar, when_interrupted


@when_interrupted("The sets that were written are kept; run the same command again to go on.")
def main(
    data: Annotated[Path, typer.Argument(help="Folder of a dataset of this toolkit.")],
    chosen: Annotated[ExportAs, typer.Option("--as", help="Layout: the release, its authors' own files, or CLEVRER.")],
    out: Annotated[Path, typer.Option(help="Folder to write to; empty, or gone on with.")],
    sets: Annotated[int | None, typer.Option(min=1, help="Only the first so many sets.")] = None,
    device: DeviceOption = "auto",
    workers: WorkersOption = 1,
) -> None:
    """Export a dataset, so that code for the published data reads it. Numbers of sets change: splits are ranges there.

    Example: comphy export out/comphy --as comphy-a --out out/release
    """
    from data_gen.export.job import export
    from models.train.device import pick_device

    with progress_bar() as progress:
        task = progress.add_task("exporting sets", total=None)
        exported = export(
            data,
            chosen,
            out,
            sets,
            str(pick_device(device)),
            workers,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    counts = ", ".join(f"{count} {split}" for split, count in exported.sets.items())
    console.print(f"{out}: {counts} sets, {exported.questions} questions.")
    for reason, count in sorted(exported.left_out.items()):
        console.print(f"Left out: {count} questions ({reason}).", highlight=False)


app = build_app(main)
