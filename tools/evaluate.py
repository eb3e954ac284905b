#!/usr/bin/env python
"""Score a submission against the true answers, or a trained perceiver against the true boxes.

python tools/evaluate.py out/submission.json out/comphy --split test
python tools/evaluate.py out/runs/perceiver out/comphy --split val --sets 50
python tools/evaluate.py out/runs/perceiver out/comphy --sets 2 --frames blender --videos references
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from comphy.command import console, progress_bar, run_command
from comphy.dataset.files import write_json
from comphy.dataset.questions import is_internal_folder, read_questions, split_file
from comphy.dataset.submission import read_submission
from comphy.evaluation.perception_tables import alignment_table, detection_table, tracking_table
from comphy.evaluation.qa import score
from comphy.evaluation.qa_tables import remarks, tables
from data_gen.frames import FramesFrom, open_frames
from models.perceiver.evaluation import Watched, score_perceiver
from models.perceiver.perceive import Perceiver, is_perceiver, open_perceiver
from models.perceiver.task import data_width
from models.perceiver.training import pick_device
from models.perceiver.truth import TrueBoxes


def main(
    what: Annotated[Path, typer.Argument(help="A submission file, or the run of a perceiver.")],
    data: Annotated[Path, typer.Argument(help="Folder of a dataset; for a submission also a question file.")],
    split: Annotated[str, typer.Option(help="Split of the dataset: train, val or test.")] = "test",
    out: Annotated[Path | None, typer.Option("--json", help="Write all scores to this file, too.")] = None,
    sets: Annotated[int | None, typer.Option(min=1, help="Perceiver: the first so many sets of the split.")] = None,
    frames: Annotated[FramesFrom, typer.Option(help="Perceiver: how frames come about.")] = FramesFrom.RAYTRACE,
    videos: Annotated[Watched, typer.Option(help="Perceiver: which videos of a set are scored.")] = Watched.ALL,
    device: Annotated[str, typer.Option(help="Perceiver: cpu, cuda, or auto.")] = "auto",
    batch: Annotated[int | None, typer.Option(min=1, help="Perceiver: frames looked at together.")] = None,
) -> None:
    """Print scores: accuracies with 95 % intervals as in the paper's table, or detection, tracking and alignment.

    Example: python tools/evaluate.py out/submission.json out/comphy --split test
    """
    if is_perceiver(what):
        perceiver = open_perceiver(what, pick_device(device), batch)
        scored = evaluate_perceiver(perceiver, data, split, sets, frames, videos)
    else:
        scored = evaluate_submission(what, data, split)
    if out is not None:
        write_json(out, scored, indent=1)


def evaluate_submission(submission: Path, questions: Path, split: str) -> dict[str, Any]:
    report = score(read_questions(answers_file(questions, split)), read_submission(submission))
    for table in tables(report):
        console.print(table)
        console.print()
    for remark in remarks(report):
        console.print(remark, highlight=False)
    return report.record()


def evaluate_perceiver(
    perceiver: Perceiver, data: Path, split: str, sets: int | None, how: FramesFrom, videos: Watched
) -> dict[str, Any]:
    device, width = perceiver.device, perceiver.detector.size[0]
    truth = TrueBoxes(data, width, data_width(data))
    chosen = truth.sets(split)[:sets]
    with progress_bar() as progress:
        task = progress.add_task("perceiving sets", total=len(chosen))
        scores = score_perceiver(
            perceiver,
            open_frames(data, how, width, str(device)),
            truth,
            chosen,
            videos,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    console.print(detection_table(scores.detection))
    console.print(tracking_table(scores.tracking))
    if videos is Watched.ALL:
        console.print(alignment_table(scores.alignment))
    console.print(f"Perceived {scores.frames_per_s:.0f} frames/s on {device} (drawing or decoding them left out).")
    return {"split": split, "sets": chosen, "frames": str(how), "videos": str(videos), **scores.record()}


def answers_file(questions: Path, split: str) -> Path:
    """The question file itself, or a folder's; the authors' own folders have no splits."""
    if questions.is_dir() and not is_internal_folder(questions):
        return split_file(questions, split, answers=True)
    return questions


if __name__ == "__main__":
    run_command(main)
