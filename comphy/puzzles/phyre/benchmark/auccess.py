"""AUCCESS, the score of PHYRE: the area under the success curve, on a logarithmic axis of attempts.

The success curve is the share of tasks solved within k attempts. `Evaluator` computes both for an agent.

Shapes: K attempts at most; curves [K], the share solved within 1, 2, ... K attempts.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_TEST_ATTEMPTS: Final = 100

Floats = NDArray[np.float64]


def attempt_weights(attempts: int = MAX_TEST_ATTEMPTS) -> Floats:
    """Compute how much each attempt counts.

    Args:
        attempts: K, the greatest number of attempts.

    Returns:
        ln(k + 1) - ln(k) for k from 1 to K, [K]: the width of attempt k on a logarithmic axis."""
    return np.diff(np.log(np.arange(1, attempts + 2)))


def success_curve(solved_at: Sequence[int | None], attempts: int = MAX_TEST_ATTEMPTS) -> Floats:
    """Compute the share of tasks that are solved within 1, 2, ... attempts.

    Args:
        solved_at: the attempt that solved each task, counted from 1; None for an unsolved one.
        attempts: K, the greatest number of attempts.

    Returns:
        The curve [K].

    Raises:
        ValueError: for no tasks, or an attempt below 1."""
    if not solved_at:
        raise ValueError("Expected at least one task for a success curve (got none).")
    numbers = [k for k in solved_at if k is not None]
    if any(k < 1 for k in numbers):
        raise ValueError(f"Expected attempts counted from 1 (got {min(numbers)}).")
    first = np.bincount([k for k in numbers if k <= attempts], minlength=attempts + 1)[1:]
    return np.asarray(np.cumsum(first) / len(solved_at))


def success_at(curve: ArrayLike, attempts: int) -> float:
    """Read a success rate off a curve.

    Args:
        curve: shares of tasks solved, [K].
        attempts: from 1 to K.

    Returns:
        The percentage of tasks solved within so many attempts.

    Raises:
        ValueError: for another number of attempts."""
    known = np.asarray(curve, dtype=np.float64)
    if not 1 <= attempts <= len(known):
        raise ValueError(f"Expected a number of attempts from 1 to {len(known)} (got {attempts}).")
    return float(100 * known[attempts - 1])


def auccess(curve: ArrayLike) -> float:
    """Compute AUCCESS, sum w_k s_k / sum w_k over the curve s with `attempt_weights` w.

    Args:
        curve: shares of tasks solved, [K].

    Returns:
        1 if all are solved at attempt 1, about one half at attempt 10 of 100.

    Raises:
        ValueError: if there is no attempt, or the curve has another shape."""
    shares = np.asarray(curve, dtype=np.float64)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(f"Expected a curve [K] with at least one attempt (got shape {shares.shape}).")
    return float(np.average(shares, weights=attempt_weights(len(shares))))
