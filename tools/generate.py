#!/usr/bin/env python
"""Generate ComPhy video sets and the questions about them.

    python tools/generate.py configs/data/comphy.yaml --out out/comphy --sets 200 --seed 0 --workers 2

Run the same command again to go on after an interruption.
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from comphy.command import console, progress_bar, run_command
from comphy.config import load_config
from comphy.dataset.manifest import Manifest
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import GenerationOutcome, Shard, generate
from data_gen.jobs.worker import Job
from data_gen.renderers.build import RendererName


def main(
    config: Annotated[Path, typer.Argument(help="YAML file, such as configs/data/comphy.yaml.")],
    overrides: Annotated[
        list[str] | None, typer.Argument(help="Changes to it: scene.max_objects=4 blender.samples=64")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the dataset; created, or gone on with.")] = Path("out/comphy"),
    sets: Annotated[int, typer.Option(help="Number of sets, one target and four reference videos each.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same dataset.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes (with --ray: actors).")] = 1,
    shard: Annotated[str | None, typer.Option(help="i/n, from 0: make every n-th set only.")] = None,
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster, or 'local'.")] = None,
    render: Annotated[RendererName, typer.Option(help="How frames are drawn.")] = RendererName.RAYTRACE,
) -> None:
    """Generate ComPhy video sets and questions into a folder.

    Example: python tools/generate.py configs/data/comphy.yaml --out out/comphy --sets 200 --workers 2
    """
    job = Job(out, seed, render, load_config(DatasetConfig, config, overrides or []))
    with progress_bar() as progress:
        task = progress.add_task(f"sets with render {render}", total=None)
        asking = progress.add_task("questions", total=None, visible=False)
        outcome = generate(
            job,
            sets,
            workers,
            Shard.parse(shard) if shard else None,
            ray,
            lambda done, total: progress.update(task, completed=done, total=total),
            lambda done, total: progress.update(asking, completed=done, total=total, visible=True),
        )
    show(outcome, out)


def show(outcome: GenerationOutcome, out: Path) -> None:
    console.print(f"{outcome.made} sets made, {outcome.kept} found done.")
    if outcome.manifest is None:
        console.print(f"{outcome.missing} sets of other shards are missing; the last shard to finish completes {out}.")
        return
    show_rejections(outcome.manifest)
    console.print(f"Dataset complete: {out / 'manifest.json'}. Prove it with: python tools/check.py {out}")


def show_rejections(manifest: Manifest) -> None:
    table = Table("draws thrown away because", "count", title="Rejections", title_justify="left")
    for reason, count in manifest.rejections().most_common():
        table.add_row(reason, str(count))
    console.print(table)


if __name__ == "__main__":
    run_command(main)
