"""Choosing, proving, repairing and writing the tasks of Phy-Q."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from comphy.cli.options import ListOption, RayOption, WorkersOption
from comphy.cli.phyre.rows import row
from comphy.command import console, progress_bar, when_interrupted
from comphy.errors import ConfigError

if TYPE_CHECKING:
    from comphy.puzzles.phyq.tasks.task import Task
    from comphy.puzzles.phyq.templates.published import Template
    from data_gen.task_lists import BuildProgress

TemplatesOption = Annotated[
    list[str] | None, typer.Option("--template", help="Only this template; may be given several times.")
]


@when_interrupted("What was tried is kept in --out; run the same command again to go on.")
def build(
    template: TemplatesOption = None,
    tasks: Annotated[int, typer.Option(min=1, max=100, help="Of each template.")] = 100,
    out: Annotated[Path, typer.Option(help="Folder of what was tried; created, or gone on with.")] = Path("out/phyq"),
    workers: WorkersOption = 1,
    ray: RayOption = None,
    begin_with: Annotated[
        Path | None,
        typer.Option(
            help="Go on from the tasks of this list where --out has none; 'package' is that of comphy itself."
        ),
    ] = None,
    write: Annotated[
        Path | None, typer.Option(help="Write all tasks in --out to this list; 'package' is that of comphy itself.")
    ] = None,
) -> None:
    """Choose tasks, each with a certified solution; a template is one process's work. Run it again to go on.

    Example: comphy phyq build --template 1.5 --tasks 2 --out out/phyq
    """
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.tasks.task import read_tasks
    from comphy.puzzles.phyq.templates.published import load_templates
    from data_gen.phyq import build as building
    from data_gen.phyq.solutions.search import Effort

    chosen = chosen_templates(template)
    if begin_with is not None:
        known = list(read_tasks(_list_file(begin_with)).values())
        with disk_errors(out):
            building.begin_with(known, chosen, out, Effort())
    found: dict[str, BuildProgress] = {}
    with disk_errors(out), progress_bar() as bar:
        rows = {one.id: bar.add_task(f"{one.id} {one.scenario_name}", total=tasks, visible=False) for one in chosen}

        def report(progress: "BuildProgress") -> None:
            found[progress.template_id] = progress
            bar.update(rows[progress.template_id], completed=progress.tasks, visible=True)

        building.build(chosen, out, Effort(), tasks, workers, report, ray)
    for one in found.values():
        if one.tasks < one.wanted:
            console.print(
                f"{one.template_id}: {one.tasks} of {one.wanted} tasks, of {one.tried} levels that were tried"
            )
    console.print(f"{sum(one.tasks for one in found.values())} tasks of {len(chosen)} templates: {out}")
    if write is not None:
        path = _list_file(write)
        with disk_errors(path):
            count = building.write_chosen(path, list(load_templates().values()), out, Effort())
        console.print(f"{count} tasks: {path}")


@when_interrupted("The list of tasks is unchanged.")
def check(
    template: TemplatesOption = None,
    every: Annotated[int, typer.Option(min=1, help="Only the first of every so many tasks.")] = 1,
    repair: Annotated[
        bool, typer.Option("--repair", help="Give tasks that do not hold here another solution.")
    ] = False,
    workers: WorkersOption = 1,
    file: ListOption = None,
) -> None:
    """Prove tasks in the engine: the certified solution wins, also a little off, and by the rule of its scenario.

    Example: comphy phyq check --template 1.5
    """
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE, read_tasks
    from data_gen.phyq.certify import check_tasks

    path = file or TASKS_FILE
    ids = {one.id for one in chosen_templates(template)}
    known = [task for task in read_tasks(path).values() if task.template_id in ids][::every]
    with progress_bar() as bar:
        problems = check_tasks(known, workers, row(bar, "checking"))
    for flaw in problems:
        console.print(Text("problem", "red"), str(flaw), highlight=False)
    console.print(f"{counted_tasks(len(known))}, {len(problems)} problem{'s' * (len(problems) != 1)}.")
    if problems and repair:
        flawed = {flaw.partition(": ")[0] for flaw in problems}
        _repair(path, [task for task in known if task.id in flawed])
    elif problems:
        raise typer.Exit(1)


@when_interrupted("The files that were written stay.")
def write(
    folder: Annotated[Path, typer.Argument(help="Where to write them.")],
    template: TemplatesOption = None,
    file: ListOption = None,
) -> None:
    """Write tasks as files of Science Birds, named as the published ones are.

    Example: comphy phyq write out/levels --template 1.5
    """
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.level_xml import write_level
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE, read_tasks

    ids = {one.id for one in chosen_templates(template)}
    chosen = [task for task in read_tasks(file or TASKS_FILE).values() if task.template_id in ids]
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for task in chosen:
            write_level(folder / task.file_name, task.level)
    console.print(f"{counted_tasks(len(chosen))}: {folder}")


@when_interrupted("Tasks of templates that are done are in --out; run the same command again to go on.")
def import_levels(
    folder: Annotated[Path, typer.Argument(help="With files named C_SS_TT_NNNNN.xml, as the published tasks are.")],
    out: Annotated[Path, typer.Option(help="List of tasks to write; one that is there is gone on with.")] = Path(
        "out/phyq_imported.json.gz"
    ),
    workers: WorkersOption = 1,
) -> None:
    """Make a list of tasks of level files, such as the published ones: a solution of each is looked for and certified.
    Every command takes the list as --list.

    Example: comphy phyq import-levels out/levels --out out/imported.json.gz
    """
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.tasks.level_files import level_files
    from comphy.puzzles.phyq.tasks.task import read_tasks, write_tasks
    from data_gen.phyq.import_levels import import_levels as imported
    from data_gen.phyq.solutions.search import Effort

    files = level_files(folder)
    tasks = read_tasks(out) if out.is_file() else {}
    problems: list[str] = []
    done = 0
    with disk_errors(out), progress_bar() as bar:
        out.parent.mkdir(parents=True, exist_ok=True)
        report = row(bar, "certifying")
        for levels in imported(files, tasks, Effort(), workers):
            read = {one.path.name for one in levels}
            tasks = {task_id: task for task_id, task in tasks.items() if task.file_name not in read}
            tasks |= {one.task.id: one.task for one in levels if one.task is not None}
            problems += [one.problem for one in levels if one.task is None]
            write_tasks(out, tasks.values())
            done += len(levels)
            report(done, len(files))
    for problem in problems:
        console.print(Text("left out", "yellow"), problem, highlight=False)
    console.print(f"{counted_tasks(len(files) - len(problems))} of {len(files)} files: {out}")
    if len(problems) == len(files):
        raise typer.Exit(1)


def _list_file(name: Path) -> Path:
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE

    return TASKS_FILE if str(name) == "package" else name


def _repair(path: Path, flawed: "Sequence[Task]") -> None:
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.tasks.task import read_tasks, write_tasks
    from comphy.sim.bullet import Engine
    from data_gen.phyq.repair import repaired

    known, changed = read_tasks(path), 0
    with Engine() as engine:
        for task in flawed:
            better = repaired(task, engine)
            console.print(
                f"{task.id}: {'no other solution was found' if better is None else 'it has another solution'}"
            )
            if better is not None:
                known[task.id] = better
                changed += 1
    with disk_errors(path):
        write_tasks(path, known.values())
    console.print(f"{changed} of {counted_tasks(len(flawed))} are repaired.")
    if changed < len(flawed):
        raise typer.Exit(1)


def chosen_templates(ids: Sequence[str] | None) -> "list[Template]":
    from comphy.puzzles.phyq.templates.published import find_template, load_templates

    if ids and len(set(ids)) < len(ids):
        raise ConfigError(f"Expected each --template once (got {', '.join(ids)}).")
    return [find_template(one) for one in ids] if ids else list(load_templates().values())


def counted_tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count} tasks"
