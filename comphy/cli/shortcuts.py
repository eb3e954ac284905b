"""How many questions about the unseen need no simulator: true motion, straight lines, and premises that change nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Split
from comphy.command import build_app, console, working
from comphy.errors import DatasetError


def main(
    data: Annotated[Path, typer.Argument(help="A dataset with annotations of motion: ours, or the published release.")],
    split: Annotated[Split, typer.Option(help="Split of the dataset.")] = Split.VAL,
) -> None:
    """Score answers that take true motion and no simulator, beside the paper's models.

    Example: comphy shortcuts out/comphy --split val
    """
    from comphy.dataset.sources.opening import open_source
    from comphy.evaluation.qa.accuracy import score
    from comphy.evaluation.qa.tables import tables
    from comphy.questions.model import SIMULATED_KINDS
    from comphy.toolkit.shortcuts import shortcut_answers

    source = open_source(data)
    asked = [
        replace(scene, questions=tuple(question for question in scene.questions if question.kind in SIMULATED_KINDS))
        for scene in source.questions(split)
    ]
    if not any(scene.questions for scene in asked):
        raise DatasetError(f"{data}: expected predictive or counterfactual questions in {split} (found none).")
    with working("answering without a simulator"):
        report = score(asked, shortcut_answers(source, asked))
    for table in tables(report, "no simulator"):
        console.print(table)
        console.print()


app = build_app(main)

if __name__ == "__main__":
    app()
