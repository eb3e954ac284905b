"""Calibration of answers: whether answers that are given with a confidence of 87 % are right in 87 % of all cases.

Confidence is the probability that a system gives to its own answer to a factual question, or to its verdict on one choice.
Answers are put into bins of equal width by their confidence (Guo et al., On Calibration of Modern Neural Networks, 2017).
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import fsum, inf
from typing import Any, Final, TypeAlias

from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.evaluation.intervals import Accuracy, accuracy
from comphy.evaluation.qa.accuracy import options_right, same_answer
from comphy.questions.model import Question, QuestionKind, SceneQuestions

BINS: Final = 10
# The least confidence that a most likely answer can have: a choice is right or wrong, a factual answer is one of many.
LOWEST_FACTUAL: Final = 0.0
LOWEST_OPTION: Final = 0.5

Confidence: TypeAlias = (
    float | Mapping[int, float]
)  # in the answer to a factual question | in the verdict on each choice
Confidences: TypeAlias = Mapping[QuestionKey, Confidence]
ScoredConfidence: TypeAlias = tuple[float, bool]  # confidence, whether the answer was right


@dataclass(frozen=True)
class ReliabilityBin:
    """Answers with a confidence from `low` to `high`.

    Attributes:
        low: the least confidence.
        high: the greatest, which only the last bin includes.
        confidence: the mean; None where there are no answers.
        accuracy: of the answers; None where there are none."""

    low: float
    high: float
    confidence: float | None
    accuracy: Accuracy | None

    @property
    def count(self) -> int:
        """How many answers the bin has."""
        return self.accuracy.count if self.accuracy else 0

    @property
    def gap(self) -> float:
        """How far accuracy and mean confidence are apart."""
        if self.accuracy is None or self.confidence is None:
            return 0.0
        return abs(self.accuracy.value - self.confidence)

    def record(self) -> dict[str, Any]:
        """The bin as plain JSON; shares of one."""
        return {
            "low": self.low,
            "high": self.high,
            "count": self.count,
            "confidence": self.confidence,
            "accuracy": self.accuracy.value if self.accuracy else None,
        }


@dataclass(frozen=True)
class Calibration:
    """How confidence and accuracy agree for answers of one kind.

    Attributes:
        bins: ten bins of equal width.
        accuracy: of all answers.
        confidence: the mean of all answers.
        brier: Brier score, the mean square of confidence - (1 if right, else 0).
        auroc: area under the ROC curve, the probability that a right answer is given with more confidence than a
            wrong one, where a tie counts half; None if all are right, or all wrong."""

    bins: tuple[ReliabilityBin, ...]
    accuracy: Accuracy
    confidence: float
    brier: float
    auroc: float | None

    @property
    def count(self) -> int:
        """How many answers there are."""
        return self.accuracy.count

    @property
    def expected_error(self) -> float:
        """Expected calibration error (ECE): the mean gap of the bins, weighted by their answers."""
        return fsum(one.count * one.gap for one in self.bins) / self.count

    @property
    def maximum_error(self) -> float:
        """Maximum calibration error (MCE): the largest gap of a bin."""
        return max(one.gap for one in self.bins)

    def record(self) -> dict[str, Any]:
        """The calibration as plain JSON; all figures are shares of one."""
        return {
            "count": self.count,
            "accuracy": self.accuracy.value,
            "confidence": self.confidence,
            "expected_calibration_error": self.expected_error,
            "maximum_calibration_error": self.maximum_error,
            "brier_score": self.brier,
            "auroc": self.auroc,
            "bins": [one.record() for one in self.bins],
        }


@dataclass(frozen=True)
class Recalibration:
    """Two numbers that make confidence agree with accuracy.

    Attributes:
        temperature: log-probabilities are divided by it.
        bias: then added to that of the given answer.

    Raises:
        ValueError: for a temperature that is not positive and finite, or a negative or infinite bias."""

    temperature: float
    bias: float

    def __post_init__(self) -> None:
        if not (0 < self.temperature < inf and 0 <= self.bias < inf):
            raise ValueError(f"expected a positive temperature and a bias of at least 0 (got {self})")


@dataclass(frozen=True)
class CalibrationReport:
    """Calibration per kind of question.

    Attributes:
        computed: of the confidences that a system computes.
        recalibrated: of those that its recalibration makes of them, with that recalibration, for kinds that have
            one."""

    computed: Mapping[QuestionKind, Calibration]
    recalibrated: Mapping[QuestionKind, tuple[Recalibration, Calibration]]

    def record(self) -> dict[str, Any]:
        """The report as plain JSON; all figures are shares of one."""
        return {
            str(kind): {"computed": one.record(), "recalibrated": self._recalibrated(kind)}
            for kind, one in self.computed.items()
        }

    def _recalibrated(self, kind: QuestionKind) -> dict[str, Any] | None:
        if kind not in self.recalibrated:
            return None
        how, one = self.recalibrated[kind]
        return asdict(how) | one.record()


def calibration(outcomes: Sequence[ScoredConfidence], lowest: float) -> Calibration | None:
    """Measure how confidence and accuracy agree.

    Args:
        outcomes: confidence of each answer, and whether it was right.
        lowest: the least confidence that an answer can have.

    Returns:
        The calibration; None if there are no answers.

    Raises:
        ValueError: a confidence is not from `lowest` to 1."""
    strange = next((value for value, _ in outcomes if not lowest <= value <= 1), None)
    if strange is not None:
        raise ValueError(f"expected confidences from {lowest:g} to 1 (got {strange:g})")
    edges = [lowest + (1 - lowest) * number / BINS for number in range(BINS + 1)]
    members: list[list[ScoredConfidence]] = [[] for _ in range(BINS)]
    for outcome in outcomes:
        members[min(bisect_right(edges, outcome[0]) - 1, BINS - 1)].append(outcome)
    whole = _accuracy(outcomes)
    if whole is None:
        return None
    return Calibration(
        tuple(
            ReliabilityBin(low, high, _confidence(inside) if inside else None, _accuracy(inside))
            for low, high, inside in zip(edges[:-1], edges[1:], members, strict=True)
        ),
        whole,
        _confidence(outcomes),
        fsum((value - right) ** 2 for value, right in outcomes) / len(outcomes),
        auroc(outcomes),
    )


def auroc(outcomes: Sequence[ScoredConfidence]) -> float | None:
    """Measure how well confidence tells right answers from wrong ones, which a calibration error does not show.

    Args:
        outcomes: confidence of each answer, and whether it was right.

    Returns:
        0.5 if confidence tells nothing, 1 if every right answer has more than every wrong one; None if there are only
        right or only wrong answers."""
    right, wrong = (sorted(value for value, found in outcomes if found is kind) for kind in (True, False))
    if not right or not wrong:
        return None
    below = sum(bisect_left(wrong, value) + bisect_right(wrong, value) for value in right)
    return below / (2 * len(right) * len(wrong))


def calibrations(
    truth: Sequence[SceneQuestions], answers: Submission, confidences: Confidences
) -> dict[QuestionKind, Calibration]:
    """Measure the calibration of every kind of question that was answered; per choice, for those that have choices.

    Args:
        truth: questions with their answers.
        answers: by scene_index and question_id; questions without an answer are left out.
        confidences: in these answers, by the same keys.

    Returns:
        Calibrations in the order of the kinds.

    Raises:
        ValueError: a confidence is out of the range of its kind."""
    outcomes: dict[QuestionKind, list[ScoredConfidence]] = defaultdict(list)
    for scene in truth:
        for question in scene.questions:
            key = (scene.scene_index, question.question_id)
            if key in answers:
                values = _values(question, confidences[key])
                outcomes[question.kind] += zip(values, rights(question, answers[key]), strict=True)
    found = {kind: calibration(outcomes[kind], lowest_confidence(kind)) for kind in QuestionKind}
    return {kind: one for kind, one in found.items() if one is not None}


def rights(question: Question, given: Answer) -> list[bool]:
    """Compare an answer with the truth.

    Args:
        question: with its answer.
        given: the answer to it.

    Returns:
        Whether a factual question was answered rightly, or each choice of another."""
    if question.kind is not QuestionKind.FACTUAL:
        return options_right(question, given)
    return [isinstance(given, str) and same_answer(given, question.answer or "")]


def lowest_confidence(kind: QuestionKind) -> float:
    """Tell the least confidence that a most likely answer can have.

    Args:
        kind: of the question.

    Returns:
        0 for a factual answer, which is one of many, and 0.5 for a verdict on a choice."""
    return LOWEST_FACTUAL if kind is QuestionKind.FACTUAL else LOWEST_OPTION


def _values(question: Question, confidence: Confidence) -> list[float]:
    if isinstance(confidence, Mapping):
        return [confidence[choice.choice_id] for choice in question.choices]
    return [confidence]


def _accuracy(outcomes: Sequence[ScoredConfidence]) -> Accuracy | None:
    return accuracy(sum(right for _, right in outcomes), len(outcomes))


def _confidence(outcomes: Sequence[ScoredConfidence]) -> float:
    return fsum(value for value, _ in outcomes) / len(outcomes)
