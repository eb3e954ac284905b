"""CNN-LSTM: frame features averaged over time beside the last state of an LSTM that reads the question (Antol et al., VQA).

With `references`, CNN-LSTM (Ref): the averages of the reference videos stand beside the target's. The average does not know
the order of frames.

Shapes: B sentences, L tokens of the longest, T frames of the target, R references with T' frames each, C cells of a frame,
D features of a cell, A answers that training showed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from models.baselines.answering import Logits
from models.baselines.training import EarlyStoppingMetric
from models.baselines.video.settings import RENAMED_KEYS, Cue, FrameSettings
from models.baselines.video.training import Interface, Standardize, check_video, run_video
from models.questions.tokens import PAD_ID
from models.train.precision import full_precision
from models.train.run import Run, TrainingOutcome


@dataclass(frozen=True)
class CNNLSTMSize:
    embedding: int = 64
    hidden: int = 128  # of the LSTM, and as large the video beside its last state
    joint: int = 256  # of the layer that reads video and question together
    dropout: float = 0.3  # of word embeddings, video features and the joint layer

    def __post_init__(self) -> None:
        if min(self.embedding, self.hidden, self.joint) < 1 or not 0 <= self.dropout < 1:
            raise ValueError(
                "expected embedding, hidden and joint of at least 1, and dropout from 0 to below 1 "
                f"(got {self.embedding}, {self.hidden}, {self.joint} and {self.dropout})"
            )


class CNNLSTM(nn.Module):
    """Two fully-connected layers on [video, question]; the second has a head for answers and one for choices. A layer before
    them makes the video as large as the question, which would go under in thousands of features otherwise."""

    def __init__(self, size: CNNLSTMSize, interface: Interface) -> None:
        super().__init__()
        shape = interface.shape
        self.standardize = Standardize(interface.mean, interface.std)
        self.embedding = nn.Embedding(len(interface.words), size.embedding, padding_idx=PAD_ID)
        self.lstm = nn.LSTM(size.embedding, size.hidden, batch_first=True)
        self.dropout = nn.Dropout(size.dropout)
        self.video = nn.Linear(interface.videos * shape.cells * shape.features, size.hidden)
        self.joint = nn.Linear(2 * size.hidden, size.joint)
        self.answer_head = nn.Linear(size.joint, interface.answers)
        self.choice_head = nn.Linear(size.joint, 1)

    def forward(self, tokens: Tensor, lengths: Tensor, target: Tensor | None, references: Tensor | None) -> Logits:
        """Tokens [B, L], lengths [B], target [B, T, C, D] and references [B, R, T', C, D], as far as they are shown."""
        videos = []
        if target is not None:
            videos.append(self.standardize(target).mean(dim=1).flatten(1))
        if references is not None:
            videos.append(self.standardize(references).mean(dim=2).flatten(1))
        seen = torch.tanh(self.video(self.dropout(torch.cat(videos, dim=1))))
        both = torch.cat([seen, self._question(tokens, lengths)], dim=1)
        state = self.dropout(torch.relu(self.joint(both)))
        return Logits(self.answer_head(state), self.choice_head(state).squeeze(-1))

    def _question(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """[B, hidden]: packed, so that the last state is that of each sentence's own last word."""
        embedded = self.dropout(self.embedding(tokens))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        with full_precision(tokens.device):
            _, (last, _) = self.lstm(packed)
        state: Tensor = last[-1]
        return state


@dataclass(frozen=True)
class CNNLSTMConfig:
    RENAMED: ClassVar[Mapping[str, str]] = RENAMED_KEYS

    task: str = "cnn_lstm"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    target: bool = True  # whether the target video is shown
    references: bool = False  # whether the reference videos are shown: CNN-LSTM (Ref)
    cue: str = Cue.ALL  # or single_frame: the one in the middle of each video
    cache: str | None = None  # folder of frame features, for several runs; if not given, it lies in the run's folder
    epochs: int = 60  # at most
    patience: int = 8  # epochs without a better validation before the training stops
    early_stopping_metric: str = EarlyStoppingMetric.ACCURACY  # or loss: what the best epoch is best in
    batch_size: int = 128
    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    max_gradient_norm: float = 1.0
    warmup_steps: int = 0  # over which the learning rate rises
    bf16: bool = False  # mixed precision, on GPUs only
    frames: FrameSettings = field(default_factory=FrameSettings)
    model: CNNLSTMSize = field(default_factory=CNNLSTMSize)

    def __post_init__(self) -> None:
        check_video(self)


def run_cnn_lstm(config: CNNLSTMConfig, run: Run) -> TrainingOutcome:
    name = "CNN-LSTM (Ref)" if config.references else "CNN-LSTM"
    return run_video(config, run, lambda interface: CNNLSTM(config.model, interface), name)
