"""The Blind-LSTM baseline: an LSTM reads the words alone and classifies the answer, or whether a choice is correct.

Shapes: B sentences, T tokens of the longest, A answers that training showed.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from comphy.config import build, to_plain
from comphy.files import read_json, write_json
from models.baselines.answering import Logits, TrainedBaseline
from models.questions.tokens import PAD_ID, Vocabulary
from models.train.checkpoint import load_described, save_tensors

DESCRIPTION: Final = "model.json"
WEIGHTS: Final = "model.safetensors"
_WORDS_OF: Final = "words_of"  # in the header of the weights: the fingerprint of the description they belong to


@dataclass(frozen=True)
class LSTMSize:
    embedding: int = 64
    hidden: int = 64
    dropout: float = 0.2  # of the word embeddings and of the heads' input

    def __post_init__(self) -> None:
        if min(self.embedding, self.hidden) < 1:
            raise ValueError(f"expected embedding and hidden of at least 1 (got {self.embedding} and {self.hidden})")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"expected dropout from 0 to below 1 (got {self.dropout})")


class BlindLSTM(nn.Module):
    """One encoder with two heads: which answer, and whether the choice that follows the question is correct."""

    def __init__(self, size: LSTMSize, words: int, answers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, size.embedding, padding_idx=PAD_ID)
        self.lstm = nn.LSTM(size.embedding, size.hidden, batch_first=True)
        self.dropout = nn.Dropout(size.dropout)
        self.answer_head = nn.Linear(size.hidden, answers)
        self.choice_head = nn.Linear(size.hidden, 1)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Logits:
        """Tokens (B, T), lengths (B). Packed, so that the last state is that of each sentence's own last word."""
        embedded = self.dropout(self.embedding(tokens))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        state = self.dropout(last[-1])
        return Logits(self.answer_head(state), self.choice_head(state).squeeze(-1))


@dataclass(frozen=True)
class Description:
    """What a model consists of beside its weights: its size, its vocabulary, the answers it can give."""

    size: LSTMSize
    words: list[str]
    answers: list[str]

    def __post_init__(self) -> None:
        self.vocabulary()
        if not self.answers or not all(isinstance(answer, str) for answer in self.answers):
            raise ValueError(f"expected a list of answers (got {self.answers})")

    def vocabulary(self) -> Vocabulary:
        return Vocabulary(tuple(self.words))

    def module(self) -> BlindLSTM:
        return BlindLSTM(self.size, len(self.words), len(self.answers))

    def fingerprint(self) -> str:
        """Of words and answers in their order, which the rows of the weights follow."""
        return hashlib.sha256(json.dumps([self.words, self.answers]).encode()).hexdigest()


def save_description(folder: Path, description: Description) -> None:
    write_json(folder / DESCRIPTION, to_plain(description), indent=1)


def save_weights(folder: Path, description: Description, module: BlindLSTM) -> None:
    save_tensors(folder / WEIGHTS, module.state_dict(), {_WORDS_OF: description.fingerprint()})


def load_blind(folder: Path) -> TrainedBaseline:
    """The best model of a run."""
    path = folder / DESCRIPTION
    description = build(Description, read_json(path, "train the model again with comphy train"), str(path))
    module = description.module()
    load_described(module, folder / WEIGHTS, {_WORDS_OF: description.fingerprint()}, DESCRIPTION)
    return TrainedBaseline(description.vocabulary(), description.answers, module)
