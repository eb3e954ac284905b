"""`comphy phyq evaluate`: how often an agent wins, scenario by scenario."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Generalisation
from comphy.cli.options import JsonOption, ListOption, SeedOption, WorkersOption
from comphy.cli.phyq.tasks import TemplatesOption, chosen_templates
from comphy.cli.phyre.rows import row
from comphy.command import console, progress_bar, when_interrupted
from comphy.errors import ConfigError


@when_interrupted("With --json, tasks that are done are kept; run the same command again to go on.")
def evaluate(
    agent: Annotated[
        str, typer.Option(help="Who plays, such as pig_shooter (docs/phyq.md has all), or the folder of a trained one.")
    ],
    setup: Annotated[
        Generalisation | None,
        typer.Option(help="Tasks 81 to 100, of all templates or of the testing ones; without it, all tasks."),
    ] = None,
    template: TemplatesOption = None,
    played: Annotated[
        Path | None,
        typer.Option(
            "--round", metavar="FILE", help="The tasks of a round that you played: a file of comphy phyq play."
        ),
    ] = None,
    plays: Annotated[
        int | None, typer.Option(min=1, help="Of each task; not with --setup, which has the published number.")
    ] = None,
    every: Annotated[
        int, typer.Option(min=1, help="Only the first of every so many tasks of a template, for a quick look.")
    ] = 1,
    seed: SeedOption = 0,
    json: JsonOption = None,
    reuse: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Earlier results of the same agent and seed; tasks whose levels are the same are not played again.",
        ),
    ] = None,
    workers: WorkersOption = 1,
    file: ListOption = None,
) -> None:
    """Let an agent play tasks; it sees them with the published noise.

    Example: comphy phyq evaluate --agent pig_shooter --setup broad --json out/pig_shooter.json
    """
    from comphy.evaluation.puzzles.phyq.results import (
        ALL_TASKS,
        ROUND,
        header,
        result_of,
        reusable_records,
        task_record,
    )
    from comphy.evaluation.puzzles.phyq.round_file import read_round
    from comphy.evaluation.puzzles.phyq.tables import rate_table, summary
    from comphy.evaluation.puzzles.phyq.unfinished import UnfinishedResults
    from comphy.files import disk_errors, write_json
    from comphy.puzzles.phyq.benchmark.contract import AgentKind
    from comphy.puzzles.phyq.benchmark.evaluator import evaluate as let_play
    from comphy.puzzles.phyq.benchmark.setups import learned_tasks, select, suited_templates, thinned
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE, read_tasks
    from models.agents.phyq.agents import find_agent

    player, path = find_agent(agent), file or TASKS_FILE
    if setup is not None and plays not in (None, player.kind.plays):
        raise ConfigError(
            f"Expected {player.kind.plays} plays a task, as published for {player.kind} agents (got --plays {plays}). Leave "
            "out --plays, or --setup."
        )
    if played is not None and (setup is not None or template):
        raise ConfigError("Expected --round alone: it says which tasks are played. Leave out --setup and --template.")
    tasks = read_tasks(path)
    choice = tasks.values() if played is None else read_round(played, tasks)
    templates, missing = suited_templates(player, setup, chosen_templates(template))
    chosen = thinned(select(setup, templates, choice, learns=player.kind is AgentKind.LEARNING), every)
    if not chosen.tasks:
        ids = ", ".join(one.template_id for one in chosen.templates) or "testing templates"
        raise ConfigError(f"{path}: expected tasks of {ids} (got none). Choose other templates.")
    times = plays or player.kind.plays
    facts = header(player, chosen, times, seed, ALL_TASKS if played is None else ROUND)
    facts["remarks"] += [*missing, *learned_tasks(player, chosen)]
    earlier = {} if reuse is None else reusable_records(reuse, facts, chosen.tasks)
    if reuse is not None:
        console.print(f"{len(earlier)} of {len(chosen.tasks)} tasks were played before: {reuse}", highlight=False)
    with disk_errors(json or Path(), "Choose another --json."), progress_bar() as bar:
        kept = None if json is None else UnfinishedResults(json, facts)
        records = {**earlier, **({} if kept is None else kept.records)}
        left = [task for task in chosen.tasks if task.id not in records]
        report = row(bar, agent)
        for result in let_play(player, left, times, seed, workers):
            record = records[result.task_id] = task_record(result, tasks[result.task_id])
            if kept is not None:
                kept.add(result.task_id, record)
            report(len(records), len(chosen.tasks))
        whole = {**facts, "tasks": {task.id: records[task.id] for task in chosen.tasks}}
        if json is not None and kept is not None:
            write_json(json, whole, indent=1)
            kept.remove()
    found = result_of(whole, agent)
    console.print(rate_table(found))
    for sentence in summary(found):
        console.print(sentence, highlight=False)
    if json is not None:
        console.print(f"Results: {json}")
