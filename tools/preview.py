#!/usr/bin/env python
"""Look at a dataset: pictures of a set, its questions with the trace of each answer, or a page of several sets.

python tools/preview.py out/comphy 12
python tools/preview.py out/comphy 12 --questions
python tools/preview.py out/comphy --page --limit 6
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from comphy.command import console, run_command
from comphy.dataset.manifest import Manifest
from comphy.errors import ConfigError
from data_gen.preview.pages.page import write_page
from data_gen.preview.pictures.frames import open_videos
from data_gen.preview.pictures.write import FOLDER, Preview, prepare_folder, write_preview
from data_gen.preview.questions import show_questions
from data_gen.preview.scene import PreviewSet, load_set, open_dataset
from data_gen.preview.terminal import print_questions
from data_gen.renderers.build import RendererName


def main(
    root: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished dataset.")],
    index: Annotated[int | None, typer.Argument(metavar="SET", help="Number of a set, such as 12.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the pictures; without it, below DIR/preview.")] = None,
    render: Annotated[
        RendererName | None,
        typer.Option(help="Draw the frames with it; without it, the dataset's videos, or raytrace where it has none."),
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Write index.html too; without SET, of the first sets.")] = False,
    questions: Annotated[bool, typer.Option("--questions", help="Print the questions only; draw nothing.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Most sets to show where no SET is given.")] = 6,
) -> None:
    """Write sheet.png, clip.mp4 and top.png of a set and print its questions, or write a page that shows several sets.

    Example: python tools/preview.py out/comphy --page
    """
    if questions and page:
        raise ConfigError("Expected --questions or --page, not both: the page shows the questions too.")
    if index is None and not (page or questions):
        raise ConfigError(f"Expected the number of a set (tools/preview.py {root} 0), or --page to show several.")
    manifest = open_dataset(root)
    chosen = [index] if index is not None else sorted(manifest.sets)[:limit]
    scenes = [load_set(root, manifest, i) for i in chosen]
    asked = show_questions(root, chosen)
    if not questions:
        base = out or root / FOLDER
        folders = [base if out and not page else base / f"{i:05d}" for i in chosen]
        prepare_folder(base)
        previews = draw(root, manifest, scenes, folders, render)
        if page:
            console.print(str(write_page(root, base, previews, asked)))
            return
    for scene in scenes:
        print_questions(console, scene, asked[scene.index])


def draw(
    root: Path, manifest: Manifest, scenes: list[PreviewSet], folders: list[Path], render: RendererName | None
) -> list[Preview]:
    """Draw the sets, each into its folder, and print where the pictures are."""
    previews = []
    with open_videos(root, manifest, render) as source:
        for scene, folder in track(list(zip(scenes, folders, strict=True)), "sets", console=console):
            previews.append(write_preview(scene, source, folder))
    for preview in previews:
        for path in (preview.sheet, preview.clip, preview.top):
            console.print(str(path))
    return previews


if __name__ == "__main__":
    run_command(main)
