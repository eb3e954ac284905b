"""Soft logic: set membership, existence, counting and choice when membership is a probability (product logic).

Exact where memberships are independent, and on zeros and ones. EPS keeps probabilities away from 0 and 1, so that a
confident mistake still has a gradient.
"""

from functools import cache
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

EPS: Final = 1e-6


def log_absent(chances: Tensor) -> Tensor:
    """The log-probability that something is not so."""
    return torch.log1p((EPS - 1) * chances)


def any_of(chances: Tensor) -> Tensor:
    """[..., K] to [...]: the probability that at least one is so."""
    return -torch.expm1(log_absent(chances).sum(dim=-1))


def any_linked(chances: Tensor, links: Tensor) -> Tensor:
    """[B, K], links [K, L] of zeros and ones, to [B, L]: the probability that any of those linked to each is so."""
    return -torch.expm1(log_absent(chances) @ links)


def log_odds(chances: Tensor) -> Tensor:
    return torch.logit(EPS + (1 - 2 * EPS) * chances)


def only(logits: Tensor) -> Tensor:
    """Which element it is, given that there is exactly one, from log-odds of membership.

    P(i alone) is m_i times the product of all other 1 - m_j, so in proportion to the odds of i. If none fits all are
    equally likely, and so are several that fit.
    """
    return logits.softmax(dim=-1)


def normalised(weights: Tensor, otherwise: Tensor | float = 1.0) -> Tensor:
    """Weights as a distribution; where they vanish, that of `otherwise`, or an even one."""
    smoothed = weights.clamp(min=0) + EPS * otherwise
    return smoothed / smoothed.sum(dim=-1, keepdim=True).clamp(min=EPS * EPS)


def counted(chances: Tensor, most: int) -> Tensor:
    """[B, K] to [B, most + 1]: how many are so; the last place stands for `most` and more.

    Each element is a polynomial (1 - m) + m x; they are multiplied in pairs, pairs of pairs and so on.
    """
    size = 1 << max(chances.shape[1] - 1, 0).bit_length()
    chances = functional.pad(chances, (0, size - chances.shape[1]))
    numbers = torch.stack([1 - chances, chances], dim=-1)
    while numbers.shape[1] > 1:
        products = numbers[:, ::2, :, None] * numbers[:, 1::2, None, :]
        numbers = products.flatten(-2) @ _sums(numbers.shape[-1], most, chances.dtype, chances.device)
    return functional.pad(numbers[:, 0], (0, most + 1 - numbers.shape[-1]))


@cache
def _sums(size: int, most: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """[size * size, places]: which sum each pair of numbers below `size` has."""
    numbers = torch.arange(size, device=device)
    sums = (numbers[:, None] + numbers).clamp(max=most).flatten()
    return functional.one_hot(sums, min(2 * (size - 1), most) + 1).to(dtype)
