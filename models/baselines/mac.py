"""MAC: a recurrent cell that attends to the words of the question and to the videos, step by step (Hudson and Manning,
"Compositional Attention Networks for Machine Reasoning", 2018).

Every step has a control and a memory, both vectors of the same width. With the contextual words w_1 … w_L, the question
q and the cells k_1 … k_N of all frames (its knowledge base), step i does this:

    control   c_i: W [c_(i-1), W_i q] says what the step is about. Every word is weighed by its product with that, and the
              control is the weighted sum of words.
    read      r_i: every cell meets the memory, W m_(i-1) * W k, and is then seen together with itself, ELU(W [that, k]).
              It is weighed by its product with the control, and what is read is the weighted sum of cells.
    write     m_i = W [r_i, m_(i-1)].

The answer comes from [q, m_p] after the last step p. The paper's cell looks at one picture; here the cells of all frames
are one knowledge base, with learned positions for the video, the frame and the cell. With `references`, MAC (Ref): the
cells of the reference videos stand beside the target's. The paper's optional self-attention and memory gate are left out.

Shapes: B sentences, L tokens of the longest, N cells of all frames of all videos, D features of a cell, d the width.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import elu

from models.baselines.answering import Logits
from models.baselines.training import EarlyStoppingMetric
from models.baselines.video.settings import RENAMED_KEYS, Cue, FrameSettings, grid_of_a_perceiver
from models.baselines.video.tokens import QuestionReader, VideoTokens, padding
from models.baselines.video.training import Interface, check_video, run_video
from models.train.run import Run, TrainingOutcome


@dataclass(frozen=True)
class MACSize:
    steps: int = 12  # of reasoning
    embedding: int = 300  # of words
    width: int = 512  # of control, memory and knowledge
    dropout: float = 0.15  # of word embeddings, the question, what is read and the classifier

    def __post_init__(self) -> None:
        if min(self.steps, self.embedding) < 1 or self.width < 2 or self.width % 2 or not 0 <= self.dropout < 1:
            raise ValueError(
                "expected steps and embedding of at least 1, an even width, and dropout from 0 to below 1 "
                f"(got {self.steps}, {self.embedding}, {self.width} and {self.dropout})"
            )


class ControlUnit(nn.Module):
    """What a step is about. Only the view of the question is a step's own; all else is shared by the steps."""

    def __init__(self, width: int, steps: int) -> None:
        super().__init__()
        self.views = nn.ModuleList(nn.Linear(width, width) for _ in range(steps))
        self.combine = nn.Linear(2 * width, width)
        self.attention = nn.Linear(width, 1)

    def forward(self, step: int, control: Tensor, question: Tensor, words: Tensor, no_words: Tensor) -> Tensor:
        """Control [B, d], question [B, d], words [B, L, d], those that are padding [B, L]; to the next control [B, d]."""
        about = self.combine(torch.cat([control, self.views[step](question)], dim=-1))
        scores = self.attention(about[:, None] * words).squeeze(-1).masked_fill(no_words, -torch.inf)
        return _weighted(scores, words)


