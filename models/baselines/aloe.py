"""ALOE: one transformer over the words of the question and the objects of all frames, which also learns to fill in objects
that are hidden from it (Ding et al., "Attention over learned object embeddings enables complex visual reasoning", 2021).

Every object of every frame is one token, every word is one, and a further token, of no word, gathers the answer:

    tokens      [answer] + [words + their place in the sentence] + [W object + which video + which frame]
    answer      a small network on what the transformer makes of the answer's token.
    hiding      in training a random part of the object tokens is replaced by one learned vector. From what the transformer
                makes of it, a layer tells the object that was there; the squared error is added to the loss. To fill in an
                object in a frame, the model has to know how it moves.

With `references`, ALOE (Ref): the objects of the reference videos are tokens, too. Objects have no order within a frame.
They are MONet's slots (`frames.network: monet`), as in the paper, or a perceiver's tracks (`tracks`), which keep their
appearance over time. What differs from the paper: of tracks, the error counts appearance and place alike; positions are
not relative; the optimizer is AdamW with a warm-up instead of LAMB.

Shapes: B sentences, L tokens of the longest, N objects of all frames of all videos, D features of an object, d the width.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn

from models.baselines.answering import Logits
from models.baselines.training import EarlyStoppingMetric
from models.baselines.video.settings import RENAMED_KEYS, Cue, FrameSettings, NetworkName
from models.baselines.video.tokens import VideoTokens, padding
from models.baselines.video.training import Interface, check_video, run_video
from models.questions.tokens import PAD_ID
from models.train.run import Run, TrainingOutcome


@dataclass(frozen=True)
class ALOESize:
    layers: int = 28
    heads: int = 10
    width: int = 160  # 16 a head
    feed_forward: int = 640
    classifier: int = 128  # hidden units of the network that answers
    dropout: float = 0.1  # in the transformer
    hidden_objects: float = 0.15  # share of objects that training hides
    hidden_weight: float = 1.0  # of the error with which they are filled in

    def __post_init__(self) -> None:
        if min(self.layers, self.heads, self.feed_forward, self.classifier) < 1 or self.width % (2 * self.heads):
            raise ValueError(
                "expected layers, heads, feed_forward and classifier of at least 1, and a width that twice the heads divide "
                f"(got {self.layers}, {self.heads}, {self.feed_forward}, {self.classifier} and {self.width})"
            )
        if not (0 <= self.dropout < 1 and 0 <= self.hidden_objects < 1) or self.hidden_weight < 0:
            raise ValueError(
                "expected dropout and hidden_objects from 0 to below 1, and hidden_weight not below 0 "
                f"(got {self.dropout}, {self.hidden_objects} and {self.hidden_weight})"
            )


class ALOE(nn.Module):
    def __init__(self, size: ALOESize, interface: Interface) -> None:
        super().__init__()
        width, self._size, self._place = size.width, size, interface.place
        self.words = nn.Embedding(len(interface.words), width, padding_idx=PAD_ID)
        self.tokens = VideoTokens(interface, width)
        self.describe = nn.Linear(interface.shape.features, width)
        self.answer_token, self.word, self.hidden = (nn.Parameter(0.02 * torch.randn(width)) for _ in range(3))
        layer = nn.TransformerEncoderLayer(
            width, size.heads, size.feed_forward, size.dropout, batch_first=True, norm_first=True
        )
        self.transformer = nn.TransformerEncoder(layer, size.layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.fill_in = nn.Linear(width, interface.shape.features)
        self.answer_head, self.choice_head = (
            nn.Sequential(nn.Linear(width, size.classifier), nn.ReLU(), nn.Linear(size.classifier, outputs))
            for outputs in (interface.answers, 1)
        )

    def forward(self, tokens: Tensor, lengths: Tensor, target: Tensor | None, references: Tensor | None) -> Logits:
        """Tokens [B, L], lengths [B], target [B, T, C, D] and references [B, R, T', C, D], as far as they are shown."""
        objects = self.tokens(target, references)  # [B, N, D]
        share = self._size.hidden_objects if self.training else 0.0
        hidden = torch.rand(objects.shape[:2]).to(objects.device) < share
        seen = torch.where(hidden[..., None], self.hidden, self.describe(objects)) + self.tokens.positions()
        words = self.words(tokens) + self.word + _sines(tokens.shape[1], self._size.width, tokens.device)
        first = self.answer_token.expand(len(tokens), 1, -1)
        no_word = padding(lengths, tokens.device)
        nothing = torch.cat([no_word.new_zeros(len(tokens), 1), no_word, torch.zeros_like(hidden)], dim=1)
        out = self.transformer(torch.cat([first, words, seen], dim=1), src_key_padding_mask=nothing)
        answer, filled = out[:, 0], out[:, 1 + tokens.shape[1] :]
        return Logits(
            self.answer_head(answer),
            self.choice_head(answer).squeeze(-1),
            self._size.hidden_weight * self._error(filled, objects, hidden) if self.training else None,
        )

    def _error(self, filled: Tensor, objects: Tensor, hidden: Tensor) -> Tensor:
        """[B]: how far off hidden objects are, on average; appearance and place count alike, however many features tell
        them."""
        wrong = (self.fill_in(filled).float() - objects).square()
        looks, place = wrong[..., : wrong.shape[-1] - self._place], wrong[..., wrong.shape[-1] - self._place :]
        each = (looks.mean(-1) + place.mean(-1)) / 2 if self._place else looks.mean(-1)
        return (each * hidden).sum(1) / hidden.sum(1).clamp(min=1)


def _sines(length: int, width: int, device: torch.device) -> Tensor:
    """[length, width]: places in a sentence, which may be longer than those of training (Vaswani et al., 2017)."""
    place = torch.arange(length, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, device=device) * (-math.log(1e4) / width))
    return torch.cat([torch.sin(place * rate), torch.cos(place * rate)], dim=1)


@dataclass(frozen=True)
class ALOEConfig:
    RENAMED: ClassVar[Mapping[str, str]] = RENAMED_KEYS

    task: str = "aloe"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    target: bool = True  # whether the target video is shown
    references: bool = False  # whether the reference videos are shown: ALOE (Ref)
    cue: str = Cue.ALL  # or single_frame, shuffled_frames
    cache: str | None = None  # folder of perceived sets, from `comphy perceive`; of MONet's slots, in the run's folder
    epochs: int = 80  # at most
    patience: int = 12  # epochs without a better validation before the training stops
    early_stopping_metric: str = EarlyStoppingMetric.ACCURACY  # or loss: what the best epoch is best in
    batch_size: int = 128
    learning_rate: float = 3e-4
    weight_decay: float = 1e-2
    max_gradient_norm: float = 1.0
    warmup_steps: int = 1000  # over which the learning rate rises
    bf16: bool = True  # mixed precision, on GPUs only
    frames: FrameSettings = field(default_factory=lambda: FrameSettings(network=NetworkName.TRACKS))
    model: ALOESize = field(default_factory=ALOESize)

    def __post_init__(self) -> None:
        check_video(self)


def run_aloe(config: ALOEConfig, run: Run) -> TrainingOutcome:
    name = "ALOE (Ref)" if config.references else "ALOE"
    return run_video(config, run, lambda interface: ALOE(config.model, interface), name)
