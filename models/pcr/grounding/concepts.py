"""Concepts as vectors: how far something has a concept is the cosine of its embedding with the concept's (5.1.2)."""

from typing import Final

import torch
from torch import Tensor, nn

DELTA: Final = 0.15  # cosines above it are evidence for a concept, those below against it


class ConceptSpace(nn.Module):
    """Scores [cos(c, m(f)) - delta] / lambda of features against each of some concepts."""

    def __init__(self, inputs: int, concepts: int, size: int = 64, hidden: int = 0, scale: float = 0.1) -> None:
        """With `hidden`, m has one hidden layer; by itself it is one layer, as in the paper. `scale` is lambda."""
        super().__init__()
        self._scale = scale
        self.concepts = nn.Parameter(torch.randn(concepts, size) / size**0.5)
        first = [nn.Linear(inputs, hidden), nn.SiLU()] if hidden else []
        self.space = nn.Sequential(*first, nn.Linear(hidden or inputs, size))

    def forward(self, features: Tensor) -> Tensor:
        """[..., inputs] to [..., concepts]."""
        placed = nn.functional.normalize(self.space(features), dim=-1, eps=1e-6)
        cosines = placed @ nn.functional.normalize(self.concepts, dim=-1).T
        return (cosines - DELTA) / self._scale
