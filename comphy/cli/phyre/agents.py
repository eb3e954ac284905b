"""Agents of PHYRE: what they learn from, how they play, and how they compare."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comphy.choices import AgentName, Setup, TierName
from comphy.cli.options import JsonOption, ListOption, MinutesOption, WorkersOption
from comphy.cli.phyre.looking import TierOption
from comphy.cli.phyre.rows import row
from comphy.command import NOTHING_KEPT, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from models.agents.benchmark.config import AgentsConfig

SetupOption = Annotated[Setup, typer.Option(help="What is tested.")]
FoldOption = Annotated[int, typer.Option(min=0, max=9, help="Which tasks are tested.")]
CacheOption = Annotated[
    Path | None, typer.Option(help="Folder of simulated actions; out/phyre_cache/TIER if not given.")
]
ActionsOption = Annotated[
    int | None, typer.Option(min=1, help="Tried on each training task, in place of the config's.")
]
PerTemplateOption = Annotated[int | None, typer.Option(min=1, help="Only the first so many tasks of each template.")]


@when_interrupted("What was simulated is kept in --cache; run the same command again to go on.")
def simulate(
    setup: SetupOption = Setup.BALL_WITHIN,
    fold: FoldOption = 0,
    actions: ActionsOption = None,
    tasks_per_template: PerTemplateOption = None,
    cache: CacheOption = None,
    workers: WorkersOption = 1,
    file: ListOption = None,
) -> None:
    """Try the list of actions on all tasks of a fold, so that agents can learn where there is no engine.

    Example: comphy phyre simulate --setup ball_within_template --tasks-per-template 5 --actions 100
    """
    from comphy.files import disk_errors
    from models.agents.benchmark.evaluation import open_benchmark, tasks_for
    from models.agents.experience import gather

    config = _agents_config(setup, actions, [])
    opened = open_benchmark(config, cache or _cache_of(setup.tier), tasks_for(setup, file, tasks_per_template), fold)
    with disk_errors(opened.cache.folder), progress_bar() as bar:
        report = row(bar, "simulating")
        seen = gather(opened.cache, [*opened.learned, *opened.played], config.actions, workers, report).statuses
    console.print(
        f"{seen.shape[1]} actions on {seen.shape[0]} tasks: {100 * (seen > 0).mean():.2f} % solve their task, "
        f"{100 * (seen == 0).mean():.1f} % are invalid. Cache: {opened.cache.folder}"
    )


@when_interrupted(
    "What was simulated to learn from and the last checkpoint are kept, attempts at play are not; run the same command "
    "again to go on."
)
def evaluate(
    overrides: Annotated[list[str] | None, typer.Argument(help="Changes to the config: dqn.learning.updates=5")] = None,
    agent: Annotated[AgentName, typer.Option(help="Who plays; those that end in _o learn on.")] = AgentName.RAND,
    setup: SetupOption = Setup.BALL_WITHIN,
    fold: FoldOption = 0,
    dev: Annotated[bool, typer.Option(help="For tuning: learn from train tasks alone, play dev tasks.")] = False,
    every: Annotated[
        int, typer.Option(min=1, help="For a first impression: play only the first of every so many tasks.")
    ] = 1,
    actions: ActionsOption = None,
    tasks_per_template: PerTemplateOption = None,
    cache: CacheOption = None,
    out: Annotated[Path, typer.Option(help="Folder of what agents learn.")] = Path("out/phyre_agents"),
    json: JsonOption = None,
    workers: WorkersOption = 1,
    max_minutes: MinutesOption = None,
    file: ListOption = None,
) -> None:
    """Let an agent learn from the training tasks of a fold and play its test tasks. Run it again to go on.

    Example: comphy phyre evaluate --agent mem --tasks-per-template 5 --actions 100 --json out/mem_0.json
    """
    from comphy.config import to_plain
    from comphy.files import disk_errors, write_json
    from models.agents.benchmark.evaluation import open_benchmark, result_table, tasks_for
    from models.agents.benchmark.playing import as_record
    from models.agents.benchmark.preparing import agent_named
    from models.train.run import Run

    kind = agent_named(agent)
    config = _agents_config(setup, actions, overrides or [])
    known = tasks_for(setup, file, tasks_per_template)
    opened = open_benchmark(config, cache or _cache_of(setup.tier), known, fold, dev=dev, every=every)
    name = f"fold_{fold}{'_dev' if dev else ''}"
    with disk_errors(out), progress_bar() as bar:
        run = Run(opened.cache.folder, out / setup / name, max_minutes, row(bar, f"{agent} learns"))
        prepared = opened.prepare(kind, run, workers, row(bar, "simulating"))
        if prepared is None:
            outcome = run.stopped("in the training")
            console.print(outcome.note)
            raise typer.Exit(outcome.exit_code)
        results = opened.play(prepared, kind, row(bar, f"{agent} plays"))
    console.print(result_table(f"{agent}, {setup}, {name}", results))
    if json is not None:
        facts = {"agent": agent, "setup": setup, "fold": fold, "dev": dev, "every": every}
        facts |= {"training_tasks": len(opened.learned)}
        write_json(json, {**facts, "config": to_plain(config), **as_record(results)}, indent=1)
        console.print(f"Results: {json}")


@when_interrupted(NOTHING_KEPT)
def compare(
    files: Annotated[list[Path], typer.Argument(help="What evaluate wrote with --json, of several agents and folds.")],
    plots: Annotated[Path | None, typer.Option(help="Draw the success curves into this folder.")] = None,
) -> None:
    """Set agents beside each other: AUCCESS over folds, who beats whom for sure, success curves.

    Example: comphy phyre compare out/mem_0.json --plots out/plots
    """
    from comphy.evaluation.plot_style import write_pictures
    from comphy.evaluation.puzzles.phyre.plots import curve_plot
    from comphy.evaluation.puzzles.phyre.results import brought_together, read_result
    from comphy.evaluation.puzzles.phyre.tables import comparison_tables

    found = brought_together(map(read_result, files))
    for table in comparison_tables(found):
        console.print(table)
    if plots is not None:
        [path] = write_pictures(plots, {"phyre_curves.png": curve_plot(found)})
        console.print(f"Curves: {path}")


@when_interrupted("What was simulated is kept in --cache; run the same command again to go on.")
def diversity(
    tier: TierOption = TierName.BALL,
    actions: Annotated[int, typer.Option(min=1, help="Of the list; those not in the cache are simulated.")] = 1000,
    cache: CacheOption = None,
    plots: Annotated[Path, typer.Option(help="Draw the histograms into this folder.")] = Path("out/plots"),
    workers: WorkersOption = 1,
) -> None:
    """Draw for each template how many of its tasks the same action solves.

    Example: comphy phyre diversity --tier ball --actions 20 --plots out/plots
    """
    from comphy.evaluation.plot_style import write_pictures
    from comphy.files import disk_errors
    from comphy.puzzles.phyre.benchmark.cache import SimulationCache
    from comphy.puzzles.phyre.benchmark.tasks import load_tasks
    from comphy.puzzles.phyre.templates.template import templates_of
    from comphy.puzzles.phyre.world.actions import tier_named
    from data_gen.phyre.diversity import diversity_plot, tasks_solved
    from models.agents.experience import gather

    tasks = list(load_tasks(tier_named(tier)).values())
    results = SimulationCache(cache or _cache_of(tier), tier_named(tier))
    with disk_errors(results.folder), progress_bar() as bar:
        statuses = gather(results, tasks, actions, workers, row(bar, "simulating")).statuses
    solved = {
        f"{template.id} {template.name}": tasks_solved(statuses[[task.template_id == template.id for task in tasks]])
        for template in templates_of(tier_named(tier))
    }
    [path] = write_pictures(plots, {f"phyre_diversity_{tier}.png": diversity_plot(solved)})
    console.print(f"Histograms: {path}")


def _agents_config(setup: Setup, actions: int | None, overrides: Sequence[str]) -> "AgentsConfig":
    from comphy.config import load_config
    from comphy.resources import find_config
    from models.agents.benchmark.config import AgentsConfig

    given = [] if actions is None else [f"actions={actions}"]
    return load_config(AgentsConfig, find_config(setup, ("phyre",)), [*overrides, *given])


def _cache_of(tier: TierName) -> Path:
    from comphy.puzzles.phyre.benchmark.cache import DEFAULT_FOLDER

    return DEFAULT_FOLDER / tier
