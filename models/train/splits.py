"""The end of every training on questions: answer the validation and test questions, write a submission and score it."""

from collections.abc import Callable, Sequence
from typing import Final

from comphy.dataset.sources.opening import open_source
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
        questions = source.questions(split, answers=False)
        submission = answer(questions)
        write_submission(submission_file(run.out, split), questions, submission)
        if source.asks(split, answers=True):
            reports[split] = score(source.questions(split), submission)
    write_json(run.out / SCORES, {split: report.record() for split, report in reports.items()}, indent=1)
    return reports
