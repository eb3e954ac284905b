"""`comphy stills`: draw some frames of a dataset by Blender, for a perceiver to learn its look from."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import RendererName, Split, StillsRenderer
from comphy.cli.options import SeedOption, WorkersOption
from comphy.command import build_app, console, progress_bar, when_interrupted


@when_interrupted("The frames that were drawn are kept; run the same command again to go on.")
def main(
    data: Annotated[Path, typer.Argument(help="Folder of a dataset of this toolkit; it needs no videos.")],
    out: Annotated[Path, typer.Option(help="Folder of the pictures; created, or gone on with.")] = Path("out/stills"),
    videos: Annotated[int, typer.Option(min=1, help="So many videos, chosen at random.")] = 300,
    frames: Annotated[int, typer.Option(min=1, help="Frames of each of them.")] = 4,
    width: Annotated[int, typer.Option(min=48, help="Of a picture, in pixels: the perceiver's.")] = 240,
    render: Annotated[StillsRenderer, typer.Option(help="What draws them.")] = StillsRenderer.BLENDER,
    split: Annotated[Split, typer.Option(help="Sets to take videos from.")] = Split.TRAIN,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
) -> None:
    """Draw stills by Blender, so that a perceiver learns from them beside the frames that it draws itself.

    Example: comphy stills out/comphy --out out/stills --workers 2
    """
    from data_gen.jobs.stills import StillsJob

    if width % 3:
        raise typer.BadParameter(
            f"expected a multiple of 3, for pictures of the shape 3:2 (got {width}).", param_hint="--width"
        )
    job = StillsJob(data, out, RendererName(render), width, split.value, videos, frames, seed)
    with progress_bar() as progress:
        task = progress.add_task("drawing frames", total=None)
        stills = job.run(workers, lambda done, total: progress.update(task, completed=done, total=total))
    console.print(
        f"{out}: {len(stills.keys)} frames of {len(stills.by_video)} videos, {stills.width}x{stills.height} pixels, "
        f"drawn by {stills.renderer}."
    )


app = build_app(main)
