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
    """Of the options, and of the questions, of a kind."""

    ALL = "all"
    STABLE = "stable"
    CHAOTIC = "chaotic"

    def has(self, share: float) -> bool:
        return self is Part.ALL or (share >= STABLE_SHARE) is (self is Part.STABLE)


@dataclass(frozen=True)
class Ceiling:
    """The accuracies of an exact simulator that starts from states measured with noise: once, or many times, when it
    answers each option as most of its runs do (half of the ties are right). None where there is nothing to answer."""

    per_option: float | None
    per_question: float | None
    majority_per_option: float | None
    majority_per_question: float | None


NO_CEILING: Final = Ceiling(None, None, None, None)


@dataclass(frozen=True)
class StabilityScore:
    """Of one kind of question: the options and questions of a part, how many of them are answered right, and the ceiling."""

    kind: QuestionKind
    part: Part
    options: int
    questions: int
    per_option: Accuracy | None
    per_question: Accuracy | None
    ceiling: Ceiling

    def record(self) -> dict[str, Any]:
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
    """`measured` of the `asked` predictive and counterfactual questions have a stability; the scores are of those."""

    measured: int
    asked: int
    scores: tuple[StabilityScore, ...]
    groups: Mapping[Group, Ceiling]  # by the groups of `QAReport`

    @property
    def complete(self) -> bool:
        """Whether the ceilings are of the same questions as the accuracies of `QAReport`."""
        return 0 < self.measured == self.asked

    def columns(self, majority: bool = False) -> dict[str, float | None]:
        """Ceilings by the columns of `QAReport.columns` that have one."""
        found: dict[str, float | None] = {}
        for (kind, group), one in self.groups.items():
            if group == WHOLE_KIND:
                found[f"{kind}_per_option"] = one.majority_per_option if majority else one.per_option
                found[f"{kind}_per_question"] = one.majority_per_question if majority else one.per_question
        return found

    def record(self) -> dict[str, Any]:
        """As plain JSON; shares of one."""
        return {
            "stable_share": STABLE_SHARE,
            "measured": self.measured,
            "asked": self.asked,
            "scores": [score.record() for score in self.scores],
            "groups": [{"kind": str(kind), "group": group} | asdict(one) for (kind, group), one in self.groups.items()],
        }


def ceiling_of(options: Sequence[float], questions: Sequence[Stability]) -> Ceiling:
    """`options` are the shares of the options that count, `questions` the stabilities of the questions that count."""
    return Ceiling(
        _mean(options),
        _mean([question.question for question in questions]),
        _mean([_majority(share) for share in options]),
        _mean([prod(_majority(share) for share in question.options) for question in questions]),
    )


def _majority(share: float) -> float:
    return 0.5 if share == 0.5 else float(share > 0.5)


def stable_share(shares: Sequence[float]) -> float | None:
    """How many of the options, or questions, with these shares are stable."""
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
    """Hold answers against the truth, where the stability of the question was measured."""
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
