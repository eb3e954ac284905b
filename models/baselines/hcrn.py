"""HCRN: relations among frames of a clip, then among clips of the video, each under a condition (Le et al., "Hierarchical
Conditional Relation Networks for Video Question Answering", 2020).

Its one building block is the conditional relation network (CRN). Given n objects and a condition c, for each size k from
2 to n it draws a few subsets of k objects and makes one object of them:

    g = mean of the subset,   h = ELU(W_k [g, c]),   the k-th output = mean of h over the subsets that were drawn.

So n objects become n - 1, which stand for relations of 2, 3, … n of them. Four such networks are stacked: frames of a clip
given the clip's motion, the outcome given the question; then the clips, each as what its frames became, given the motion
of the whole video, and the outcome given the question. An attention that the question steers sums up what comes out.

What differs from the paper: motion is not seen by a 3-D network of its own but by a layer on the differences of frames that
follow each other; whole sets (k = n) are related, too, since clips are short.

Shapes: B sentences, L tokens of the longest, T frames, K clips, C cells of a frame, D features of a cell, d the width.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import elu

from models.baselines.answering import Logits
from models.baselines.training import EarlyStoppingMetric
from models.baselines.video.settings import RENAMED_KEYS, Cue, FrameSettings, frames_of_a_perceiver
from models.baselines.video.tokens import QuestionReader
from models.baselines.video.training import Interface, Standardize, check_video, run_video
from models.train.precision import full_precision
from models.train.run import Run, TrainingOutcome

FEWEST: Final = 3  # objects that two networks in a row can relate


@dataclass(frozen=True)
class HCRNSize:
    clips: int = 5
    subsets: int = 1  # that are drawn of each size
    embedding: int = 300  # of words
    width: int = 512
    dropout: float = 0.15  # of word embeddings, the question and the classifier

    def __post_init__(self) -> None:
        if self.clips < FEWEST or min(self.subsets, self.embedding) < 1 or self.width < 2 or self.width % 2:
            raise ValueError(
                f"expected at least {FEWEST} clips, subsets and embedding of at least 1, and an even width "
                f"(got {self.clips}, {self.subsets}, {self.embedding} and {self.width})"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"expected dropout from 0 to below 1 (got {self.dropout})")


class ConditionalRelations(nn.Module):
    """A CRN for `objects` objects. Subsets are drawn anew for each batch in training; otherwise they are the same always."""

    def __init__(self, objects: int, subsets: int, width: int) -> None:
        super().__init__()
        self._all = [list(combinations(range(objects), size)) for size in range(2, objects + 1)]
        self._subsets = subsets
        self.relate = nn.ModuleList(nn.Linear(2 * width, width) for _ in self._all)

    def forward(self, objects: Tensor, condition: Tensor) -> Tensor:
        """Objects [..., n, M, d], each of M vectors, and a condition [..., d] to [..., n - 1, M, d]."""
        return torch.stack(
            [
                self._related(layer, objects, condition, subsets)
                for layer, subsets in zip(self.relate, self._all, strict=True)
            ],
            dim=-3,
        )

    def _related(self, layer: nn.Module, objects: Tensor, condition: Tensor, subsets: list[tuple[int, ...]]) -> Tensor:
        """[..., M, d]: the relation of one size."""
        means = torch.stack([objects[..., list(one), :, :].mean(dim=-3) for one in self._drawn(subsets)], dim=-3)
        given = condition[..., None, None, :].expand_as(means)
        related: Tensor = elu(layer(torch.cat([means, given], dim=-1))).mean(dim=-3)
        return related

    def _drawn(self, subsets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        count = min(self._subsets, len(subsets))
        if self.training:
            return [subsets[i] for i in torch.randperm(len(subsets))[:count].tolist()]
        return subsets[:: len(subsets) // count][:count]


class HCRN(nn.Module):
    def __init__(self, size: HCRNSize, interface: Interface) -> None:
        super().__init__()
        width, shape = size.width, interface.shape
        self._clips, frames = size.clips, shape.target // size.clips
        self.standardize = Standardize(interface.mean, interface.std)
        self.reader = QuestionReader(len(interface.words), size.embedding, width, size.dropout)
        self.appearance = nn.Linear(shape.cells * shape.features, width)
        self.motion = nn.Linear(shape.cells * shape.features, width)
        self.video_motion = nn.LSTM(width, width, batch_first=True)
        self.frames_by_motion = ConditionalRelations(frames, size.subsets, width)
        self.frames_by_question = ConditionalRelations(frames - 1, size.subsets, width)
        self.clips_by_motion = ConditionalRelations(size.clips, size.subsets, width)
        self.clips_by_question = ConditionalRelations(size.clips - 1, size.subsets, width)
        self.attend = QuestionAttention(width)
        self.classify = nn.Sequential(nn.Linear(2 * width, width), nn.ELU(), nn.Dropout(size.dropout))
        self.answer_head = nn.Linear(width, interface.answers)
        self.choice_head = nn.Linear(width, 1)

    def forward(self, tokens: Tensor, lengths: Tensor, target: Tensor, references: None = None) -> Logits:
        """Tokens [B, L], lengths [B], target [B, T, C, D]."""
        _, question = self.reader(tokens, lengths)
        clips = self.standardize(target).flatten(2).unflatten(1, (self._clips, -1))  # [B, K, T / K, C * D]
        motion = elu(self.motion(clips.diff(dim=2))).mean(dim=2)  # [B, K, d]
        frames = self.appearance(clips).unsqueeze(3)  # [B, K, T / K, 1, d]
        per_clip = question[:, None].expand_as(motion)
        related = self.frames_by_question(self.frames_by_motion(frames, motion), per_clip).flatten(2, 3)
        with full_precision(motion.device):
            _, (whole, _) = self.video_motion(motion.float())
        out = self.clips_by_question(self.clips_by_motion(related, whole[-1]), question)
        state = self.classify(self.attend(out.flatten(1, 2), question))
        return Logits(self.answer_head(state), self.choice_head(state).squeeze(-1))


class QuestionAttention(nn.Module):
    """Objects [B, M, d] and the question [B, d] to [B, 2 d]: the sum of objects, weighed by how they meet the question, and
    the question."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.object, self.question = nn.Linear(width, width), nn.Linear(width, width)
        self.score = nn.Sequential(nn.Linear(2 * width, width), nn.ELU(), nn.Linear(width, 1))

    def forward(self, objects: Tensor, question: Tensor) -> Tensor:
        seen, asked = self.object(objects), self.question(question)
        scores = self.score(torch.cat([seen, seen * asked[:, None]], dim=-1))
        summed = (torch.softmax(scores.float(), dim=1).to(seen.dtype) * seen).sum(dim=1)
        return torch.cat([summed, asked], dim=-1)


