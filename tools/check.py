#!/usr/bin/env python
"""Prove that a dataset is sound: files, hashes, the rules of the benchmark, boxes, masks, videos, every answer.

python tools/check.py out/comphy
"""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from comphy.command import console, run_command
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.checks.questions import balance_table, check_questions
from comphy.dataset.layout import SPLITS
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.questions import answers_path, read_questions
from data_gen.jobs.redraw import Redrawn, check_redraw


def main(
    root: Annotated[Path, typer.Argument(help="Folder of a dataset.")],
    redraw: Annotated[int, typer.Option(help="Sets to make again from their seed and compare byte for byte.")] = 3,
    most: Annotated[int, typer.Option(help="Problems to print.")] = 50,
) -> None:
    """Check a dataset; exit 0 only if nothing is wrong.

    Example: python tools/check.py out/comphy --redraw 10
    """
    with Progress(console=console, transient=True) as progress:
        problems = list(check_dataset(root, _shown(progress, "checking sets")))
        if not problems:
            problems = list(check_questions(root, Manifest.read(root), _shown(progress, "answering questions again")))
    redrawn = Redrawn()
    if not problems:
        problems = list(check_redraw(root, redraw, redrawn))
    for problem in itertools.islice(problems, most):
        console.print(f"[red]problem[/red] {problem}", highlight=False)
    if problems:
        console.print(f"{len(problems)} problem{'s' * (len(problems) != 1)} found in {root}.")
        raise typer.Exit(1)
    show_balance(root)
    console.print(
        f"{root} is sound: {len(Manifest.read(root).sets)} sets, {redrawn.sets} of them made again and their "
        f"{redrawn.choices} choices answered from the fresh simulation, 0 problems."
    )


def _shown(progress: Progress, what: str) -> Callable[[int, int], None]:
    task = progress.add_task(what, total=None)
    return lambda done, total: progress.update(task, completed=done, total=total)


def show_balance(root: Path) -> None:
    """How often each template is asked, and how often with which answer."""
    for split in SPLITS:
        scenes, notes = read_questions(root / answers_path(split)), read_notes(root / notes_path(split))
        table = Table(
            "template", "asked", "most frequent", "answers", title=f"Balance of {split}", title_justify="left"
        )
        for row in balance_table(scenes, notes):
            common = sorted(row.answers.items(), key=lambda item: (-item[1], item[0]))
            shown = ", ".join(f"{word} {count}" for word, count in common[:6]) + (" …" if len(common) > 6 else "")
            table.add_row(row.family, str(row.asked), f"{row.most_frequent_share:.0%}", shown)
        console.print(table)


if __name__ == "__main__":
    run_command(main)
