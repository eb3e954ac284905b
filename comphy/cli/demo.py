"""`comphy demo`: from nothing to a first answer: make a small dataset, prove it, ask about it, and show all in a site."""

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from comphy.cli.options import WorkersOption
from comphy.command import build_app, console, when_interrupted

SETS: Final = 3
SEED: Final = 7
# A set whose objects the shipped weights name rightly, and a question that they answer rightly.
SHOWN: Final = 2
QUESTION: Final = "What will happen next?"


@when_interrupted("What was finished is kept in --out; run the same command again to go on.")
def main(
    out: Annotated[Path, typer.Option(help="Folder of the demo; created, or gone on with.")] = Path("demo"),
    workers: WorkersOption = 2,
    question: Annotated[str, typer.Option(help=f"What to ask about set {SHOWN}.")] = QUESTION,
) -> None:
    """Make three video sets, prove that they are sound, ask a trained model about one, and show all in a site that opens
    from disk. Takes some minutes, most of them for drawing.

    Example: comphy demo --out demo
    """
    from comphy.cli import check, generate

    _step(1, f"Making {SETS} video sets with questions")
    generate.main("comphy", out=out, sets=SETS, seed=SEED, workers=workers)
    _step(2, "Proving that the dataset is sound")
    check.main(out, redraw=1)
    _step(3, f"Asking a trained model: {question}")
    from comphy.toolkit.demo import ask_and_show

    page = ask_and_show(out, SHOWN, question, lambda: _step(4, "Writing a site of it"))
    console.print(f"\nThe videos, their questions, and this answer with its clip: {page}")
    console.print(f"Look around, ask more, and change the world: comphy explore {out}")


def _step(number: int, what: str) -> None:
    console.print(Text(f"\n{number}/4 {what}", "bold"))


app = build_app(main)