class ReadUnit(nn.Module):
    """What the knowledge base tells about the control, given the memory."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.memory, self.knowledge = nn.Linear(width, width), nn.Linear(width, width)
        self.interaction, self.itself = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.attention = nn.Linear(width, 1)
        self.dropout = nn.Dropout(dropout)

    def prepared(self, knowledge: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of knowledge [B, N, d], what is the same in all steps."""
        return knowledge, self.knowledge(knowledge), self.itself(knowledge)

    def forward(self, control: Tensor, memory: Tensor, prepared: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """There are many cells, so vectors meet weights before they meet cells: of tensors as large as the knowledge, a
        step makes one and keeps one for its gradient. Dropout leaves out the same features of all cells."""
        knowledge, met, itself = prepared
        meeting = self.interaction.weight.to(met.dtype) * self.memory(self.dropout(memory))[:, None]  # [B, d, d]
        together = elu(torch.baddbmm(itself, met, meeting.transpose(1, 2)))
        asked = self.attention.weight * self.dropout(control)  # [B, d]
        scores = torch.einsum("bnd,bd->bn", together, asked.to(together.dtype)) + self.attention.bias
        return self.dropout(_weighted(scores, knowledge))


def _weighted(scores: Tensor, values: Tensor) -> Tensor:
    """Scores [B, K] and values [B, K, d] to [B, d]."""
    weights = torch.softmax(scores.float(), dim=-1).to(values.dtype)
    return torch.einsum("bk,bkd->bd", weights, values)


class MAC(nn.Module):
    def __init__(self, size: MACSize, interface: Interface) -> None:
        super().__init__()
        width, self._steps = size.width, size.steps
        self.reader = QuestionReader(len(interface.words), size.embedding, width, size.dropout)
        self.tokens = VideoTokens(interface, width)
        self.describe = nn.Sequential(nn.Linear(interface.shape.features, width), nn.ELU(), nn.Linear(width, width))
        self.control, self.read = ControlUnit(width, size.steps), ReadUnit(width, size.dropout)
        self.write = nn.Linear(2 * width, width)
        self.first_control, self.first_memory = (nn.Parameter(0.1 * torch.randn(width)) for _ in range(2))
        self.classify = nn.Sequential(nn.Linear(2 * width, width), nn.ELU(), nn.Dropout(size.dropout))
        self.answer_head = nn.Linear(width, interface.answers)
        self.choice_head = nn.Linear(width, 1)

    def forward(self, tokens: Tensor, lengths: Tensor, target: Tensor | None, references: Tensor | None) -> Logits:
        """Tokens [B, L], lengths [B], target [B, T, C, D] and references [B, R, T', C, D], as far as they are shown."""
        words, question = self.reader(tokens, lengths)
        no_words = padding(lengths, tokens.device)
        described = self.describe(self.tokens(target, references))
        knowledge = self.read.prepared(elu(described + self.tokens.positions().to(described.dtype)))
        control, memory = (first.expand(len(tokens), -1) for first in (self.first_control, self.first_memory))
        for step in range(self._steps):
            control = self.control(step, control, question, words, no_words)
            read = self.read(control, memory, knowledge)
            memory = self.write(torch.cat([read, memory], dim=-1))
        state = self.classify(torch.cat([question, memory], dim=-1))
        return Logits(self.answer_head(state), self.choice_head(state).squeeze(-1))


@dataclass(frozen=True)
class MACConfig:
    RENAMED: ClassVar[Mapping[str, str]] = RENAMED_KEYS

    task: str = "mac"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    target: bool = True  # whether the target video is shown
    references: bool = False  # whether the reference videos are shown: MAC (Ref)
    cue: str = Cue.ALL  # or single_frame, shuffled_frames
    cache: str | None = None  # folder of frame features, for several runs; if not given, it lies in the run's folder
    epochs: int = 40  # at most
    patience: int = 8  # epochs without a better validation before the training stops
    early_stopping_metric: str = EarlyStoppingMetric.ACCURACY  # or loss: what the best epoch is best in
    batch_size: int = 64
    learning_rate: float = 3e-4
    weight_decay: float = 0.0
    max_gradient_norm: float = 8.0
    warmup_steps: int = 500  # over which the learning rate rises
    bf16: bool = True  # mixed precision, on GPUs only
    frames: FrameSettings = field(default_factory=grid_of_a_perceiver)
    model: MACSize = field(default_factory=MACSize)

    def __post_init__(self) -> None:
        check_video(self)


def run_mac(config: MACConfig, run: Run) -> TrainingOutcome:
    name = "MAC (Ref)" if config.references else "MAC"
    return run_video(config, run, lambda interface: MAC(config.model, interface), name)
