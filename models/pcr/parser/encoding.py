"""Sentences as padded batches of piece ids.

Shapes: B sentences, T words of the longest, K pieces of the word with the most.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from models.pcr.parser.words.reading import PAD_ID, SubwordVocabulary


def encode_words(sentences: Sequence[Sequence[str]], vocabulary: SubwordVocabulary) -> Tensor:
    """Ids (B, T, K). The first piece of every word is not PAD_ID; a row's padding is PAD_ID throughout."""
    rows = [[vocabulary.encode(word) for word in sentence] for sentence in sentences]
    longest = max(map(len, rows), default=1)
    most = max((len(word) for row in rows for word in row), default=1)
    ids = np.full((len(rows), longest, most), PAD_ID)
    for number, row in enumerate(rows):
        for place, word in enumerate(row):
            ids[number, place, : len(word)] = word
    return torch.from_numpy(ids)


def is_word(words: Tensor) -> Tensor:
    """(B, T): which places of a batch (B, T, K) hold a word."""
    return words[:, :, 0] != PAD_ID
