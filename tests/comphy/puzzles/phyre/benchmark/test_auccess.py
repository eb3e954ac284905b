"""AUCCESS against its closed form and the paper's remark on the first ten attempts."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyre.benchmark.auccess import (
    MAX_TEST_ATTEMPTS,
    attempt_weights,
    auccess,
    success_at,
    success_curve,
)


def test_weights_are_steps_of_the_logarithm() -> None:
    weights = attempt_weights()
    assert len(weights) == MAX_TEST_ATTEMPTS == 100
    assert weights[0] == pytest.approx(math.log(2)) and weights[9] == pytest.approx(math.log(11 / 10))
    assert weights.sum() == pytest.approx(math.log(101))
    assert weights[:10].sum() / weights.sum() == pytest.approx(0.5, abs=0.02)


def test_a_curve_counts_tasks_solved_so_far() -> None:
    curve = success_curve([1, 3, 3, None, 7], attempts=5)
    np.testing.assert_allclose(curve, [0.2, 0.2, 0.6, 0.6, 0.6])
    assert success_at(curve, 2) == pytest.approx(20.0)
    assert success_at(success_curve([1, None]), 100) == pytest.approx(50.0)
    np.testing.assert_array_equal(success_curve([None, None], attempts=3), 0.0)


@pytest.mark.parametrize(("attempt", "percent"), [(1, 100.0), (2, 85.0), (5, 65.1), (10, 50.1), (50, 15.2), (100, 0.2)])
def test_solving_everything_at_one_attempt(attempt: int, percent: float) -> None:
    assert 100 * auccess(success_curve([attempt] * 7)) == pytest.approx(percent, abs=0.05)


def test_scores_of_tasks_average() -> None:
    mixed = [1, 8, None, 64]
    each = [auccess(success_curve([one])) for one in mixed]
    assert auccess(success_curve(mixed)) == pytest.approx(np.mean(each))


def test_mistakes_are_explained() -> None:
    with pytest.raises(ValueError, match="at least one task"):
        success_curve([])
    with pytest.raises(ValueError, match=r"counted from 1 \(got 0\)"):
        success_curve([0, 4])
    with pytest.raises(ValueError, match=r"attempts from 1 to 5 \(got 6\)"):
        success_at(np.ones(5), 6)
    with pytest.raises(ValueError, match=r"curve \[K\]"):
        auccess([])
