"""Networks that judge whether an action solves a puzzle.

Shapes: P puzzles, B pairs of a puzzle and an action [D]; what a network is shown of a puzzle is one tensor [...].
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from models.agents.contract import Floats, Puzzle


class Judge(nn.Module, ABC):
    """Split so that the costly look at a puzzle is taken once for all actions."""

    @abstractmethod
    def see(self, puzzles: Sequence[Puzzle]) -> Tensor:
        """What the network is shown of puzzles: views [P, ...]."""

    @abstractmethod
    def encode(self, views: Tensor) -> Tensor:
        """Views [B, ...] as features [B, ...]."""

    @abstractmethod
    def judge(self, features: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D]: above 0, more likely than not to solve the puzzle, if both were as frequent."""

    def forward(self, views: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D] on views [B / K, ...], each seen once for K actions in a row."""
        each = len(actions) // len(views)
        return self.judge(self.encode(views).repeat_interleave(each, dim=0), actions)

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor] | None:
        """The same with left and right exchanged, where the network has a use for it: physics is the same."""
        return None

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device


@torch.no_grad()
def scores(judge: Judge, puzzle: Puzzle, actions: Floats, batch: int) -> Floats:
    """Logits [N] of actions [N, D] on one puzzle, `batch` at a time."""
    judge.eval()
    features = judge.encode(judge.see([puzzle]).to(judge.device))
    found = [
        judge.judge(features.expand(len(part), *features.shape[1:]), part)
        for part in torch.from_numpy(actions.astype(np.float32)).to(judge.device).split(batch)
    ]
    return torch.cat(found).double().cpu().numpy() if found else np.empty(0)
