"""`comphy generate`: video sets and the questions about them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comphy.choices import RendererName
from comphy.cli.options import RayOption, SeedOption, WorkersOption
from comphy.command import build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from comphy.dataset.manifest import Manifest
    from data_gen.jobs.generate import GenerationOutcome


@when_interrupted("The sets that were finished are kept in --out; run the same command again to go on.")
def main(
    config: Annotated[str, typer.Argument(help="A config: a YAML file, or a name such as comphy (data/comphy).")],
    overrides: Annotated[
        list[str] | None, typer.Argument(help="Changes to it: scene.max_objects=4 blender.samples=64")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the dataset; created, or gone on with.")] = Path("out/comphy"),
    sets: Annotated[
        int | None,
        typer.Option(help="Number of sets, one target and four reference videos each; by default as the config says."),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    shard: Annotated[str | None, typer.Option(help="i/n, from 0: make every n-th set only.")] = None,
    ray: RayOption = None,
    render: Annotated[RendererName, typer.Option(help="How videos are drawn.")] = RendererName.RAYTRACE,
) -> None:
    """Generate ComPhy video sets and questions into a folder. Run it again to go on after an interruption.

    Example: comphy generate comphy --out out/comphy --sets 12 --workers 2
    """
    from comphy.resources import find_config
    from data_gen.config import load_plan
    from data_gen.jobs.generate import Shard, generate
    from data_gen.jobs.worker import Job

    plan = load_plan(find_config(config, ("data",)), overrides or [])
    job = Job(out, seed, render, plan.dataset())
    with progress_bar() as progress:
        task = progress.add_task(f"sets with render {render}", total=None)
        asking = progress.add_task("questions", total=None, visible=False)
        outcome = generate(
            job,
            plan.sets if sets is None else sets,
            workers,
            Shard.parse(shard) if shard else None,
            ray,
            lambda done, total: progress.update(task, completed=done, total=total),
            lambda done, total: progress.update(asking, completed=done, total=total, visible=True),
        )
    show(outcome, out)


def show(outcome: "GenerationOutcome", out: Path) -> None:
    elsewhere = f", {outcome.shared} left to another process that makes them" if outcome.shared else ""
    console.print(f"{outcome.made} sets made, {outcome.kept} found done{elsewhere}.")
    if outcome.manifest is None:
        console.print(
            f"{outcome.missing} sets of other shards or processes are missing; the last one to finish completes {out}."
        )
        return
    show_rejections(outcome.manifest)
    console.print(f"Dataset complete: {out / 'manifest.json'}. Prove it with: comphy check {out}")


def show_rejections(manifest: "Manifest") -> None:
    from rich.table import Table

    rejections = manifest.rejections()
    if not rejections:
        return
    table = Table("draws thrown away because", "count", title="Rejections", title_justify="left")
    for reason, count in rejections.most_common():
        table.add_row(reason, str(count))
    console.print(table)


app = build_app(main)
