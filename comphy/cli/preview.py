"""`comphy preview`: pictures of a set, its questions with the trace of each answer, or a page of several sets."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Frames
from comphy.cli.options import FramesOption
from comphy.command import build_app, console, when_interrupted
from comphy.errors import ConfigError


@when_interrupted("The pictures that were finished are kept; run the same command again to draw all of them.")
def main(
    root: Annotated[Path, typer.Argument(metavar="DATA", help="Folder of a finished dataset.")],
    index: Annotated[int | None, typer.Argument(metavar="SET", help="Number of a set, such as 12.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the pictures; without it, below DATA/preview.")] = None,
    frames: FramesOption = Frames.AUTO,
    page: Annotated[bool, typer.Option("--page", help="Write index.html too; without SET, of the first sets.")] = False,
    questions: Annotated[bool, typer.Option("--questions", help="Print the questions only; draw nothing.")] = False,
    sets: Annotated[int, typer.Option(min=1, help="Most sets to show where no SET is given.")] = 6,
) -> None:
    """Write sheet.png, clip.mp4 and top.png of a set and print its questions, or write a page that shows several sets.

    Example: comphy preview out/comphy --page --sets 2
    """
    if questions and page:
        raise ConfigError("Expected --questions or --page, not both: the page shows the questions too.")
    if index is None and not (page or questions):
        raise ConfigError(f"Expected the number of a set (comphy preview {root} 0), or --page to show several.")

    from comphy.toolkit.previewing import Previewed, draw, write_page_of
    from data_gen.preview.terminal import print_questions

    previewed = Previewed.load(root, index, sets)
    if not questions:
        base = previewed.base(out)
        folders = [base if out and not page else base / f"{one.index:05d}" for one in previewed.scenes]
        previews = draw(previewed, base, folders, frames)
        if page:
            console.print(write_page_of(previewed, base, previews).absolute().as_uri())
            return
    for scene in previewed.scenes:
        print_questions(console, scene, previewed.asked[scene.index])


app = build_app(main)
