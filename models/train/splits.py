"""The end of every training on questions: answer the validation and test questions, write a submission and score it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from comphy.dataset.questions import read_questions, split_file
from comphy.dataset.submission import Submission, write_submission
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.files import write_json
from comphy.questions.model import SceneQuestions
from models.train.run import Run

SCORES: Final = "scores.json"


def answer_splits(answer: Callable[[Sequence[SceneQuestions]], Submission], run: Run) -> dict[str, QAReport]:
    """Write a submission for val and, where the dataset has it, test; score those whose answers are there."""
    reports: dict[str, QAReport] = {}
    for split in ("val", "test"):
        asked, answered = (split_file(run.data, split, answers=answers) for answers in (False, True))
        if split == "test" and not asked.exists():
            continue
        questions = read_questions(asked)
        submission = answer(questions)
        write_submission(submission_file(run.out, split), questions, submission)
        if answered.exists():
            reports[split] = score(read_questions(answered), submission)
    write_json(run.out / SCORES, {split: report.record() for split, report in reports.items()}, indent=1)
    return reports


def submission_file(run: Path, split: str) -> Path:
    """The file with a run's answers to the questions of a split."""
    return run / f"submission_{split}.json"
