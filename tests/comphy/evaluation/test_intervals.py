"""Intervals against tabulated values, closed forms and simulated coverage."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from comphy.evaluation.intervals import Z_95, accuracy, effective_sample_size, grouped_accuracy, wilson


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
