#!/usr/bin/env python
"""Score a submission against the true answers, beside the paper's results.

python tools/evaluate.py out/submission.json out/comphy --split test
"""

from pathlib import Path
from typing import Annotated

import typer

from comphy.command import console, run_command
from comphy.dataset.files import write_json
from comphy.dataset.questions import is_internal_folder, read_questions, split_file
from comphy.dataset.submission import read_submission
from comphy.evaluation.qa import score
from comphy.evaluation.qa_tables import remarks, tables


def main(
    submission: Annotated[Path, typer.Argument(help="The challenge's submission file.")],
    questions: Annotated[Path, typer.Argument(help="Folder of a dataset, or a question file with answers.")],
    split: Annotated[str, typer.Option(help="Split of the dataset folder: train, val or test.")] = "test",
    out: Annotated[Path | None, typer.Option("--json", help="Write all scores to this file, too.")] = None,
) -> None:
    """Print accuracies with 95 % intervals: the paper's five columns, per template, per number of choices.

    Example: python tools/evaluate.py out/submission.json out/comphy --split test
    """
    report = score(read_questions(answers_file(questions, split)), read_submission(submission))
    for table in tables(report):
        console.print(table)
        console.print()
    for remark in remarks(report):
        console.print(remark, highlight=False)
    if out is not None:
        write_json(out, report.record(), indent=1)


def answers_file(questions: Path, split: str) -> Path:
    """The question file itself, or a folder's; the authors' own folders have no splits."""
    if questions.is_dir() and not is_internal_folder(questions):
        return split_file(questions, split, answers=True)
    return questions


if __name__ == "__main__":
    run_command(main)
