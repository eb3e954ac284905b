"""Train all networks of learning agents of Phy-Q at once, on one device: 15 for broad, 75 for local generalisation."""

import time
from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Generalisation
from comphy.cli.options import MinutesOption
from comphy.command import console, progress_bar, when_interrupted
from comphy.errors import ConfigError
from comphy.files import disk_errors
from comphy.resources import find_config


@when_interrupted("Networks that are finished and checkpoints are kept; run the same command again to go on.")
def train_all(
    overrides: Annotated[list[str] | None, typer.Argument(help="Changes to all configs: learning.epochs=2")] = None,
    config: Annotated[list[str] | None, typer.Option(help="Such as ddqn_symbolic; repeatable.")] = None,
    setup: Annotated[
        list[Generalisation] | None, typer.Option(help="local or broad; repeatable. Both, if none.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Folder of plays, by comphy phyq simulate.")] = Path("out/phyq_plays"),
    out: Annotated[Path, typer.Option(help="Folder of runs: there will be CONFIG_SETUP in it.")] = Path("out/runs"),
    processes: Annotated[int, typer.Option(min=1, help="That train a network each, at the same time.")] = 8,
    max_minutes: MinutesOption = None,
) -> None:
    """Train the networks of configs for set-ups; run it again to go on. Then: comphy phyq evaluate --agent OUT/CONFIG_SETUP

    Example: comphy phyq train-all --config ddqn_symbolic --setup broad --processes 8
    """
    from models.agents.phyq.learners.config import LearnerConfig
    from models.agents.phyq.learners.parallel_training import NetworkJob, open_jobs, train_jobs
    from models.tasks import load_task

    stop_at = None if max_minutes is None else time.monotonic() + 60 * max_minutes
    jobs: list[NetworkJob] = []
    with disk_errors(out), progress_bar() as bar:
        for name in config or ["ddqn_symbolic"]:
            path = find_config(name, ("phyq",))
            for one in setup or list(Generalisation):
                _, settings = load_task(path, [*(overrides or []), f"setup={one.value}"])
                if not isinstance(settings, LearnerConfig):
                    raise ConfigError(f"{path}: expected `task: phyq_learner` (got {settings.task}).")
                jobs += open_jobs(settings, data, out / f"{path.stem}_{one.value}", stop_at)
        row = bar.add_task("networks", total=len(jobs))
        finished = problems = 0
        for result in train_jobs(jobs, processes):
            finished += result.share is not None
            problems += result.problem is not None
            told = "not finished" if result.share is None else f"wins {result.share:.2f} of its training tasks"
            told = result.problem or told
            console.print(f"{result.job.out.name}, network {result.job.name}: {told}", highlight=False)
            bar.advance(row)
    console.print(f"{finished} of {len(jobs)} networks are finished: {out}")
    if problems:
        raise typer.Exit(1)
