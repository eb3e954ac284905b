"""`comphy leaderboard`: one table over runs and submissions that answered the same questions."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import Against, Split
from comphy.command import NOTHING_KEPT, build_app, console, when_interrupted, working


@when_interrupted(NOTHING_KEPT)
def main(
    runs: Annotated[
        list[Path], typer.Argument(help="Folders of runs that comphy train has made, or submission files.")
    ],
    data: Annotated[Path, typer.Option(help="Folder of the dataset they answered, or a question file with answers.")],
    split: Annotated[Split, typer.Option(help="Split of the dataset.")] = Split.TEST,
    out: Annotated[
        Path | None, typer.Option(help="Folder for leaderboard.json, leaderboard.md and leaderboard.png.")
    ] = None,
    against: Annotated[
        Against, typer.Option(help="Whom the others are compared with: the best of each column, or the first run.")
    ] = Against.BEST,
    partial: Annotated[bool, typer.Option("--partial", help="Count missing answers as wrong.")] = False,
    audit: Annotated[
        bool,
        typer.Option(
            "--audit", help="Hold runs that are shown a single cue against the paper's Blind-LSTM, for biases."
        ),
    ] = False,
) -> None:
    """Rank runs on the same questions: accuracies with 95 % intervals, and which differences are more than chance.

    Example: comphy leaderboard out/runs/blind_lstm --data out/comphy --out out/leaderboard
    """
    from comphy.evaluation.qa.bias_audit import audit as audit_biases
    from comphy.evaluation.qa.bias_audit import audit_tables
    from comphy.evaluation.qa.leaderboard import rank
    from comphy.evaluation.qa.leaderboard_tables import leaderboard_tables
    from comphy.toolkit.evaluation import asked_questions
    from comphy.toolkit.leaderboard import find_submissions, read_answers, single_cues, write_leaderboard

    cues = single_cues(runs) if audit else None
    files = find_submissions(runs, split)
    truth = asked_questions(data, split)
    answers = read_answers(files, truth, partial)
    with working("comparing answers"):
        board = rank(truth, answers, against)
    audited = audit_biases(board, cues) if cues is not None else None
    for table in [*leaderboard_tables(board), *(audit_tables(audited) if audited is not None else [])]:
        console.print(table)
        console.print()
    if out is not None:
        about = {"data": str(data), "split": str(split), "files": {name: str(file) for name, file in files.items()}}
        for path in write_leaderboard(out, board, f"Leaderboard: {data.name}, {split}", about, audited):
            console.print(f"Written: {path}")


app = build_app(main)
