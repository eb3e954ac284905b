"""Choosing, proving and repairing the tasks of PHYRE."""

from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from comphy.choices import TierName
from comphy.cli.options import ListOption, RayOption, WorkersOption
from comphy.cli.phyre.looking import TierOption
from comphy.cli.phyre.rows import row
from comphy.command import console, progress_bar, when_interrupted
from comphy.errors import ConfigError, DatasetError

if TYPE_CHECKING:
    from rich.table import Table

    from comphy.puzzles.phyre.world.actions import Tier
    from data_gen.phyre.build import Summary
    from data_gen.task_lists import BuildProgress


@when_interrupted("What was tried is kept in --out; run the same command again to go on.")
def build(
    tier: TierOption = TierName.BALL,
    template: Annotated[list[str] | None, typer.Option(help="Only this template; may be given several times.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of what was tried; created, or gone on with.")] = Path("out/phyre"),
    workers: WorkersOption = 1,
    ray: RayOption = None,
    write: Annotated[bool, typer.Option(help="When all are complete, write the task list of the package.")] = False,
) -> None:
    """Choose the tasks of the benchmark, each with a certified solution; a template is one process's work. Takes hours
    for a whole tier. Run it again to go on.

    Example: comphy phyre build --template 00011 --out out/phyre
    """
    from comphy.puzzles.phyre.benchmark.tasks import tasks_file
    from comphy.puzzles.phyre.templates.template import find_template, templates_of
    from comphy.puzzles.phyre.world.actions import tier_named
    from data_gen.phyre.build import build as build_tasks
    from data_gen.phyre.build import summarize, write_chosen
    from data_gen.phyre.search import EFFORT

    chosen = [find_template(one) for one in template] if template else templates_of(tier_named(tier))
    tiers = {one.tier for one in chosen}
    if len(tiers) > 1:
        raise ConfigError(
            "Expected templates of one tier (got some for one ball and some for two). Build them one tier at a time."
        )
    effort = EFFORT[tiers.pop()]
    with progress_bar() as bar:
        rows = {one.id: bar.add_task(f"{one.id} {one.name}", total=None, start=False) for one in chosen}

        def report(progress: "BuildProgress") -> None:
            bar.start_task(rows[progress.template_id])
            bar.update(rows[progress.template_id], completed=progress.tasks, total=progress.wanted)

        build_tasks(chosen, out, effort, workers, report, ray)
    console.print(summary_table([summarize(one, out, effort) for one in chosen]))
    if write:
        path = tasks_file(tier_named(tier))
        write_chosen(path, tier_named(tier), out, effort, workers)
        console.print(f"Tasks: {path}")


def summary_table(summaries: "Sequence[Summary]") -> "Table":
    from rich.table import Table

    from comphy.evaluation.qa.tables import in_full
    from data_gen.phyre.selection import SelectionOutcome

    table = Table("template", "", *(outcome.value for outcome in SelectionOutcome), "solved at random")
    for column in table.columns[2:]:
        column.justify = "right"
    for one in summaries:
        counts = [str(one.outcomes[outcome]) for outcome in SelectionOutcome]
        table.add_row(one.template.id, one.template.name, *counts, f"{one.solved_at_random:.4f}")
    return in_full(table)


@when_interrupted("The list of tasks is unchanged; what --found has struck out stays so. Run the same command again.")
def check(
    tier: TierOption = TierName.BALL,
    found: Annotated[Path | None, typer.Option(help="Instead, prove what a build on another machine found.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Give tasks that do not hold here another solution.")
    ] = False,
    workers: WorkersOption = 1,
    file: ListOption = None,
) -> None:
    """Prove every task of a tier in the engine: not solved by itself, and solved stably by its certified solution.

    With --found, what fails on this machine is struck out in that folder, and build looks for others.

    With --repair, the list itself is changed; then prove it on the machine that it came from.

    Example: comphy phyre check --tier two_balls --workers 2
    """
    from comphy.puzzles.phyre.benchmark.tasks import read_tasks, tasks_file
    from comphy.puzzles.phyre.world.actions import tier_named
    from data_gen.phyre.certify import check_tasks

    if found is not None:
        struck_out = _struck_out(found, tier_named(tier), workers)
        console.print(f"{struck_out} tasks found in {found} do not hold on this machine.")
        return
    path = file or tasks_file(tier_named(tier))
    if repair:
        _repair(path, tier_named(tier), workers)
        return
    known = list(read_tasks(path, tier_named(tier)).values())
    with progress_bar() as bar:
        problems = check_tasks(known, workers, row(bar, "checking"))
    for flaw in problems:
        console.print(Text("problem", "red"), str(flaw), highlight=False)
    console.print(f"{len(known)} tasks of tier {tier}, {len(problems)} problem{'s' * (len(problems) != 1)}.")
    if problems:
        raise typer.Exit(1)


def _repair(file: Path, tier: "Tier", workers: int) -> None:
    from comphy.files import disk_errors
    from comphy.puzzles.phyre.benchmark.tasks import read_tasks, write_tasks
    from data_gen.phyre.repair import repair as repair_tasks

    known = read_tasks(file, tier)
    with progress_bar() as bar:
        changed = repair_tasks(list(known.values()), workers, row(bar, "proving and repairing"))
    better = {task_id: task for task_id, task in changed.items() if task is not None}
    if better:
        with disk_errors(file):
            write_tasks(file, tier, (known | better).values())
    for task_id, task in changed.items():
        found = "no other solution was found" if task is None else f"{known[task_id].solution} became {task.solution}"
        console.print(f"{task_id}: {found}", highlight=False)
    console.print(f"{len(known)} tasks of tier {tier.name}, {len(changed)} did not hold, {len(better)} are repaired.")
    if len(better) < len(changed):
        raise typer.Exit(1)


def _struck_out(found: Path, tier: "Tier", workers: int) -> int:
    from comphy.files import disk_errors
    from comphy.processes import process_pool
    from comphy.puzzles.phyre.templates.template import templates_of
    from data_gen.phyre.build import prove_again, records_file
    from data_gen.phyre.search import EFFORT

    template_ids = [template.id for template in templates_of(tier) if records_file(found, template).is_file()]
    if not template_ids:
        raise DatasetError(
            f"{found}: expected what a build of tier {tier.name} has found, such as 00000.jsonl (found none)."
        )
    with process_pool(workers) as pool, progress_bar() as bar, disk_errors(found):
        report, total = row(bar, "proving"), 0
        for done, count in enumerate(pool.map(prove_again, template_ids, repeat(found), repeat(EFFORT[tier])), start=1):
            total += count
            report(done, len(template_ids))
        return total
