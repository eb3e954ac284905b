"""Rows of token numbers as one padded batch.

Shapes: N rows, T tokens of the longest.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from models.questions.tokens import PAD_ID


def pad(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Tokens (N, T) and lengths (N). A sentence without words is read as one padding token."""
    lengths = torch.tensor([max(len(sentence), 1) for sentence in sentences])
    tokens = torch.full((len(sentences), int(lengths.max())), PAD_ID)
    for row, sentence in enumerate(sentences):
        tokens[row, : len(sentence)] = torch.tensor(sentence, dtype=torch.long)
    return tokens, lengths
