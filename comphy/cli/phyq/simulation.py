"""`comphy phyq simulate`: plays of the training tasks, so that agents can learn where there is no engine."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Generalisation
from comphy.cli.options import ListOption, WorkersOption
from comphy.cli.phyq.tasks import TemplatesOption, chosen_templates, counted_tasks
from comphy.cli.phyre.rows import row
from comphy.command import console, progress_bar, when_interrupted
from comphy.errors import ConfigError


@when_interrupted("Plays are kept in --out; run the same command again to go on.")
def simulate(
    setup: Annotated[
        Generalisation | None, typer.Option(help="Only what is learned from in this set-up; without it, in either.")
    ] = None,
    template: TemplatesOption = None,
    plays: Annotated[
        int,
        typer.Option(
            min=1, help="Of each task; the first 180 try every release degree. With one bird there are no more."
        ),
    ] = 180,
    first: Annotated[
        int | None, typer.Option("--tasks", min=1, help="Only the first so many training tasks of each template.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of plays; created, or gone on with.")] = Path("out/phyq_plays"),
    workers: WorkersOption = 1,
    file: ListOption = None,
) -> None:
    """Play training tasks with every release degree, and store how it went. Run it again to go on.

    Example: comphy phyq simulate --template 1.5 --plays 20 --out out/phyq_plays
    """
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.benchmark.setups import training_tasks
    from comphy.puzzles.phyq.plays.filling import fill
    from comphy.puzzles.phyq.plays.store import PlayStore
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE, read_tasks

    path, templates = file or TASKS_FILE, chosen_templates(template)
    known = list(read_tasks(path).values())
    setups = [setup] if setup else list(Generalisation)
    wanted = {task.id for one in setups for task in training_tasks(one, templates, known, first)}
    tasks = [task for task in known if task.id in wanted]
    if not tasks:
        raise ConfigError(f"{path}: expected training tasks of these templates (got none). Choose other templates.")
    with disk_errors(out), progress_bar() as bar:
        found = fill(PlayStore(out), tasks, plays, workers, row(bar, "tasks"))
    unwon = f"; {counted_tasks(found.unwon)} never won" if found.unwon else ""
    console.print(
        f"{found.plays} plays of {counted_tasks(len(tasks))}: {100 * found.won / found.plays:.1f} % won{unwon}. Plays: {out}"
    )
