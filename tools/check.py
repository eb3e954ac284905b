#!/usr/bin/env python
"""Prove that a dataset is sound: files, hashes, the rules of the benchmark, boxes, masks, videos.

python tools/check.py out/comphy
"""

import itertools
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from comphy.command import console, run_command
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.manifest import Manifest
from data_gen.jobs.redraw import check_redraw


def main(
    root: Annotated[Path, typer.Argument(help="Folder of a dataset.")],
    redraw: Annotated[int, typer.Option(help="Sets to make again from their seed and compare byte for byte.")] = 3,
    most: Annotated[int, typer.Option(help="Problems to print.")] = 50,
) -> None:
    """Check a dataset; exit 0 only if nothing is wrong.

    Example: python tools/check.py out/comphy --redraw 10
    """
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("checking sets", total=None)
        found = check_dataset(root, lambda done, total: progress.update(task, completed=done, total=total))
        problems = list(found)
    if not problems:
        problems = list(check_redraw(root, redraw))
    for problem in itertools.islice(problems, most):
        console.print(f"[red]problem[/red] {problem}", highlight=False)
    if problems:
        console.print(f"{len(problems)} problems found in {root}.")
        raise typer.Exit(1)
    manifest = Manifest.read(root)
    console.print(
        f"{root} is sound: {len(manifest.sets)} sets, {min(redraw, len(manifest.sets))} of them made again, 0 problems."
    )


if __name__ == "__main__":
    run_command(main)
