"""The end of every training on questions: answer the validation and test questions, write a submission and score it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from comphy.dataset.submission import Submission, submission_file, write_submission
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.files import write_json
from comphy.questions.model import SceneQuestions
from models.train.run import Run

SCORES: Final = "scores.json"


def answer_splits(answer: Callable[[Sequence[SceneQuestions]], Submission], run: Run) -> dict[str, QAReport]:
    """Write a submission for val and, where the dataset has it, test; score those whose answers are there."""
    source, reports = open_source(run.data), dict[str, QAReport]()
    for split in ("val", "test"):
        if split == "test" and not source.asks(split, answers=False):
            continue
        report = hand_in(answer(source.questions(split, answers=False)), source, split, run.out)
        if report is not None:
            reports[split] = report
    write_scores(run.out, reports)
    return reports


def hand_in(
    submission: Submission, source: VideoSource, split: str, out: Path, sets: int | None = None
) -> QAReport | None:
    """Write the submission of a split, or of the first `sets` of it, into a run; score it if the answers are there."""
    write_submission(submission_file(out, split), source.questions(split, answers=False)[:sets], submission)
    return score(source.questions(split)[:sets], submission) if source.asks(split, answers=True) else None


def write_scores(out: Path, reports: Mapping[str, QAReport]) -> None:
    write_json(out / SCORES, {split: report.record() for split, report in reports.items()}, indent=1)
