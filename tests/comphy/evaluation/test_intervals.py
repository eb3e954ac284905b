"""Intervals against tabulated values, closed forms and simulated coverage."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from comphy.evaluation.intervals import (
    Z_95,
    Difference,
    accuracy,
    effective_sample_size,
    grouped_accuracy,
    paired_difference,
    wilson,
)


def test_the_quantile_is_the_normal_distributions():
    assert pytest.approx(norm.ppf(0.975)) == Z_95


@pytest.mark.parametrize(("right", "count"), [(0, 1), (1, 1), (0, 10), (7, 10), (81, 263), (6281, 6281)])
def test_wilson_is_scipys(right: int, count: int):
    expected = binomtest(right, count).proportion_ci(method="wilson")
    found = accuracy(right, count)
    assert found is not None
    assert (found.right, found.count, found.value) == (right, count, right / count)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_answers_have_no_accuracy():
    assert accuracy(0, 0) is None
    assert grouped_accuracy([]) is None
    assert grouped_accuracy([(0, 0)]) is None


def test_groups_of_one_are_independent_answers():
    groups = [(1, 1)] * 30 + [(0, 1)] * 10
    assert effective_sample_size(groups) == pytest.approx(40 * 39 / 40)  # the variance's usual m / (m - 1)
    one, other = grouped_accuracy(groups), accuracy(30, 40)
    assert one is not None and other is not None
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=5e-3)


def test_answers_that_stand_and_fall_together_count_once_per_group():
    groups = [(4, 4)] * 60 + [(0, 4)] * 40
    assert effective_sample_size(groups) == pytest.approx(100 * 99 / 100)
    found = grouped_accuracy(groups)
    assert found is not None
    assert (found.right, found.count) == (240, 400)
    assert (found.low, found.high) == pytest.approx(wilson(0.6, 99))


def test_answers_that_balance_each_other_count_no_more_than_they_are():
    assert effective_sample_size([(1, 2)] * 50) == 100


@pytest.mark.parametrize(("groups", "count"), [([(2, 2)] * 20, 20), ([(0, 3)] * 20, 20), ([(1, 4)], 1)])
def test_groups_that_show_no_variation_count_once(groups: list[tuple[int, int]], count: int):
    assert effective_sample_size(groups) == count
    found = grouped_accuracy(groups)
    assert found is not None
    assert found.high - found.low > 1 / (count + 4)  # never closes on a point


def test_unequal_groups_follow_the_variance_of_a_ratio():
    groups = [(2, 2), (1, 4), (3, 3), (0, 2), (4, 4)]
    share = 10 / 15
    residuals = [2 - 2 * share, 1 - 4 * share, 3 - 3 * share, -2 * share, 4 - 4 * share]
    variance = 5 / 4 * sum(r * r for r in residuals) / 15**2
    assert effective_sample_size(groups) == pytest.approx(share * (1 - share) / variance)


def test_coverage_with_correlated_options():
    """Questions of 4 options, half the questions easy: 95 % of the intervals hold the truth; naive ones do not."""
    rng = np.random.default_rng(0)
    repetitions, questions = 2000, 150
    easy = rng.random((repetitions, questions)) < 0.5
    right = rng.binomial(4, np.where(easy, 0.95, 0.45))
    truth = 0.5 * 0.95 + 0.5 * 0.45
    covered = naive = 0
    for row in right:
        found = grouped_accuracy([(int(r), 4) for r in row])
        plain = accuracy(int(row.sum()), 4 * questions)
        assert found is not None and plain is not None
        covered += found.low <= truth <= found.high
        naive += plain.low <= truth <= plain.high
    tolerance = 4 * math.sqrt(0.95 * 0.05 / repetitions)
    assert covered / repetitions == pytest.approx(0.95, abs=tolerance)
    assert naive / repetitions < 0.93


def test_a_paired_difference_of_single_answers_is_the_paired_t_tests():
    """One answer per cluster: the variance is that of a mean of right - right before."""
    now, before = np.random.default_rng(0).integers(0, 2, (2, 80))
    found = paired_difference([(int(a), int(b), 1) for a, b in zip(now, before, strict=True)])
    assert found is not None and found.value == pytest.approx(now.mean() - before.mean())
    assert found.reach == pytest.approx(Z_95 * np.std(now - before, ddof=1) / math.sqrt(80))


def test_differences_of_few_clusters():
    assert paired_difference([(0, 0, 0)]) is None
    assert paired_difference([(3, 4, 4)]) == Difference(-0.25, None), "one set does not show how sets vary"
    assert paired_difference([(3, 4, 4), (6, 8, 8)]) == Difference(-0.25, 0.0)
