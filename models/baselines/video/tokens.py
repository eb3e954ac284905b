"""What models that attend share: all cells of all frames as one row of tokens, and a reader of the question.

Shapes: B sentences, L tokens of the longest, N cells of all frames of all videos, D features of a cell.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from models.baselines.video.training import Interface, Standardize
from models.questions.tokens import PAD_ID
from models.train.precision import full_precision


class VideoTokens(nn.Module):
    """Standardised features [B, N, D], the target's first, and learned positions [N, width]: which video, which frame of it
    and, unless cells are objects, which cell."""

    def __init__(self, interface: Interface, width: int) -> None:
        super().__init__()
        shape, shown = interface.shape, interface.shown
        self._cells, self._references = shape.cells, shape.references
        self.standardize = Standardize(interface.mean, interface.std)
        self.video = _embedding(interface.videos, width)
        self.time = _embedding(shape.target, width) if shown.target else None
        self.reference_time = _embedding(shape.reference, width) if shown.references else None
        self.cell = _embedding(shape.cells, width) if not interface.of_objects else None

    def forward(self, target: Tensor | None, references: Tensor | None) -> Tensor:
        """[B, T, C, D] and [B, R, T', C, D], as far as they are shown, to [B, N, D]."""
        parts = [one.flatten(1, -2) for one in (target, references) if one is not None]
        standard: Tensor = self.standardize(torch.cat(parts, dim=1))
        return standard

    def positions(self) -> Tensor:
        """[N, width], in the order of the tokens."""
        videos = list(self.video)
        parts = []
        if self.time is not None:
            parts.append(videos.pop(0) + self._cell_positions(self.time))
        if self.reference_time is not None:
            cells = self._cell_positions(self.reference_time)
            parts += [video + cells for video in videos]
        return torch.cat(parts)

    def _cell_positions(self, time: Tensor) -> Tensor:
        """[T * C, width]."""
        cells = time[:, None] + self.cell if self.cell is not None else time[:, None].expand(-1, self._cells, -1)
        return cells.flatten(0, 1)


def _embedding(count: int, width: int) -> nn.Parameter:
    return nn.Parameter(0.02 * torch.randn(count, width))


class QuestionReader(nn.Module):
    """A bidirectional LSTM: contextual words [B, L, width] and the question [B, width], its last states both ways."""

    def __init__(self, words: int, embedding: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, embedding, padding_idx=PAD_ID)
        self.lstm = nn.LSTM(embedding, width // 2, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        embedded = self.dropout(self.embedding(tokens))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        with full_precision(tokens.device):
            states, (last, _) = self.lstm(packed)
        words, _ = pad_packed_sequence(states, batch_first=True)
        return words, self.dropout(last.transpose(0, 1).flatten(1))


def padding(lengths: Tensor, device: torch.device) -> Tensor:
    """[B, L]: which tokens are none of the sentence."""
    return torch.arange(int(lengths.max()), device=device) >= lengths.to(device)[:, None]
