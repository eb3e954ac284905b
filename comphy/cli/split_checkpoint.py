"""`comphy split-checkpoint`: parts of a checkpoint, for places that limit the size of files."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.command import build_app, console, when_interrupted


@when_interrupted("The checkpoint is whole until all its parts are written; run the same command again.")
def main(
    checkpoint: Annotated[
        Path, typer.Argument(help="A .safetensors file of this toolkit; it is replaced by its parts.")
    ],
    max_mb: Annotated[float, typer.Option(min=0.001, help="Largest size of a part, in millions of bytes.")] = 20.0,
) -> None:
    """Replace a checkpoint that is larger by parts that are not; commands read them by its name. One that is small enough
    stays as it is.

    Example: comphy split-checkpoint out/runs/blind_lstm/model.safetensors --max-mb 20
    """
    from models.train.checkpoint import split_checkpoint

    for part in split_checkpoint(checkpoint, int(max_mb * 1e6)):
        console.print(f"{part}: {part.stat().st_size / 1e6:.3f} MB")


app = build_app(main)
