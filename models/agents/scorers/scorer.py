"""Networks that judge whether an action solves a puzzle.

Shapes: P puzzles, B pairs of a puzzle and an action [D]; what a network is shown of a puzzle is one tensor [...].
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from models.agents.contract import Floats, Puzzle
from models.train.precision import autocast


class Judge(nn.Module, ABC):
    """Split so that the costly look at a puzzle is taken once for all actions. `bf16`: on a GPU, works in half precision."""

    bf16 = True

    @abstractmethod
    def see(self, puzzles: Sequence[Puzzle]) -> Tensor:
        """What the network is shown of puzzles: views [P, ...]."""

    @abstractmethod
    def encode(self, views: Tensor) -> Tensor:
        """Views [B, ...] as features [B, ...]."""

    @abstractmethod
    def judge(self, features: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D], in single precision, so that a thousand of them seldom tie: above 0, more likely
        than not to solve the puzzle, if both were as frequent."""

    def forward(self, views: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D] on views [B / K, ...], each seen once for K actions in a row."""
        each = len(actions) // len(views)
        return self.judge(self.encode(views).repeat_interleave(each, dim=0), actions)

    @abstractmethod
    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        """The same with left and right exchanged; physics does not tell them apart."""

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device


class Opinion:
    """What judges think of actions on one puzzle, which each has looked at once: the mean of their logits. They are asked
    `batch` actions at a time, in the precision that they have learned in."""

    @torch.no_grad()
    def __init__(self, judges: Sequence[Judge], puzzle: Puzzle, batch: int) -> None:
        self._judges, self._batch = [judge.eval() for judge in judges], batch
        self._features = [self._look(judge, puzzle) for judge in self._judges]

    @torch.no_grad()
    def of(self, actions: Floats) -> Floats:
        """Logits [N] of actions [N, D]."""
        if not len(actions):
            return np.empty(0)
        found = [self._ask(*each, actions) for each in zip(self._judges, self._features, strict=True)]
        return np.asarray(np.mean(found, axis=0))

    def _look(self, judge: Judge, puzzle: Puzzle) -> Tensor:
        with autocast(judge.device, judge.bf16):
            return judge.encode(judge.see([puzzle]).to(judge.device))

    def _ask(self, judge: Judge, features: Tensor, actions: Floats) -> Floats:
        parts = torch.from_numpy(actions.astype(np.float32)).to(judge.device).split(self._batch)
        with autocast(judge.device, judge.bf16):
            found = [judge.judge(features.expand(len(part), *features.shape[1:]), part) for part in parts]
        return torch.cat(found).double().cpu().numpy()


def scores(judge: Judge, puzzle: Puzzle, actions: Floats, batch: int) -> Floats:
    """Logits [N] of actions [N, D] on one puzzle by one judge."""
    return Opinion([judge], puzzle, batch).of(actions)
