"""Soft logic (product t-norm): existence, counting and selection over sets with probabilistic membership.

Exact for independent memberships and for zeros and ones. EPS keeps probabilities away from 0 and 1, so that a confident
mistake still has a gradient.
"""

from functools import cache
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

EPS: Final = 1e-6


def log_absent(chances: Tensor) -> Tensor:
    """log(1 - p), kept finite."""
    return torch.log1p((EPS - 1) * chances)


def any_of(chances: Tensor) -> Tensor:
    """[..., K] to [...]: the probability that at least one holds (noisy-or)."""
    return -torch.expm1(log_absent(chances).sum(dim=-1))


def any_linked(chances: Tensor, links: Tensor) -> Tensor:
    """[B, K] and a binary incidence matrix [K, L] to [B, L]: noisy-or over the elements linked to each column."""
    return -torch.expm1(log_absent(chances) @ links)


def log_odds(chances: Tensor) -> Tensor:
    return torch.logit(EPS + (1 - 2 * EPS) * chances)


def only(logits: Tensor) -> Tensor:
    """Log-odds of membership to a distribution over elements, conditioned on exactly one being a member.

    P(only i) = m_i prod_{j != i} (1 - m_j) is proportional to the odds of i, hence a softmax of log-odds. If no element
    fits, or several fit equally well, it is uniform over them.
    """
    return logits.softmax(dim=-1)


def normalised(weights: Tensor, otherwise: Tensor | float = 1.0) -> Tensor:
    """Non-negative weights as a distribution, with `otherwise` (uniform by default) as the fallback where all vanish."""
    smoothed = weights.clamp(min=0) + EPS * otherwise
    return smoothed / smoothed.sum(dim=-1, keepdim=True).clamp(min=EPS * EPS)


def counted(chances: Tensor, most: int) -> Tensor:
    """[B, K] to [B, most + 1]: the distribution of the number of members (Poisson binomial); the last bin is `most` or more.

    The generating function is the product of (1 - m) + m x over the elements, multiplied pairwise in a binary tree.
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
    """[size * size, bins]: one-hot sum of each pair of numbers below `size`, clamped to `most`."""
    numbers = torch.arange(size, device=device)
    sums = (numbers[:, None] + numbers).clamp(max=most).flatten()
    return functional.one_hot(sums, min(2 * (size - 1), most) + 1).to(dtype)
