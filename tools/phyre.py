#!/usr/bin/env python
"""PHYRE: puzzles that are solved by placing one or two balls.

python tools/phyre.py build --tier ball --workers 2
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from comphy.command import console, progress_bar, run_command
from comphy.puzzles.phyre.actions import tier_named
from comphy.puzzles.phyre.building import Progress, Summary, summarize, write_chosen
from comphy.puzzles.phyre.building import build as build_tasks
from comphy.puzzles.phyre.search import Effort
from comphy.puzzles.phyre.selection import Outcome
from comphy.puzzles.phyre.tasks import tasks_file
from comphy.puzzles.phyre.template import find_template, templates_of


def build(
    tier: Annotated[str, typer.Option(help="ball or two_balls.")] = "ball",
    template: Annotated[list[str] | None, typer.Option(help="Only this template; may be given several times.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of what was tried; created, or gone on with.")] = Path("out/phyre"),
    workers: Annotated[int, typer.Option(min=1, help="Processes; a template is one's work.")] = 1,
    write: Annotated[bool, typer.Option(help="When all are complete, write the task list of the package.")] = False,
) -> None:
    """Choose the tasks of the benchmark, each with a certified solution. Run it again to go on.

    Example: python tools/phyre.py build --tier ball --workers 2
    """
    chosen = [find_template(one) for one in template] if template else templates_of(tier_named(tier))
    effort = Effort()
    with progress_bar() as bar:
        rows = {one.id: bar.add_task(f"{one.id} {one.name}", total=None, start=False) for one in chosen}

        def report(progress: Progress) -> None:
            bar.start_task(rows[progress.template_id])
            bar.update(rows[progress.template_id], completed=progress.tasks, total=progress.wanted)

        build_tasks(chosen, out, effort, workers, report)
    console.print(summary_table([summarize(one, out, effort) for one in chosen]))
    if write:
        path = tasks_file(tier_named(tier))
        write_chosen(path, tier_named(tier), out, effort)
        console.print(f"Tasks: {path}")


def summary_table(summaries: Sequence[Summary]) -> Table:
    table = Table("template", "", *(outcome.value for outcome in Outcome), "solved at random")
    for column in table.columns[2:]:
        column.justify = "right"
    for one in summaries:
        counts = [str(one.outcomes[outcome]) for outcome in Outcome]
        table.add_row(one.template.id, one.template.name, *counts, f"{one.solved_at_random:.4f}")
    return table


if __name__ == "__main__":
    run_command(build, about=__doc__)
