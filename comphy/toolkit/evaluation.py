"""Scores answers, reasoners, parsers and perceivers, and prints what they reached."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from comphy.choices import Watched
from comphy.command import console, progress_bar, working
from comphy.dataset.notes import read_stabilities
from comphy.dataset.questions import (
    answers_path,
    is_internal_folder,
    questions_path,
    read_questions,
    split_file,
)
from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import Submission, read_submission, short_names, submission_file
from comphy.errors import DatasetError
from comphy.evaluation.perception.tables import AlignedBy, alignment_table, detection_table, tracking_table
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.evaluation.qa.calibration.calibration import CalibrationReport
from comphy.evaluation.qa.calibration.plots import write_reliability_plot
from comphy.evaluation.qa.calibration.tables import calibration_table
from comphy.evaluation.qa.concept_tables import concept_table
from comphy.evaluation.qa.plots import write_plots
from comphy.evaluation.qa.stability import StabilityReport, score_by_stability
from comphy.evaluation.qa.tables import remarks, tables
from comphy.language.rewording import held_out, misspelt, random_questions
from comphy.questions.model import SceneQuestions
from data_gen.frames import open_frames
from models.baselines.contract import answer_all
from models.baselines.frequent import count_frequent
from models.baselines.random_guess import RandomGuess
from models.pcr.evaluation.diagnosis import diagnosis_remarks, diagnosis_table
from models.pcr.evaluation.reasoner_evaluation import ReasonerEvaluation
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.training.scoring import ParserReport, parser_table, reading_table, score_parser
from models.pcr.reasoner.checkpoint import save_recalibrations
from models.perceiver.evaluation import score_perceiver
from models.perceiver.perceive import Perceiver
from models.perceiver.truth import TrueBoxes


@dataclass(frozen=True)
class ReportOptions:
    """What answers are shown with: other systems on the same questions, and pictures."""

    data: Path
    split: str
    beside: Sequence[Path]
    baselines: bool
    plots: Path | None
    sets: int | None = None  # only the first so many sets are asked about

    def reports(self, truth: Sequence[SceneQuestions]) -> dict[str, QAReport]:
        found: dict[str, Submission] = {}
        if self.baselines:
            train = open_source(self.data).questions("train")
            found["random"] = answer_all(RandomGuess(0), truth)
            found["frequent"] = answer_all(count_frequent(train), truth)
        for name, path in zip(short_names(self.beside), self.beside, strict=True):
            answers = read_submission(submission_file(path, self.split) if path.is_dir() else path)
            found[name] = answers if self.sets is None else _asked(answers, truth)
        return {name: score(truth, answers) for name, answers in found.items()}

    def stability(self, truth: Sequence[SceneQuestions], answers: Submission) -> StabilityReport | None:
        """Answers by stability; None where a dataset has no notes that could hold it."""
        found = read_stabilities(self.data, self.split)
        return None if found is None else score_by_stability(truth, answers, found)


def _asked(answers: Submission, truth: Sequence[SceneQuestions]) -> Submission:
    """The answers about some sets alone."""
    sets = {scene.scene_index for scene in truth}
    return {key: answer for key, answer in answers.items() if key[0] in sets}


def print_answers(
    truth: Sequence[SceneQuestions], answers: Submission, name: str, options: ReportOptions
) -> dict[str, Any]:
    report, others, stability = score(truth, answers), options.reports(truth), options.stability(truth, answers)
    for table in tables(report, name, others, stability):
        console.print(table)
        console.print()
    for remark in remarks(report, stability):
        console.print(remark, highlight=False)
    if stability is not None and stability.measured < stability.asked:
        told = f"comphy stability {options.data} --split {options.split}"
        console.print(
            f"Ceilings, and accuracies on stable and chaotic options apart: first run {told}", highlight=False
        )
    if options.plots is not None:
        for path in write_plots(options.plots, report, name, others):
            console.print(f"Plot: {path}")
    record = report.record() | {"beside": {other: one.record()["columns"] for other, one in others.items()}}
    return record | ({"stability": stability.record()} if stability is not None and stability.measured else {})


def evaluate_reasoner(
    evaluation: ReasonerEvaluation, run: Path, options: ReportOptions, diagnose: bool, calibrate: bool = False
) -> dict[str, Any]:
    """With `calibrate`, recalibrations are fitted to the answers and written into the run."""
    if diagnose:
        evaluation.require_truth()  # before minutes of answering
    with working("answering"):
        answers = evaluation.answers()
    record = print_answers(evaluation.scenes, answers, run.name, options)
    recalibrations = evaluation.fit_recalibrations() if calibrate else evaluation.reasoner.recalibrations
    record |= {"calibration": print_calibration(evaluation.calibration(recalibrations), options.plots)}
    record |= {"programs": evaluation.programs} | print_concepts(evaluation)
    reading = evaluation.reading()
    if reading:
        console.print(reading_table(reading, f"{evaluation.reads} them"))
    record |= {"reading": {str(kind): share.record() for kind, share in reading.items()}}
    if diagnose:
        with working("putting the truth in place of each module"):
            found = evaluation.diagnosis()
        console.print(diagnosis_table(found))
        for remark in diagnosis_remarks(found):
            console.print(remark, highlight=False)
        record |= {"diagnosis": found.record()}
    console.print(f"Programs: {evaluation.programs}.")
    for told in evaluation.camera.assumed:
        console.print(f"Assumed: {told}.", highlight=False)
    if calibrate:
        save_recalibrations(run, recalibrations, evaluation.reasoner.settings)
        console.print(f"Recalibration, fitted on the split {options.split}, is written into {run}.", highlight=False)
    return record


def print_concepts(evaluation: ReasonerEvaluation) -> dict[str, Any]:
    """What the objects were taken for, and which tracks for one object. Where annotations are missing, which answers do
    without, neither is known."""
    try:
        evaluation.require_truth()
    except DatasetError as error:
        console.print(f"Concepts and alignment are not scored: {error}", highlight=False, markup=False)
        return {"concepts": None, "alignment": None}
    concepts, alignment = evaluation.concepts(), evaluation.alignment()
    console.print(concept_table(concepts))
    console.print(alignment_table(alignment))
    return {"concepts": concepts.record(), "alignment": {by: one and vars(one) for by, one in alignment.items()}}


def print_calibration(report: CalibrationReport, plots: Path | None) -> dict[str, Any]:
    console.print(calibration_table(report))
    console.print()
    if plots is not None and report.computed:
        for path in write_reliability_plot(plots, report):
            console.print(f"Plot: {path}")
    return report.record()


def evaluate_parser(parser: QuestionParser, data: Path, split: str, sets: int | None = None) -> dict[str, Any]:
    """Score a parser on the questions of a split, and on the same in words and frames that training never has."""
    scenes = open_source(data).questions(split)[:sets]
    reports: dict[str, ParserReport] = {}
    for name, questions in parser_wordings(scenes).items():
        with working(f"reading questions {name}"):
            reports[name] = score_parser(parser, questions)
        console.print(parser_table(reports[name], f"Programs of questions {name}, in % (95 % interval)"))
    print_remarks(parser)
    return {"split": split, **{name: report.record() for name, report in reports.items()}}


def print_remarks(parser: QuestionParser) -> None:
    """What reading has cost, where it costs anything."""
    for remark in parser.remarks():
        console.print(remark, highlight=False)


def parser_wordings(scenes: Sequence[SceneQuestions]) -> dict[str, Sequence[SceneQuestions]]:
    """What a parser is tried on, by name."""
    rng = np.random.default_rng(0)
    invented = random_questions(len(scenes), rng)
    return {
        "as they are": scenes,
        "in held-out words": held_out(scenes, rng, words=True, frames=False),
        "in held-out frames": held_out(scenes, rng, words=False, frames=True),
        "in held-out words and frames": held_out(scenes, rng, words=True, frames=True),
        "with typing errors": misspelt(scenes, rng),
        "that no dataset asks, in held-out words and frames": held_out(invented, rng, words=True, frames=True),
    }


def evaluate_perceiver(
    perceiver: Perceiver, data: Path, split: str, sets: int | None, how: str, watched: Watched
) -> dict[str, Any]:
    device, width = perceiver.device, perceiver.detector.size[0]
    truth = TrueBoxes(open_source(data), width)
    chosen = truth.sets(split)[:sets]
    with progress_bar() as progress:
        task = progress.add_task("perceiving sets", total=len(chosen))
        scores = score_perceiver(
            perceiver,
            open_frames(data, how, width, str(device)),
            truth,
            chosen,
            watched,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    console.print(detection_table(scores.detection))
    console.print(tracking_table(scores.tracking))
    if watched is Watched.ALL:
        console.print(alignment_table({AlignedBy.FEATURES: scores.alignment}))
    console.print(f"Perceived {scores.frames_per_s:.0f} frames/s on {device} (drawing or decoding them left out).")
    return {"split": split, "sets": chosen, "frames": how, "videos": str(watched), **scores.record()}


def evaluate_submission(file: Path, options: ReportOptions) -> dict[str, Any]:
    truth = asked_questions(options.data, options.split)
    return print_answers(truth, read_submission(file), file.stem, options)


def asked_questions(data: Path, split: str) -> list[SceneQuestions]:
    """Of a question file, of a folder with question files alone, or of a source of sets."""
    if not data.is_dir() or is_internal_folder(data):
        return read_questions(data)
    if (data / questions_path(split)).is_file() or (data / answers_path(split)).is_file():
        return read_questions(split_file(data, split, answers=True))
    return open_source(data).questions(split)
