#!/usr/bin/env python
"""Score a submission or a trained reasoner against the true answers, a parser against the true programs, or a perceiver
against the true boxes.

python tools/evaluate.py out/submission.json out/comphy --split test
python tools/evaluate.py out/runs/pcr out/comphy --split test --diagnose --plots out/plots
python tools/evaluate.py out/runs/pcr out/comphy --baselines --beside out/runs/blind_lstm
python tools/evaluate.py out/runs/pcr/parser out/comphy --split test
python tools/evaluate.py out/runs/perceiver out/comphy --split val --sets 50
python tools/evaluate.py out/runs/perceiver out/comphy --sets 2 --frames blender --videos references
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from comphy.command import console, progress_bar, run_command
from comphy.dataset.files import write_json
from comphy.dataset.questions import is_internal_folder, read_questions, split_file
from comphy.dataset.submission import Submission, read_submission
from comphy.evaluation.perception.tables import AlignedBy, alignment_table, detection_table, tracking_table
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.evaluation.qa.concept_tables import concept_table
from comphy.evaluation.qa.plots import write_plots
from comphy.evaluation.qa.tables import remarks, tables
from comphy.questions.model import SceneQuestions
from comphy.questions.paraphrases import paraphrased
from data_gen.frames import FramesFrom, open_frames
from models.baselines.contract import answer_all
from models.baselines.frequent import count_frequent
from models.baselines.random_guess import RandomGuess
from models.pcr.evaluation.diagnosis import diagnosis_table
from models.pcr.evaluation.exam import Exam, set_exam
from models.pcr.parser.parser import Parser, load_parser
from models.pcr.parser.storage import is_parser
from models.pcr.parser.training.scoring import parser_table, score_parser
from models.pcr.reasoner.checkpoint import is_reasoner
from models.perceiver.evaluation import Watched, score_perceiver
from models.perceiver.perceive import Perceiver, is_perceiver, open_perceiver
from models.perceiver.training.task import data_width
from models.perceiver.truth import TrueBoxes
from models.train.device import pick_device
from models.train.splits import submission_file


def main(
    what: Annotated[Path, typer.Argument(help="A submission file, or the run of a reasoner, parser or perceiver.")],
    data: Annotated[Path, typer.Argument(help="Folder of a dataset; for a submission also a question file.")],
    split: Annotated[str, typer.Option(help="Split of the dataset: train, val or test.")] = "test",
    out: Annotated[Path | None, typer.Option("--json", help="Write all scores to this file, too.")] = None,
    beside: Annotated[
        list[Path] | None, typer.Option(help="Answers: another submission or run for the same table; repeatable.")
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Answers: random and frequent answers in the same table.")] = False,
    plots: Annotated[Path | None, typer.Option(help="Answers: draw accuracies into this folder.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Reasoner: feature cache; by default the run's own.")] = None,
    diagnose: Annotated[bool, typer.Option(help="Reasoner: put the truth in place of each module.")] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Reasoner: switch a part off when answering, such as replay or property_refinement; repeatable."
        ),
    ] = None,
    sets: Annotated[int | None, typer.Option(min=1, help="Perceiver: the first so many sets of the split.")] = None,
    frames: Annotated[FramesFrom, typer.Option(help="Perceiver: how frames come about.")] = FramesFrom.RAYTRACE,
    videos: Annotated[Watched, typer.Option(help="Perceiver: which videos of a set are scored.")] = Watched.ALL,
    device: Annotated[str, typer.Option(help="Perceiver, reasoner: cpu, cuda, or auto.")] = "auto",
    batch: Annotated[int | None, typer.Option(min=1, help="Perceiver: frames looked at together.")] = None,
) -> None:
    """Print scores: accuracies with 95 % intervals as in the paper's tables, or detection, tracking and alignment.

    Example: python tools/evaluate.py out/runs/pcr out/comphy --split test --diagnose
    """
    company = Company(data, split, beside or [], baselines, plots)
    if is_reasoner(what):
        scored = evaluate_reasoner(
            set_exam(what, data, split, cache, pick_device(device), without or ()), what.name, company, diagnose
        )
    elif is_parser(what):
        scored = evaluate_parser(load_parser(what, pick_device(device)), data, split)
    elif is_perceiver(what):
        perceiver = open_perceiver(what, pick_device(device), batch)
        scored = evaluate_perceiver(perceiver, data, split, sets, frames, videos)
    else:
        truth = read_questions(answers_file(data, split))
        scored = print_answers(truth, read_submission(what), "this submission", company)
    if out is not None:
        write_json(out, scored, indent=1)


@dataclass(frozen=True)
class Company:
    """What answers are shown with: other systems on the same questions, and pictures."""

    data: Path
    split: str
    beside: Sequence[Path]
    baselines: bool
    plots: Path | None

    def reports(self, truth: Sequence[SceneQuestions]) -> dict[str, QAReport]:
        found: dict[str, Submission] = {}
        if self.baselines:
            train = read_questions(split_file(self.data, "train", answers=True))
            found["random"] = answer_all(RandomGuess(0), truth)
            found["frequent"] = answer_all(count_frequent(train), truth)
        for name, path in zip(short_names(self.beside), self.beside, strict=True):
            found[name] = read_submission(submission_file(path, self.split) if path.is_dir() else path)
        return {name: score(truth, answers) for name, answers in found.items()}


def short_names(paths: Sequence[Path]) -> list[str]:
    """What tables and pictures call submissions and runs: the run's name, or the whole path where two are called alike."""
    names = [path.parent.name if path.suffix and path.parent.name else path.name for path in paths]
    return [name if names.count(name) == 1 else str(path) for name, path in zip(names, paths, strict=True)]


