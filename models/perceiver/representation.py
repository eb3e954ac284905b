"""Perceived objects as tensors: which of them are there, and their pairs."""

from itertools import combinations

import torch
from torch import Tensor


def present(boxes: Tensor) -> Tensor:
    """[..., T, N, 4] to [..., T, N]: whether the object is there. A box at the picture's edge or outside still is."""
    return (boxes != 0).any(dim=-1)


def all_pairs(objects: int) -> Tensor:
    """[P, 2]: i < j, in lexical order."""
    return torch.tensor(list(combinations(range(objects), 2)), dtype=torch.long).reshape(-1, 2)
