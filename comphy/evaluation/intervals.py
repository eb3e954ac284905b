"""Accuracies with 95 % Wilson score intervals, of independent answers and of answers that come in clusters; and
differences between two accuracies on the same answers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

Z_95: Final = 1.959963984540054  # the standard normal lies within ± this with a probability of 95 %


@dataclass(frozen=True)
class Accuracy:
    """A share of right answers with its 95 % interval.

    Attributes:
        right: how many answers are right.
        count: how many there are.
        low: lower end of the interval, a share of one.
        high: its upper end."""

    right: int
    count: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share of right answers."""
        return self.right / self.count

    def record(self) -> dict[str, Any]:
        """The accuracy as plain JSON; shares of one."""
        return {
            "accuracy": self.value,
            "low": self.low,
            "high": self.high,
            "right": self.right,
            "count": self.count,
        }


def wilson(share: float, count: float) -> tuple[float, float]:
    """Compute Wilson's 95 % score interval of a share.

    Args:
        share: of successes, 0 to 1.
        count: independent trials in which it was seen.

    Returns:
        The lower and the upper end, which stay within 0 and 1 and never meet."""
    square = Z_95**2
    centre = (share + square / (2 * count)) / (1 + square / count)
    reach = Z_95 / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def accuracy(right: int, count: int) -> Accuracy | None:
    """Compute the accuracy of independent answers.

    Args:
        right: how many are right.
        count: how many there are.

    Returns:
        The accuracy with Wilson's interval; None if there are no answers."""
    return Accuracy(right, count, *wilson(right / count, count)) if count else None


def grouped_accuracy(groups: Sequence[tuple[int, int]]) -> Accuracy | None:
    """Compute an accuracy where answers within a group are correlated (cluster sampling).

    Args:
        groups: right answers, and all answers, of each group.

    Returns:
        The accuracy; its interval is Wilson's with the effective sample size, as for complex surveys (Korn and
        Graubard). None if there are no answers."""
    groups = [(right, count) for right, count in groups if count]
    if not groups:
        return None
    right, count = _totals(groups)
    return Accuracy(right, count, *wilson(right / count, effective_sample_size(groups)))


def effective_sample_size(groups: Sequence[tuple[int, int]]) -> float:
    """Tell how many independent answers have the variance that a share over groups of answers has.

    variance = m / (m - 1) · Σ (right_i - share · count_i)² / count², the linearised one of a ratio over m clusters, to
    which share · (1 - share) / effective count is set equal. Where the groups do not show how they vary (all right, all
    wrong, one group), each counts as one answer.

    Args:
        groups: right answers, and all answers, of each group.

    Returns:
        The effective count, never more than there are answers."""
    right, count = _totals(groups)
    share, many = right / count, len(groups)
    if many == 1 or right in (0, count):
        return float(many)
    squares = math.fsum((r - share * c) ** 2 for r, c in groups)
    variance = many / (many - 1) * squares / count**2
    return min(float(count), share * (1 - share) / variance) if variance else float(count)


@dataclass(frozen=True)
class Difference:
    """The difference of two accuracies on the same answers.

    Attributes:
        value: the first accuracy less the second.
        reach: the 95 % interval is `value` ± this; None where one cluster alone does not show how it varies."""

    value: float
    reach: float | None

    def record(self) -> dict[str, Any]:
        """The difference as plain JSON; shares of one."""
        return {"difference": self.value, "reach": self.reach}


def paired_difference(clusters: Sequence[tuple[int, int, int]]) -> Difference | None:
    """Compare answers that were given twice to the same questions.

    The variance is the linearised one of a ratio, as in `effective_sample_size`, of right - right before over count.

    Args:
        clusters: of each cluster of answers, as to one video set: right, right before, and how many there are.

    Returns:
        The difference of the accuracies; None if there are no answers."""
    clusters = [one for one in clusters if one[2]]
    count, many = sum(n for _, _, n in clusters), len(clusters)
    if not count:
        return None
    value = sum(now - before for now, before, _ in clusters) / count
    if many == 1:
        return Difference(value, None)
    squares = math.fsum((now - before - value * n) ** 2 for now, before, n in clusters)
    return Difference(value, Z_95 * math.sqrt(many / (many - 1) * squares) / count)


def _totals(groups: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(right for right, _ in groups), sum(count for _, count in groups)
