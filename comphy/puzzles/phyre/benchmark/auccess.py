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
    """ln(k + 1) - ln(k) [K]: the width of attempt k on a logarithmic axis."""
    return np.diff(np.log(np.arange(1, attempts + 2)))


def success_curve(solved_at: Sequence[int | None], attempts: int = MAX_TEST_ATTEMPTS) -> Floats:
    """The curve [K] from the attempt that solved each task, counted from 1 (None: unsolved).

    Raises `ValueError` for no tasks or an attempt below 1.
    """
    if not solved_at:
        raise ValueError("Expected at least one task for a success curve (got none).")
    numbers = [k for k in solved_at if k is not None]
    if any(k < 1 for k in numbers):
        raise ValueError(f"Expected attempts counted from 1 (got {min(numbers)}).")
    first = np.bincount([k for k in numbers if k <= attempts], minlength=attempts + 1)[1:]
    return np.asarray(np.cumsum(first) / len(solved_at))


def success_at(curve: ArrayLike, attempts: int) -> float:
    """The percentage of tasks solved within `attempts`, which must be from 1 to K."""
    known = np.asarray(curve, dtype=np.float64)
    if not 1 <= attempts <= len(known):
        raise ValueError(f"Expected a number of attempts from 1 to {len(known)} (got {attempts}).")
    return float(100 * known[attempts - 1])


def auccess(curve: ArrayLike) -> float:
    """sum w_k s_k / sum w_k over the curve s [K]: 1 if all are solved at attempt 1, about one half at attempt 10 of 100."""
    shares = np.asarray(curve, dtype=np.float64)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(f"Expected a curve [K] with at least one attempt (got shape {shares.shape}).")
    return float(np.average(shares, weights=attempt_weights(len(shares))))
