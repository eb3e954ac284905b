"""Encodes sentences and programs as padded batches of token ids.

Shapes: B sentences, T words of the longest, K pieces of a word, S program tokens of the longest, with START or END.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, START_ID
from models.pcr.parser.encoding import encode_words
from models.pcr.parser.words.reading import SubwordVocabulary

NO_TOKEN: Final = -100  # target after a program's end; ignored by the loss
TOKEN_IDS: Final = {token: number for number, token in enumerate(PROGRAM_TOKENS)}


@dataclass(frozen=True)
class ParserBatch:
    """`words` (B, T, K); decoder `inputs` (B, S), START and the program; `targets` (B, S), the program and END."""

    words: Tensor
    inputs: Tensor
    targets: Tensor

    def to(self, device: torch.device) -> "ParserBatch":
        return ParserBatch(self.words.to(device), self.inputs.to(device), self.targets.to(device))


def encode(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], vocabulary: SubwordVocabulary) -> ParserBatch:
    """Encode pairs of words and program tokens as a batch."""
    programs = [[TOKEN_IDS[token] for token in program] for _, program in pairs]
    length = 1 + max(map(len, programs))
    inputs = torch.full((len(pairs), length), START_ID)
    targets = torch.full((len(pairs), length), NO_TOKEN)
    for row, program in enumerate(programs):
        tokens = torch.tensor(program, dtype=torch.long)
        inputs[row, 1 : 1 + len(program)] = tokens
        targets[row, : len(program)] = tokens
        targets[row, len(program)] = END_ID
    return ParserBatch(encode_words([words for words, _ in pairs], vocabulary), inputs, targets)
