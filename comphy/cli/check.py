"""`comphy check`: prove that a dataset is sound: files, hashes, the rules of the benchmark, boxes, masks, videos, every
answer."""

import itertools
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from comphy.command import NOTHING_KEPT, build_app, console, progress_bar, when_interrupted

if TYPE_CHECKING:
    from rich.progress import Progress

    from comphy.dataset.checks.problem import Problem
    from comphy.dataset.checks.release import Findings
    from comphy.dataset.sources.source import VideoSource


@when_interrupted(NOTHING_KEPT)
def main(
    root: Annotated[Path, typer.Argument(metavar="DATA", help="Folder of a dataset, a release, or your own videos.")],
    redraw: Annotated[
        int, typer.Option(min=0, help="Sets to make again from their seed and compare; of videos, every 25th frame.")
    ] = 3,
    every_frame: Annotated[
        bool, typer.Option("--every-frame", help="Of videos that are made again, compare all frames, and the bytes.")
    ] = False,
    most: Annotated[int, typer.Option(min=1, help="Problems to print.")] = 50,
) -> None:
    """Check a dataset, a published release or a folder of videos; exit 0 only if nothing is wrong.

    Example: comphy check out/comphy --redraw 2
    """
    from comphy.dataset import layout
    from comphy.dataset.checks.dataset import check_dataset
    from comphy.dataset.checks.questions import check_questions
    from comphy.dataset.manifest import Manifest
    from comphy.dataset.sources.opening import open_source
    from comphy.dataset.sources.source import SourceKind
    from comphy.errors import DatasetError
    from data_gen.jobs.redraw import Redrawn, check_redraw

    if root.is_dir() and not any((root / name).exists() for name in (layout.PROGRESS, layout.MANIFEST)):
        source = open_source(root)
        if source.kind is not SourceKind.GENERATED:
            check_other(source, most)
            return
    redrawn = Redrawn()
    with progress_bar() as progress:
        problems = list(check_dataset(root, _shown(progress, "checking sets")))
        with suppress(DatasetError):  # a manifest that cannot be read is among the problems already
            manifest = Manifest.read(root)
            problems += check_questions(root, manifest, _shown(progress, "answering questions again"))
        if not problems and redraw:
            progress.add_task(f"making {redraw} sets again", total=None)
            problems = list(check_redraw(root, redraw, redrawn, every_frame))
    _show_problems(problems, most, root)
    show_balance(root)
    if redrawn.unrendered:
        console.print(f"Videos were not rendered again: {redrawn.unrendered}", highlight=False)
    rendered = f" and {redrawn.videos} videos rendered" if redrawn.videos else ""
    console.print(
        f"{root} is sound: {len(Manifest.read(root).sets)} sets, {redrawn.sets} of them made again, their "
        f"{redrawn.choices} choices answered{rendered} from the fresh simulation, 0 problems."
    )


def check_other(source: "VideoSource", most: int) -> None:
    """Check a published release or a folder of videos."""
    from comphy.dataset.checks.release import Findings, check_source
    from comphy.dataset.sources.source import SourceKind
    from comphy.scene.camera import BENCHMARK

    findings = Findings()
    with progress_bar() as progress:
        problems = list(check_source(source, findings, _shown(progress, "checking sets")))
    console.print(f"{source.root} is {source.kind}.", highlight=False)
    show_findings(findings)
    for told in source.assumptions():
        console.print(f"Assumed: {told}.", highlight=False)
    if source.kind is SourceKind.OWN_VIDEOS and source.camera == BENCHMARK:
        console.print("No camera.json: the camera is estimated from the tracked objects when you ask.", highlight=False)
    _show_problems(problems, most, source.root)
    console.print(f"{source.root} can be read: {findings.sets.total()} sets, 0 problems.", highlight=False)


def show_findings(findings: "Findings") -> None:
    from rich.table import Table

    from comphy.questions.model import QuestionKind

    kinds = [kind for kind in QuestionKind if any(asked is kind for _, asked in findings.questions)]
    table = Table("split", "sets", *(f"{kind} questions" for kind in kinds))
    for split, sets in findings.sets.items():
        table.add_row(split, str(sets), *(str(findings.questions[split, kind]) for kind in kinds))
    console.print(table)
    for reason, count in sorted(findings.skipped.items()):
        console.print(f"Left out: {count} {reason}.", highlight=False)
    if findings.answers:
        right, wrong, unknown = (findings.answers[found] for found in (True, False, None))
        words = f"Answers that follow from the annotations: {right} of {right + wrong}"
        console.print(
            f"{words}; {unknown} programs could not be executed." if unknown else f"{words}.", highlight=False
        )


def _show_problems(problems: "Sequence[Problem]", most: int, root: Path) -> None:
    for problem in itertools.islice(problems, most):
        console.print(Text("problem", "red"), str(problem), highlight=False)
    if problems:
        console.print(f"{len(problems)} problem{'s' * (len(problems) != 1)} found in {root}.")
        raise typer.Exit(1)


def _shown(progress: "Progress", what: str) -> Callable[[int, int], None]:
    task = progress.add_task(what, total=None)
    return lambda done, total: progress.update(task, completed=done, total=total)


def show_balance(root: Path) -> None:
    """How often each template is asked, and how often with which answer."""
    from rich.table import Table

    from comphy.dataset.checks.questions import balance_table
    from comphy.dataset.layout import SPLITS
    from comphy.dataset.notes import notes_path, read_notes
    from comphy.dataset.questions import answers_path, read_questions

    for split in SPLITS:
        rows = balance_table(read_questions(root / answers_path(split)), read_notes(root / notes_path(split)))
        if not rows:
            continue
        table = Table(
            "template", "asked", "most frequent", "answers", title=f"Balance of {split}", title_justify="left"
        )
        for row in rows:
            common = sorted(row.answers.items(), key=lambda item: (-item[1], item[0]))
            shown = ", ".join(f"{word} {count}" for word, count in common[:6]) + (" …" if len(common) > 6 else "")
            table.add_row(row.family, str(row.asked), f"{row.most_frequent_share:.0%}", shown)
        console.print(table)


app = build_app(main)
