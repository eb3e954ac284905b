"""What runs answered to the questions of a source: how well, and where they were wrong. `--run` names folders of runs or
submission files; a submission belongs to the split whose questions it answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeGuard

from comphy.dataset import layout
from comphy.dataset.sources.source import VideoSource
from comphy.dataset.submission import (
    Answer,
    Submission,
    check_submission,
    read_submission,
    short_names,
    submission_file,
)
from comphy.errors import ComphyError, ConfigError, DatasetError
from comphy.evaluation.qa.accuracy import score_question
from comphy.files import read_json, require
from comphy.questions.model import Question, SceneQuestions
from comphy.resources import REASONER, find_weights

Json = dict[str, Any]
METRICS: Final = "metrics.jsonl"  # what training logs into the folder of a run
EVALUATION: Final = "evaluation_{}.json"  # of a split: what comphy evaluate --json has written into the folder of a run
_MOST_POINTS: Final = 500  # of a curve


@dataclass(frozen=True)
class SplitRuns:
    """The runs that answered a split, by their names."""

    split: str
    truth: Sequence[SceneQuestions]
    answers: Mapping[str, Submission]

    def record(self) -> Json:
        """The leaderboard: accuracies with their intervals, and which differences to the best are more than chance."""
        from comphy.evaluation.qa.leaderboard import rank  # SciPy's statistics take as long to import as all the rest

        board = rank(self.truth, self.answers)
        columns = board.columns()
        return {
            "split": self.split,
            "sets": board.sets,
            "columns": columns,
            "systems": [
                {
                    "name": name,
                    "columns": {column: board.accuracy(name, column).record() for column in columns},
                    "below_best": [
                        column
                        for column in columns
                        if name in board.comparisons[column] and board.comparisons[column][name].significant
                    ],
                    "families": [
                        {"kind": str(one.kind), "family": one.group, **one.per_question.record()}
                        for one in report.templates
                        if one.per_question is not None
                    ],
                }
                for name, report in board.reports.items()
            ],
        }

    def questions(self) -> Iterator[Json]:
        """Every question with what each run answered."""
        for scene in self.truth:
            for question in scene.questions:
                yield {"set": scene.scene_index, **self.question(scene.scene_index, question)}

    def question(self, index: int, question: Question) -> Json:
        given = {name: answers.get((index, question.question_id)) for name, answers in self.answers.items()}
        return {
            "id": question.question_id,
            "kind": str(question.kind),
            "family": question.family,
            "text": question.text,
            "truth": _truth(question),
            "answers": [
                {"run": name, "words": _words(answer), "right": score_question(question, answer).right}
                for name, answer in given.items()
            ],
        }


class Runs:
    """The runs of a server, which answered questions of its first source. Submissions are read at the first question.

    Raises:
        ConfigError: a path that is neither the folder of a run nor a file; or runs without a source."""

    def __init__(self, paths: Sequence[Path], source: VideoSource | None) -> None:
        for path in paths:
            if not path.exists():
                raise ConfigError(f"{path}: expected the folder of a run, or a submission file (found nothing).")
            if path.is_dir() and not has_answers(path):
                raise ConfigError(
                    f"{path}: expected answers of a run, such as submission_test.json, or the weights of a reasoner, "
                    f"{REASONER} (found neither). Train it to the end with comphy train, or answer a split with comphy "
                    "evaluate."
                )
        if paths and source is None:
            raise ConfigError("expected a source with --run (got none): the dataset whose questions it answered.")
        self._paths, self._source, self._lock = dict(zip(short_names(paths), paths, strict=True)), source, Lock()

    @property
    def names(self) -> list[str]:
        return list(self._paths)

    def boards(self) -> list[SplitRuns]:
        with self._lock:
            return self._boards

    def record(self) -> Json:
        return {"splits": [board.record() | {"calibration": self._calibration(board)} for board in self.boards()]}

    def _calibration(self, board: SplitRuns) -> list[Json]:
        """Of runs that `comphy evaluate` has written figures into, see `EVALUATION`."""
        files = {name: self._paths[name] / EVALUATION.format(board.split) for name in board.answers}
        return [{"run": name, "kinds": _reliability(file)} for name, file in files.items() if file.is_file()]

    def split(self, name: str) -> SplitRuns:
        found = next((board for board in self.boards() if board.split == name), None)
        if found is None:
            raise DatasetError(f"no run has answered the split '{name[:20]}'.")
        return found

    def wrong(self) -> dict[str, list[int]]:
        """Of each run, the sets of which it answered a question wrongly."""
        found: dict[str, set[int]] = {name: set() for name in self.names}
        for board in self.boards():
            for asked in board.questions():
                for answer in asked["answers"]:
                    if not answer["right"]:
                        found[answer["run"]].add(asked["set"])
        return {name: sorted(sets) for name, sets in found.items()}

    def curves(self) -> list[Json]:
        """How the figures that training logged went, for runs that have such a log."""
        logged = {name: _curves(path / METRICS) for name, path in self._paths.items()}
        return [{"run": name, "series": series} for name, series in logged.items() if series]

    def of_set(self, index: int) -> Json:
        """What the runs answered about one set, by the number of the question."""
        for board in self.boards():
            for scene in board.truth:
                if scene.scene_index == index:
                    return {str(one.question_id): board.question(index, one)["answers"] for one in scene.questions}
        return {}

    @cached_property
    def _boards(self) -> list[SplitRuns]:
        assert self._source is not None
        boards: list[SplitRuns] = []
        unread = {name: path for name, path in self._paths.items() if path.is_file()}
        for split in reversed(layout.SPLITS):
            if not self._source.asks(split, answers=True):
                continue
            truth = self._source.questions(split)
            files = {name: submission_file(path, split) for name, path in self._paths.items() if path.is_dir()}
            answers = {name: _read(file, truth) for name, file in files.items() if file.is_file()}
            for name, path in list(unread.items()):
                if _fits(read_submission(path), truth):
                    answers[name] = read_submission(unread.pop(name))
            if answers:
                boards.append(SplitRuns(split, truth, {name: answers[name] for name in self.names if name in answers}))
        if unread:
            path = next(iter(unread.values()))
            raise DatasetError(
                f"{path}: the answers belong to no split of {self._source.root}. Name their source first."
            )
        return boards


def _curves(log: Path) -> list[Json]:
    """The steps and values of each figure in a log of training, of a long one some. Lines that a killed run left
    half-written, and figures that are no numbers, are left out."""
    if not log.is_file():
        return []
    found: dict[str, list[tuple[float, float]]] = {}
    for line in log.read_text(errors="replace").splitlines():
        with suppress(ValueError, RecursionError):
            figures = json.loads(line)
            step = figures.pop("step", None) if isinstance(figures, dict) else None
            if _is_figure(step):
                for name, value in figures.items():
                    if _is_figure(value):
                        found.setdefault(name, []).append((step, value))
    return [
        {"name": name, "points": points[:: 1 + len(points) // _MOST_POINTS]} for name, points in sorted(found.items())
    ]


def _reliability(file: Path) -> dict[str, Json]:
    """By kind of question, how often answers of some confidence were right. Confidences are recalibrated where the run
    has learned to, as a reader of its answers is told them.

    Raises:
        DatasetError: the file is no evaluation of a reasoner."""
    found = {}
    for kind, told in require(read_json(file), "calibration", dict, str(file)).items():
        shown = require(told, "recalibrated", (dict, type(None)), str(file)) or require(
            told, "computed", dict, str(file)
        )
        bins = [one for one in require(shown, "bins", list, str(file)) if require(one, "count", int, str(file))]
        found[kind] = {
            "error": require(shown, "expected_calibration_error", (int, float), str(file)),
            "points": [
                [require(one, axis, (int, float), str(file)) for axis in ("confidence", "accuracy")] for one in bins
            ],
        }
    return found


def _is_figure(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def sort_runs(runs: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Those whose answers are compared, and the reasoners that can be asked; a run may be both, a baseline only the first.

    Raises:
        ConfigError: a name that is neither a path nor that of weights that come along."""
    found = [find_weights(run) for run in runs]
    reasoners = [run for run in found if (run / REASONER).is_file()]
    return [run for run in found if run not in reasoners or has_answers(run)], reasoners


def has_answers(run: Path) -> bool:
    """Whether a folder holds answers of a run to some split."""
    return any(submission_file(run, split).is_file() for split in layout.SPLITS)


def _read(file: Path, truth: Sequence[SceneQuestions]) -> Submission:
    answers = read_submission(file)
    try:
        check_submission(truth, answers)
    except DatasetError as error:
        raise DatasetError(f"{file}: {error}") from None
    return answers


def _fits(answers: Submission, truth: Sequence[SceneQuestions]) -> bool:
    try:
        check_submission(truth, answers)
    except ComphyError:
        return False
    return True


def _truth(question: Question) -> str:
    if not question.choices:
        return question.answer or "unknown"
    return _listed({choice.choice_id: bool(choice.correct) for choice in question.choices})


def _words(answer: Answer | None) -> str:
    if answer is None:
        return "no answer"
    return answer if isinstance(answer, str) else _listed(answer)


def _listed(marks: Mapping[int, bool]) -> str:
    """Which choices are held to be correct."""
    right = [str(choice) for choice, correct in sorted(marks.items()) if correct]
    return f"choice{'s' * (len(right) > 1)} {', '.join(right)}" if right else "no choice"
