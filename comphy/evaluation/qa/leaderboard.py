"""Several systems on the same questions: their scores, and who is better than whom beyond chance.

Two systems answer the same questions, so their difference is compared pair by pair. Questions of one set are about the
same videos: the bootstrap resamples whole sets. McNemar's exact test, which takes questions as independent, is given
beside it where an answer is right or wrong as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.choices import Against
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.paired import Difference, group_bootstrap, mcnemar
from comphy.evaluation.qa.accuracy import QAReport, ScoredQuestion, score, score_question
from comphy.questions.model import QuestionKind, SceneQuestions

LEVEL: Final = 0.05  # below this p-value a difference counts as one
_PER_OPTION: Final = "_per_option"


@dataclass(frozen=True)
class Comparison:
    """A system's difference to another one.

    Attributes:
        against: name of the other one.
        difference: of their accuracies, this system's less the other's.
        mcnemar_p: p-value of McNemar's exact test; None where answers count in part."""

    against: str
    difference: Difference
    mcnemar_p: float | None

    @property
    def significant(self) -> bool:
        """Whether the p-value of the bootstrap is below 0.05."""
        return self.difference.p_value < LEVEL

    def record(self) -> dict[str, Any]:
        """The comparison as plain JSON; differences are shares of one."""
        return {"against": self.against, **asdict(self.difference), "mcnemar_p": self.mcnemar_p}


@dataclass(frozen=True)
class Leaderboard:
    """The scores of several systems on the same questions.

    Attributes:
        against: whom the others are compared with.
        sets: how many video sets the questions are about.
        reports: scores by system, best first.
        comparisons: by column, then by system, without those compared with."""

    against: Against
    sets: int
    reports: Mapping[str, QAReport]
    comparisons: Mapping[str, Mapping[str, Comparison]]

    def columns(self) -> list[str]:
        """The paper's columns in which something was asked."""
        first = next(iter(self.reports.values()))
        return [name for name, one in first.columns().items() if one]

    def accuracy(self, system: str, column: str) -> Accuracy:
        """Look up one cell of the table.

        Args:
            system: its name.
            column: one of `columns`.

        Returns:
            The accuracy."""
        found = self.reports[system].columns()[column]
        assert found is not None, "all systems answered the same questions"
        return found

    def record(self) -> dict[str, Any]:
        """The leaderboard as plain JSON; accuracies and differences are shares of one."""
        return {
            "against": str(self.against),
            "sets": self.sets,
            "systems": {name: report.record() for name, report in self.reports.items()},
            "comparisons": {
                column: {name: one.record() for name, one in compared.items()}
                for column, compared in self.comparisons.items()
            },
        }


def rank(
    truth: Sequence[SceneQuestions], submissions: Mapping[str, Submission], against: Against = Against.BEST
) -> Leaderboard:
    """Score submissions to the same questions and compare them pair by pair.

    Args:
        truth: questions with their answers.
        submissions: answers by the name of the system.
        against: whom the others are compared with.

    Returns:
        The scores of all systems, best first, and their differences.

    Raises:
        DatasetError: an answer belongs to no question, or the truth keeps an answer back.
        ConfigError: there is nothing to rank."""
    if not submissions or not any(scene.questions for scene in truth):
        raise ConfigError(
            f"expected answers of one system at least, and questions (got {len(submissions)} systems and "
            f"{sum(len(scene.questions) for scene in truth)} questions)."
        )
    reports = {name: score(truth, answers) for name, answers in submissions.items()}
    ranked = {name: reports[name] for name in sorted(reports, key=lambda name: -_mean(reports[name]))}
    outcomes = {name: _outcomes(truth, answers) for name, answers in submissions.items()}
    board = Leaderboard(against, len(truth), ranked, {})
    first = next(iter(submissions))
    comparisons = {}
    for column in board.columns():
        best = max(ranked, key=lambda name: board.accuracy(name, column).value)
        comparisons[column] = _compared(column, outcomes, first if against is Against.FIRST else best, list(ranked))
    return Leaderboard(against, len(truth), ranked, comparisons)


def _mean(report: QAReport) -> float:
    """What systems are sorted by: the mean over all columns."""
    found = [one.value for one in report.columns().values() if one]
    return sum(found) / len(found)


def _outcomes(truth: Sequence[SceneQuestions], answers: Submission) -> list[list[ScoredQuestion]]:
    """Of every set, how its questions were answered."""
    return [
        [
            score_question(question, answers.get((scene.scene_index, question.question_id)))
            for question in scene.questions
        ]
        for scene in truth
    ]


def _compared(
    column: str, outcomes: Mapping[str, Sequence[Sequence[ScoredQuestion]]], against: str, systems: Sequence[str]
) -> dict[str, Comparison]:
    others = [name for name in systems if name != against]
    if not others:
        return {}
    base, counts = _rights(column, outcomes[against])
    sets = len(counts)
    gains = [[one - two for one, two in zip(_rights(column, outcomes[name])[0], base, strict=True)] for name in others]
    totals = np.array([[sum(one) for one in gain] for gain in gains], dtype=np.int64)
    differences = group_bootstrap(totals, np.broadcast_to(np.array(counts, dtype=np.int64), (len(others), sets)))
    return {
        name: Comparison(against, difference, None if column.endswith(_PER_OPTION) else _mcnemar(gain))
        for name, difference, gain in zip(others, differences, gains, strict=True)
    }


def _rights(column: str, outcomes: Sequence[Sequence[ScoredQuestion]]) -> tuple[list[NDArray[np.int64]], list[int]]:
    """Of every set: what is right of each question of a column, and how much there is to be right."""
    kind = QuestionKind(column.partition("_")[0])
    per_option = column.endswith(_PER_OPTION)
    rights, counts = [], []
    for questions in outcomes:
        asked = [one for one in questions if one.kind is kind and one.options]
        rights.append(np.array([one.options_right if per_option else int(one.right) for one in asked], dtype=np.int64))
        counts.append(sum(one.options if per_option else 1 for one in asked))
    return rights, counts


def _mcnemar(gains: Sequence[NDArray[np.int64]]) -> float:
    every = np.concatenate(list(gains))
    return mcnemar(int((every > 0).sum()), int((every < 0).sum()))
