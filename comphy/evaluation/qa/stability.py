"""Accuracies on stable and on chaotic options apart, and the ceiling that measurement noise sets.

An option is stable if at least 95 % of the re-simulations from noisy states give its answer, a question if as many give the
answers to all of its options at once; all others are chaotic.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import prod
from typing import Any, Final

from comphy.dataset.submission import QuestionKey, Submission
from comphy.errors import DatasetError
from comphy.evaluation.intervals import Accuracy, accuracy, grouped_accuracy
from comphy.evaluation.qa.accuracy import WHOLE_KIND, choice_count, options_right, template_of
from comphy.questions.model import SIMULATED_KINDS, QuestionKind, SceneQuestions, Stability

STABLE_SHARE: Final = 0.95

Stabilities = Mapping[QuestionKey, Stability]
Group = tuple[QuestionKind, str]


class Part(StrEnum):
    """A part of the options, and of the questions, of a kind.

    Attributes:
        ALL: every one.
        STABLE: those that at least 95 % of the noisy re-simulations answer alike.
        CHAOTIC: all others."""

    ALL = "all"
    STABLE = "stable"
    CHAOTIC = "chaotic"

    def has(self, share: float) -> bool:
        """Tell whether an option, or a question, is in the part.

        Args:
            share: of the re-simulations that give its answer.

        Returns:
            Whether it belongs there."""
        return self is Part.ALL or (share >= STABLE_SHARE) is (self is Part.STABLE)


@dataclass(frozen=True)
class Ceiling:
    """The accuracies of an exact simulator that starts from states measured with noise; shares of one, None where there
    is nothing to answer.

    With many runs it answers each option as most of them do, and half of the ties are right.

    Attributes:
        per_option: of options, with one run.
        per_question: of questions with every option right, with one run.
        majority_per_option: of options, with many runs.
        majority_per_question: of questions, with many runs."""

    per_option: float | None
    per_question: float | None
    majority_per_option: float | None
    majority_per_question: float | None


NO_CEILING: Final = Ceiling(None, None, None, None)


@dataclass(frozen=True)
class StabilityScore:
    """The accuracies of one kind of question on a part of it.

    Attributes:
        kind: of the questions.
        part: all, stable or chaotic.
        options: how many options the part has.
        questions: how many questions the part has.
        per_option: share of its options that are answered rightly; None if there are none.
        per_question: share of its questions with every option right; None if there are none.
        ceiling: what an exact simulator would reach."""

    kind: QuestionKind
    part: Part
    options: int
    questions: int
    per_option: Accuracy | None
    per_question: Accuracy | None
    ceiling: Ceiling

    def record(self) -> dict[str, Any]:
        """The score as plain JSON; shares of one."""
        return {
            "kind": str(self.kind),
            "part": str(self.part),
            "options": self.options,
            "questions": self.questions,
            "per_option": self.per_option and self.per_option.record(),
            "per_question": self.per_question and self.per_question.record(),
            "ceiling": asdict(self.ceiling),
        }


@dataclass(frozen=True)
class StabilityReport:
    """Scores of the predictive and counterfactual questions whose stability was measured.

    Attributes:
        measured: how many questions these are.
        asked: how many there are of those kinds.
        scores: by kind and part.
        groups: ceilings by the groups of `QAReport`."""

    measured: int
    asked: int
    scores: tuple[StabilityScore, ...]
    groups: Mapping[Group, Ceiling]

    @property
    def complete(self) -> bool:
        """Whether the ceilings are of the same questions as the accuracies of `QAReport`."""
        return 0 < self.measured == self.asked

    def columns(self, majority: bool = False) -> dict[str, float | None]:
        """Give ceilings by the columns of `QAReport.columns` that have one.

        Args:
            majority: those of many runs instead of one.

        Returns:
            Shares of one; None where there is nothing to answer."""
        found: dict[str, float | None] = {}
        for (kind, group), one in self.groups.items():
            if group == WHOLE_KIND:
                found[f"{kind}_per_option"] = one.majority_per_option if majority else one.per_option
                found[f"{kind}_per_question"] = one.majority_per_question if majority else one.per_question
        return found

    def record(self) -> dict[str, Any]:
        """The report as plain JSON; shares of one."""
        return {
            "stable_share": STABLE_SHARE,
            "measured": self.measured,
            "asked": self.asked,
            "scores": [score.record() for score in self.scores],
            "groups": [{"kind": str(kind), "group": group} | asdict(one) for (kind, group), one in self.groups.items()],
        }


def ceiling_of(options: Sequence[float], questions: Sequence[Stability]) -> Ceiling:
    """Compute what an exact simulator would reach.

    Args:
        options: the shares of the options that count.
        questions: the stabilities of the questions that count.

    Returns:
        Its mean accuracies."""
    return Ceiling(
        _mean(options),
        _mean([question.question for question in questions]),
        _mean([_majority(share) for share in options]),
        _mean([prod(_majority(share) for share in question.options) for question in questions]),
    )


def _majority(share: float) -> float:
    return 0.5 if share == 0.5 else float(share > 0.5)


def stable_share(shares: Sequence[float]) -> float | None:
    """Count how many options, or questions, are stable.

    Args:
        shares: of the re-simulations that give the answer of each.

    Returns:
        The share of stable ones; None if there are none."""
    return _mean([float(Part.STABLE.has(share)) for share in shares])


def _mean(shares: Sequence[float]) -> float | None:
    return sum(shares) / len(shares) if shares else None


@dataclass(frozen=True)
class _Answered:
    stability: Stability
    rights: tuple[bool, ...]

    def options(self, part: Part) -> list[tuple[float, bool]]:
        """Stability of the options of a part, and whether they are answered right."""
        pairs = zip(self.stability.options, self.rights, strict=True)
        return [(share, right) for share, right in pairs if part.has(share)]


def _answered(stability: Stability, rights: tuple[bool, ...], key: QuestionKey) -> _Answered:
    if len(stability.options) != len(rights):
        raise DatasetError(
            f"scene {key[0]}: question {key[1]}: expected the stability of {len(rights)} options (the notes have "
            f"{len(stability.options)}). The questions were asked anew; measure again with: comphy stability"
        )
    return _Answered(stability, rights)


def score_by_stability(
    truth: Sequence[SceneQuestions], submission: Submission, stabilities: Stabilities
) -> StabilityReport:
    """Hold answers against the truth, where the stability of the question was measured.

    Args:
        truth: questions with their answers.
        submission: answers by scene_index and question_id.
        stabilities: of questions, by the same keys.

    Returns:
        Scores of the stable and the chaotic part of each kind, with their ceilings.

    Raises:
        DatasetError: if a stability has another number of options than its question."""
    kinds: dict[QuestionKind, list[_Answered]] = defaultdict(list)
    groups: dict[Group, list[Stability]] = defaultdict(list)
    asked = 0
    for scene in truth:
        for question in scene.questions:
            if question.kind not in SIMULATED_KINDS or not question.choices:
                continue
            asked += 1
            key = (scene.scene_index, question.question_id)
            if (stability := stabilities.get(key)) is None:
                continue
            kinds[question.kind].append(_answered(stability, tuple(options_right(question, submission.get(key))), key))
            for group in (WHOLE_KIND, choice_count(len(question.choices)), template_of(question)):
                groups[question.kind, group].append(stability)
    return StabilityReport(
        sum(map(len, kinds.values())),
        asked,
        tuple(score for kind in SIMULATED_KINDS if kinds[kind] for score in _scores(kind, kinds[kind])),
        {group: _ceiling(groups[group]) for group in sorted(groups)},
    )


def _ceiling(stabilities: Sequence[Stability]) -> Ceiling:
    return ceiling_of([share for one in stabilities for share in one.options], stabilities)


def _scores(kind: QuestionKind, answered: Sequence[_Answered]) -> Iterator[StabilityScore]:
    for part in Part:
        options = [one.options(part) for one in answered]
        questions = [one for one in answered if part.has(one.stability.question)]
        yield StabilityScore(
            kind,
            part,
            sum(map(len, options)),
            len(questions),
            grouped_accuracy([(sum(right for _, right in of_one), len(of_one)) for of_one in options]),
            accuracy(sum(all(one.rights) for one in questions), len(questions)),
            ceiling_of([share for of_one in options for share, _ in of_one], [one.stability for one in questions]),
        )