def print_answers(truth: Sequence[SceneQuestions], answers: Submission, name: str, company: Company) -> dict[str, Any]:
    report, others = score(truth, answers), company.reports(truth)
    for table in tables(report, name, others):
        console.print(table)
        console.print()
    for remark in remarks(report):
        console.print(remark, highlight=False)
    if company.plots is not None:
        for path in write_plots(company.plots, report, name, others):
            console.print(f"Plot: {path}")
    return report.record() | {"beside": {other: one.record()["columns"] for other, one in others.items()}}


def evaluate_reasoner(exam: Exam, name: str, company: Company, diagnose: bool) -> dict[str, Any]:
    with console.status("answering"):
        answers = exam.answers()
    record = print_answers(exam.scenes, answers, name, company)
    concepts = exam.concepts()
    console.print(concept_table(concepts))
    alignment = exam.alignment()
    console.print(alignment_table(alignment))
    record |= {"programs": exam.programs, "concepts": concepts.record()}
    record |= {"alignment": {by: one and vars(one) for by, one in alignment.items()}}
    if diagnose:
        with console.status("putting the truth in place of each module"):
            found = exam.diagnosis()
        console.print(diagnosis_table(found))
        record |= {"diagnosis": found.record()}
    console.print(f"Programs: {exam.programs}.")
    return record


def evaluate_parser(parser: Parser, data: Path, split: str) -> dict[str, Any]:
    scenes = read_questions(split_file(data, split, answers=True))
    wordings = {"as they are": scenes, "in words it never saw": paraphrased(scenes, np.random.default_rng(0))}
    reports = {name: score_parser(parser, questions) for name, questions in wordings.items()}
    for name, report in reports.items():
        console.print(parser_table(report, f"Programs of the questions {name}, in % (95 % interval)"))
    return {"split": split, **{name: report.record() for name, report in reports.items()}}


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
        console.print(alignment_table({AlignedBy.FEATURES: scores.alignment}))
    console.print(f"Perceived {scores.frames_per_s:.0f} frames/s on {device} (drawing or decoding them left out).")
    return {"split": split, "sets": chosen, "frames": str(how), "videos": str(videos), **scores.record()}


def answers_file(questions: Path, split: str) -> Path:
    """The question file itself, or a folder's; the authors' own folders have no splits."""
    if questions.is_dir() and not is_internal_folder(questions):
        return split_file(questions, split, answers=True)
    return questions


if __name__ == "__main__":
    run_command(main)
