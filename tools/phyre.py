#!/usr/bin/env python
"""PHYRE: puzzles that are solved by placing one or two balls.

python tools/phyre.py play
python tools/phyre.py gif 00002:000 --action 0.6,0.9,0.5 --out out/attempt.gif
python tools/phyre.py sheet --tier ball --out out/ball.png
python tools/phyre.py build --tier ball --workers 2
python tools/phyre.py check --tier ball --workers 2
python tools/phyre.py evaluate --agent mem --setup ball_within_template --fold 0 --workers 2 --json out/mem_0.json
python tools/phyre.py compare out/mem_*.json out/rand_*.json
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress as ProgressBar
from rich.table import Table

from comphy.command import console, progress_bar, run_command
from comphy.config import load_config, to_plain
from comphy.dataset.files import disk_errors, write_bytes, write_json
from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.plot_style import write_pictures
from comphy.evaluation.puzzles.plots import curve_plot
from comphy.evaluation.puzzles.results import brought_together, read_result
from comphy.evaluation.puzzles.tables import comparison_tables
from comphy.evaluation.qa.tables import in_full
from comphy.processes import process_pool
from comphy.puzzles.paper import png
from comphy.puzzles.phyre.benchmark.folds import MAIN_EVAL_SETUPS, eval_setup_to_action_tier
from comphy.puzzles.phyre.benchmark.puzzle import find_puzzle, first_puzzle
from comphy.puzzles.phyre.benchmark.tasks import load_tasks, read_tasks, tasks_file, write_tasks
from comphy.puzzles.phyre.pictures.attempt import attempt, parsed_action
from comphy.puzzles.phyre.pictures.film import film
from comphy.puzzles.phyre.pictures.sheet import draw_sheet
from comphy.puzzles.phyre.player.game import Game
from comphy.puzzles.phyre.player.server import LOOPBACK, PlayerServer
from comphy.puzzles.phyre.templates.template import find_template, templates_of
from comphy.puzzles.phyre.world.actions import Tier, tier_named
from data_gen.phyre.build import BuildProgress, Summary, prove_again, records_file, summarize, write_chosen
from data_gen.phyre.build import build as build_tasks
from data_gen.phyre.certify import check_tasks
from data_gen.phyre.diversity import diversity_plot, tasks_solved
from data_gen.phyre.repair import repair as repair_tasks
from data_gen.phyre.search import EFFORT
from data_gen.phyre.selection import SelectionOutcome

if TYPE_CHECKING:
    from models.agents.benchmark.config import AgentsConfig
    from models.train.run import Report

AGENT_CONFIGS = Path(__file__).parent.parent / "configs" / "phyre"
WorkersOption = Annotated[int, typer.Option(min=1, help="Processes that simulate.")]
TasksOption = Annotated[Path | None, typer.Option(hidden=True, help="Another list of tasks than the package's.")]


def build(
    tier: Annotated[str, typer.Option(help="ball or two_balls.")] = "ball",
    template: Annotated[list[str] | None, typer.Option(help="Only this template; may be given several times.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of what was tried; created, or gone on with.")] = Path("out/phyre"),
    workers: Annotated[int, typer.Option(min=1, help="Processes (with --ray: actors); a template is one's work.")] = 1,
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster, or 'local'.")] = None,
    write: Annotated[bool, typer.Option(help="When all are complete, write the task list of the package.")] = False,
) -> None:
    """Choose the tasks of the benchmark, each with a certified solution. Run it again to go on.

    Example: python tools/phyre.py build --tier ball --workers 2
    """
    chosen = [find_template(one) for one in template] if template else templates_of(tier_named(tier))
    tiers = {one.tier for one in chosen}
    if len(tiers) > 1:
        raise ConfigError(
            "Expected templates of one tier (got some for one ball and some for two). Build them one tier at a time."
        )
    effort = EFFORT[tiers.pop()]
    with progress_bar() as bar:
        rows = {one.id: bar.add_task(f"{one.id} {one.name}", total=None, start=False) for one in chosen}

        def report(progress: BuildProgress) -> None:
            bar.start_task(rows[progress.template_id])
            bar.update(rows[progress.template_id], completed=progress.tasks, total=progress.wanted)

        build_tasks(chosen, out, effort, workers, report, ray)
    console.print(summary_table([summarize(one, out, effort) for one in chosen]))
    if write:
        path = tasks_file(tier_named(tier))
        write_chosen(path, tier_named(tier), out, effort, workers)
        console.print(f"Tasks: {path}")


def summary_table(summaries: Sequence[Summary]) -> Table:
    table = Table("template", "", *(outcome.value for outcome in SelectionOutcome), "solved at random")
    for column in table.columns[2:]:
        column.justify = "right"
    for one in summaries:
        counts = [str(one.outcomes[outcome]) for outcome in SelectionOutcome]
        table.add_row(one.template.id, one.template.name, *counts, f"{one.solved_at_random:.4f}")
    return in_full(table)


def check(
    tier: Annotated[str, typer.Option(help="ball or two_balls.")] = "ball",
    found: Annotated[Path | None, typer.Option(help="Instead, prove what a build on another machine found.")] = None,
    mend: Annotated[bool, typer.Option(help="Give tasks that do not hold here another solution.")] = False,
    workers: WorkersOption = 1,
    tasks: TasksOption = None,
) -> None:
    """Prove every task of a tier in the engine: not solved by itself, and solved stably by its certified solution.

    With --found, what fails on this machine is struck out in that folder, and build looks for others. With --mend, the
    package's own list is changed; then prove it on the machine that it came from.

    Example: python tools/phyre.py check --tier two_balls --workers 2
    """
    if found is not None:
        struck_out = _struck_out(found, tier_named(tier), workers)
        console.print(f"{struck_out} tasks found in {found} do not hold on this machine.")
        return
    file = tasks or tasks_file(tier_named(tier))
    if mend:
        _mend(file, tier_named(tier), workers)
        return
    known = list(read_tasks(file, tier_named(tier)).values())
    with progress_bar() as bar:
        problems = check_tasks(known, workers, _row(bar, "checking"))
    for flaw in problems:
        console.print(f"[red]problem[/red] {flaw}", highlight=False)
    console.print(f"{len(known)} tasks of tier {tier}, {len(problems)} problem{'s' * (len(problems) != 1)}.")
    if problems:
        raise typer.Exit(1)


def _mend(file: Path, tier: Tier, workers: int) -> None:
    known = read_tasks(file, tier)
    with progress_bar() as bar:
        changed = repair_tasks(list(known.values()), workers, _row(bar, "proving and mending"))
    better = {task_id: task for task_id, task in changed.items() if task is not None}
    if better:
        with disk_errors(file):
            write_tasks(file, tier, (known | better).values())
    for task_id, task in changed.items():
        found = "no other solution was found" if task is None else f"{known[task_id].solution} became {task.solution}"
        console.print(f"{task_id}: {found}", highlight=False)
    console.print(f"{len(known)} tasks of tier {tier.name}, {len(changed)} did not hold, {len(better)} are mended.")
    if len(better) < len(changed):
        raise typer.Exit(1)


def _struck_out(found: Path, tier: Tier, workers: int) -> int:
    template_ids = [template.id for template in templates_of(tier) if records_file(found, template).is_file()]
    if not template_ids:
        raise DatasetError(
            f"{found}: expected what a build of tier {tier.name} has found, such as 00000.jsonl (found none)."
        )
    with process_pool(workers) as pool, progress_bar() as bar, disk_errors(found):
        report, total = _row(bar, "proving"), 0
        for done, count in enumerate(pool.map(prove_again, template_ids, repeat(found), repeat(EFFORT[tier])), start=1):
            total += count
            report(done, len(template_ids))
        return total


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = 8000,
    host: Annotated[str, typer.Option(help="Address to serve at; without it, only this machine can play.")] = LOOPBACK,
) -> None:
    """Play the puzzles in the browser, until Ctrl-C.

    Example: python tools/phyre.py play --port 8000
    """
    with Game() as game, PlayerServer(game, port, host) as server:
        console.print(f"Open {server.address} in a browser. Ctrl-C ends it.")
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def sheet(
    tier: Annotated[str, typer.Option(help="ball or two_balls.")] = "ball",
    out: Annotated[Path, typer.Option(help="The PNG file.")] = Path("out/phyre.png"),
) -> None:
    """Draw a scene of each template of a tier.

    Example: python tools/phyre.py sheet --tier two_balls --out out/two_balls.png
    """
    picture = draw_sheet([first_puzzle(one) for one in templates_of(tier_named(tier))])
    with disk_errors(out):
        write_bytes(out, png(picture))
    console.print(str(out))


def gif(
    task: Annotated[str, typer.Argument(metavar="TASK", help="Such as 00002:000.")],
    action: Annotated[
        str | None, typer.Option(help="x,y,r of each ball, from 0 to 1; without it, what happens by itself.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The GIF file.")] = Path("out/phyre.gif"),
    size: Annotated[int, typer.Option(min=64, max=1024, help="Side of the scene in pixels.")] = 384,
) -> None:
    """Film an attempt.

    Example: python tools/phyre.py gif 00002:000 --action 0.6,0.9,0.5 --out out/attempt.gif
    """
    puzzle = find_puzzle(task)
    seen = attempt(puzzle, None if action is None else parsed_action(puzzle, action))
    with disk_errors(out):
        write_bytes(out, film(seen, size))
    console.print(f"{out}: {seen.verdict}")


SetupOption = Annotated[str, typer.Option(help=f"What is tested: {', '.join(MAIN_EVAL_SETUPS)}.")]
FoldOption = Annotated[int, typer.Option(min=0, max=9, help="Which tasks are tested.")]
CacheOption = Annotated[
    Path | None, typer.Option(help="Folder of simulated actions; out/phyre_cache/TIER if not given.")
]
ActionsOption = Annotated[
    int | None, typer.Option(min=1, help="Tried on each training task, in place of the config's.")
]
PerTemplateOption = Annotated[int | None, typer.Option(min=1, help="Only the first so many tasks of each template.")]


def simulate(
    setup: SetupOption = "ball_within_template",
    fold: FoldOption = 0,
    actions: ActionsOption = None,
    tasks_per_template: PerTemplateOption = None,
    cache: CacheOption = None,
    workers: WorkersOption = 1,
    tasks: TasksOption = None,
) -> None:
    """Try the list of actions on all tasks of a fold, so that agents can learn where there is no engine.

    Example: python tools/phyre.py simulate --setup ball_within_template --actions 1000 --workers 2
    """
    from models.agents.benchmark.evaluation import (  # here: whoever builds or plays needs no learning
        open_benchmark,
        tasks_for,
    )
    from models.agents.experience import gather

    config = _agents_config(setup, actions, [])
    opened = open_benchmark(
        config, cache or _cache_of(eval_setup_to_action_tier(setup)), tasks_for(setup, tasks, tasks_per_template), fold
    )
    with disk_errors(opened.cache.folder), progress_bar() as bar:
        report = _row(bar, "simulating")
        seen = gather(opened.cache, [*opened.learned, *opened.played], config.actions, workers, report).statuses
    console.print(
        f"{seen.shape[1]} actions on {seen.shape[0]} tasks: {100 * (seen > 0).mean():.2f} % solve their task, "
        f"{100 * (seen == 0).mean():.1f} % are invalid. Cache: {opened.cache.folder}"
    )


def evaluate(
    overrides: Annotated[list[str] | None, typer.Argument(help="Changes to the config: dqn.learning.updates=5")] = None,
    agent: Annotated[
        str, typer.Option(help="rand, mem, optimal, dqn or object_search; mem_o, dqn_o … learn on.")
    ] = "rand",
    setup: SetupOption = "ball_within_template",
    fold: FoldOption = 0,
    dev: Annotated[bool, typer.Option(help="For tuning: learn from train tasks alone, play dev tasks.")] = False,
    every: Annotated[
        int, typer.Option(min=1, help="For a first impression: play only the first of every so many tasks.")
    ] = 1,
    actions: ActionsOption = None,
    tasks_per_template: PerTemplateOption = None,
    cache: CacheOption = None,
    out: Annotated[Path, typer.Option(help="Folder of what agents learn.")] = Path("out/phyre_agents"),
    json: Annotated[Path | None, typer.Option(help="Write all results to this file.")] = None,
    workers: WorkersOption = 1,
    max_minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop training cleanly after this time; the same command then goes on.")
    ] = None,
    tasks: TasksOption = None,
) -> None:
    """Let an agent learn from the training tasks of a fold and play its test tasks. Run it again to go on.

    Example: python tools/phyre.py evaluate --agent dqn --setup ball_within_template --fold 0 --json out/dqn_0.json
    """
    from models.agents.benchmark.evaluation import open_benchmark, result_table, tasks_for
    from models.agents.benchmark.playing import as_record
    from models.agents.benchmark.preparing import agent_named
    from models.train.run import Run

    kind = agent_named(agent)
    config = _agents_config(setup, actions, overrides or [])
    known = tasks_for(setup, tasks, tasks_per_template)
    folder = cache or _cache_of(eval_setup_to_action_tier(setup))
    opened = open_benchmark(config, folder, known, fold, dev=dev, every=every)
    name = f"fold_{fold}{'_dev' if dev else ''}"
    with disk_errors(out), progress_bar() as bar:
        run = Run(opened.cache.folder, out / setup / name, max_minutes, _row(bar, f"{agent} learns"))
        prepared = opened.prepare(kind, run, workers, _row(bar, "simulating"))
        if prepared is None:
            console.print("Out of time: the same command goes on with the training.")
            return
        results = opened.play(prepared, kind, _row(bar, f"{agent} plays"))
    console.print(result_table(f"{agent}, {setup}, {name}", results))
    if json is not None:
        facts = {"agent": agent, "setup": setup, "fold": fold, "dev": dev, "every": every}
        facts |= {"training_tasks": len(opened.learned)}
        write_json(json, {**facts, "config": to_plain(config), **as_record(results)}, indent=1)
        console.print(f"Results: {json}")


def compare(
    files: Annotated[list[Path], typer.Argument(help="What evaluate wrote with --json, of several agents and folds.")],
    plot: Annotated[Path | None, typer.Option(help="Write the success curves to this folder.")] = None,
) -> None:
    """Set agents beside each other: AUCCESS over folds, who beats whom for sure, success curves.

    Example: python tools/phyre.py compare out/results/*.json --plot out/plots
    """
    found = brought_together(map(read_result, files))
    for table in comparison_tables(found):
        console.print(table)
    if plot is not None:
        [path] = write_pictures(plot, {"phyre_curves.png": curve_plot(found)})
        console.print(f"Curves: {path}")


def diversity(
    tier: Annotated[str, typer.Option(help="ball or two_balls.")] = "ball",
    actions: Annotated[int, typer.Option(min=1, help="Of the list; those not in the cache are simulated.")] = 1000,
    cache: CacheOption = None,
    out: Annotated[Path, typer.Option(help="Folder of the picture.")] = Path("out/plots"),
    workers: WorkersOption = 1,
) -> None:
    """Draw for each template how many of its tasks the same action solves.

    Example: python tools/phyre.py diversity --tier ball --actions 1000 --out out/plots
    """
    from comphy.puzzles.phyre.benchmark.cache import SimulationCache
    from models.agents.experience import gather

    tasks = list(load_tasks(tier_named(tier)).values())
    results = SimulationCache(cache or _cache_of(tier), tier_named(tier))
    with disk_errors(results.folder), progress_bar() as bar:
        statuses = gather(results, tasks, actions, workers, _row(bar, "simulating")).statuses
    solved = {
        f"{template.id} {template.name}": tasks_solved(statuses[[task.template_id == template.id for task in tasks]])
        for template in templates_of(tier_named(tier))
    }
    [path] = write_pictures(out, {f"phyre_diversity_{tier}.png": diversity_plot(solved)})
    console.print(f"Histograms: {path}")


def _agents_config(setup: str, actions: int | None, overrides: Sequence[str]) -> "AgentsConfig":
    from models.agents.benchmark.config import AgentsConfig

    eval_setup_to_action_tier(setup)
    given = [] if actions is None else [f"actions={actions}"]
    return load_config(AgentsConfig, AGENT_CONFIGS / f"{setup}.yaml", [*overrides, *given])


def _cache_of(tier: str) -> Path:
    return Path("out/phyre_cache") / tier


def _row(bar: ProgressBar, description: str) -> "Report":
    """A row that is shown when its work begins."""
    row = bar.add_task(description, total=None, visible=False)
    return lambda done, total: bar.update(row, completed=done, total=total, visible=total > 0)


if __name__ == "__main__":
    run_command(build, check, play, sheet, gif, simulate, evaluate, compare, diversity, about=__doc__)
