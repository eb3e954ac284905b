#!/usr/bin/env python
"""Film a set through any camera into a folder of mp4 files alone, as somebody's own videos would be.

comphy generate comphy --out out/comphy --sets 1 --seed 0 --render none
python tools/figures/own_videos.py out/comphy --out mine --focal 1.2 --height 2.9 --tilt 36
comphy ask pcr mine "How many objects are heavy?"
"""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import RendererName
from comphy.command import build_app, console, progress_bar
from comphy.dataset import layout
from comphy.dataset.media.video import write_mp4
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.source import STANDARD
from comphy.scene.camera import tilted_camera
from data_gen.config import BlenderOptions, DatasetConfig
from data_gen.renderers.build import build_renderer, check_renderer


def main(
    data: Annotated[Path, typer.Argument(help="A dataset of ours; its videos need not be drawn.")],
    number: Annotated[int, typer.Option("--set", min=0, help="The set that is filmed.")] = 0,
    references: Annotated[int, typer.Option(min=0, max=4, help="The target and so many references.")] = 1,
    out: Annotated[Path, typer.Option(help="Folder of the videos.")] = Path("out/mine"),
    focal: Annotated[float, typer.Option(help="Focal length, in widths of the picture.")] = 1.2,
    height: Annotated[float, typer.Option(help="Of the camera above the table; objects are 0.4 wide.")] = 2.9,
    tilt: Annotated[float, typer.Option(help="Of the camera below the horizon, in degrees.")] = 36.0,
    width: Annotated[int, typer.Option(min=48, help="Of the pictures; they are two thirds as high.")] = 480,
    renderer: Annotated[RendererName, typer.Option(help="What draws them.")] = RendererName.BLENDER,
    samples: Annotated[int, typer.Option(min=1, help="Blender: rays for each pixel.")] = 16,
) -> None:
    """Write target.mp4, reference_0.mp4, … of a set.

    Example: python tools/figures/own_videos.py out/comphy --set 0 --renderer raytrace --out out/mine
    """
    config = DatasetConfig(blender=BlenderOptions(samples=samples))
    check_renderer(renderer, config)
    drawing = build_renderer(renderer, config, threads=0 if renderer is RendererName.BLENDER else 1)
    if drawing is None:
        raise typer.BadParameter("expected raytrace or blender", param_hint="--renderer")
    camera, pack = tilted_camera(focal, height, tilt).resized(width, width * 2 // 3), Pack(data / layout.PACK)
    videos = STANDARD.videos[: 1 + references]
    with progress_bar() as progress:
        task = progress.add_task("drawing videos", total=len(videos))
        for video in videos:
            [frames] = drawing.render([pack.video(f"{number:05d}/{video}").clip()], camera)
            write_mp4(out / f"{video}.mp4", frames)
            progress.advance(task)
    drawing.close()
    console.print(f"Videos: {out}")


app = build_app(main)

if __name__ == "__main__":
    app()
