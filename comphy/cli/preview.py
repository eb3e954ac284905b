"""`comphy preview`: pictures of a set, and its questions with the trace of each answer."""

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
    questions: Annotated[bool, typer.Option("--questions", help="Print the questions only; draw nothing.")] = False,
    sets: Annotated[int, typer.Option(min=1, help="Most sets whose questions are printed where no SET is given.")] = 6,
) -> None:
    """Write sheet.png, clip.mp4 and top.png of a set, for slides and papers, and print its questions.

    Pages of many sets are what comphy explore is for.

    Example: comphy preview out/comphy 0
    """
    if index is None and not questions:
        raise ConfigError(
            f"Expected the number of a set (comphy preview {root} 0), or --questions. In a browser: comphy explore {root}"
        )

    from comphy.toolkit.previewing import Previewed
    from data_gen.preview.terminal import print_questions

    previewed = Previewed.load(root, index, sets)
    if not questions:
        previewed.draw(out, frames)
    for scene in previewed.scenes:
        print_questions(console, scene, previewed.asked[scene.index])


app = build_app(main)
