"""What runs answered to the questions of a source: how well, and where they were wrong. `--run` names folders of runs or
submission files; a submission belongs to the split whose questions it answers."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from comphy.dataset import layout
from comphy.dataset.sources.source import VideoSource
from comphy.dataset.submission import (
    Submission,
    check_submission,
    read_submission,
    short_names,
    submission_file,
)
from comphy.errors import ComphyError, ConfigError, DatasetError
from comphy.questions.model import SceneQuestions
from comphy.resources import REASONER, find_weights
from comphy.toolkit.explorer.runs.answers import SplitRuns
from comphy.toolkit.explorer.runs.figures import EVALUATION, METRICS, STRESS, curves, reliability, robustness

Json = dict[str, Any]


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
        return {"splits": [board.record() | self._figures(board) for board in self.boards()]}

    def _figures(self, board: SplitRuns) -> Json:
        """What `comphy evaluate` has written into the folders of the runs, see `figures`."""
        tables = {name: self._paths[name] / STRESS for name in board.answers}
        robust = [{"run": name, **robustness(file)} for name, file in tables.items() if file.is_file()]
        told = [one for one in robust if one["split"] == board.split]
        return {"calibration": self._calibration(board), "robustness": told}

    def _calibration(self, board: SplitRuns) -> list[Json]:
        files = {name: self._paths[name] / EVALUATION.format(board.split) for name in board.answers}
        return [{"run": name, "kinds": reliability(file)} for name, file in files.items() if file.is_file()]

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
        logged = {name: curves(path / METRICS) for name, path in self._paths.items()}
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