@dataclass(frozen=True)
class HCRNConfig:
    RENAMED: ClassVar[Mapping[str, str]] = RENAMED_KEYS

    task: str = "hcrn"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    cue: str = Cue.ALL  # or shuffled_frames
    cache: str | None = None  # folder of frame features, for several runs; if not given, it lies in the run's folder
    epochs: int = 40  # at most
    patience: int = 8  # epochs without a better validation before the training stops
    early_stopping_metric: str = EarlyStoppingMetric.ACCURACY  # or loss: what the best epoch is best in
    batch_size: int = 64
    learning_rate: float = 2e-4
    weight_decay: float = 0.0
    max_gradient_norm: float = 12.0
    warmup_steps: int = 200  # over which the learning rate rises
    bf16: bool = True  # mixed precision, on GPUs only
    frames: FrameSettings = field(default_factory=frames_of_a_perceiver)
    model: HCRNSize = field(default_factory=HCRNSize)

    @property
    def target(self) -> bool:
        return True

    @property
    def references(self) -> bool:
        return False

    def __post_init__(self) -> None:
        check_video(self)
        frames, clips = self.frames.target, self.model.clips
        if self.cue == Cue.SINGLE_FRAME or frames % clips or frames // clips < FEWEST:
            shown = "a single frame" if self.cue == Cue.SINGLE_FRAME else f"{frames} frames"
            raise ValueError(
                f"expected frames.target that model.clips divides into clips of at least {FEWEST} frames "
                f"(got {shown} and {clips} clips)"
            )


def run_hcrn(config: HCRNConfig, run: Run) -> TrainingOutcome:
    return run_video(config, run, lambda interface: HCRN(config.model, interface), "HCRN")
