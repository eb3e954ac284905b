"""`ActionScorer`: a network that scores how likely actions solve a puzzle; and ensembles of them.

Shapes: P puzzles, B pairs of a puzzle and an action [D]; the input that a network is given of a puzzle is one tensor [...].
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from models.agents.contract import Floats, Puzzle
from models.train.precision import autocast


class ActionScorer(nn.Module, ABC):
    """Split so that the costly encoding of a puzzle is shared by all actions. `bf16`: on a GPU, works in half precision."""

    bf16 = True

    @abstractmethod
    def observe(self, puzzles: Sequence[Puzzle]) -> Tensor:
        """The network's input for puzzles: views [P, ...]."""

    @abstractmethod
    def encode(self, views: Tensor) -> Tensor:
        """Views [B, ...] as features [B, ...]."""

    @abstractmethod
    def score(self, features: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D] that they solve the puzzle, given that as many examples solve as fail.

        In single precision, so that among a thousand actions ties are rare."""

    def forward(self, views: Tensor, actions: Tensor) -> Tensor:
        """Logits [B] of actions [B, D] on views [B / K, ...], each encoded once for K actions in a row."""
        each = len(actions) // len(views)
        return self.score(self.encode(views).repeat_interleave(each, dim=0), actions)

    @abstractmethod
    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        """The same with left and right exchanged, a symmetry of the physics; for data augmentation."""

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device


class ScorerEnsemble:
    """Scores actions on one puzzle by the mean logit of several scorers; each encodes the puzzle once.

    `batch`: actions that are scored at a time, in the precision that the scorer was trained in."""

    @torch.no_grad()
    def __init__(self, scorers: Sequence[ActionScorer], puzzle: Puzzle, batch: int) -> None:
        self._scorers, self._batch = [scorer.eval() for scorer in scorers], batch
        self._features = [self._encoded(scorer, puzzle) for scorer in self._scorers]

    @torch.no_grad()
    def score(self, actions: Floats) -> Floats:
        """Mean logits [N] of actions [N, D]."""
        if not len(actions):
            return np.empty(0)
        found = [self._logits(*each, actions) for each in zip(self._scorers, self._features, strict=True)]
        return np.asarray(np.mean(found, axis=0))

    def _encoded(self, scorer: ActionScorer, puzzle: Puzzle) -> Tensor:
        with autocast(scorer.device, scorer.bf16):
            return scorer.encode(scorer.observe([puzzle]).to(scorer.device))

    def _logits(self, scorer: ActionScorer, features: Tensor, actions: Floats) -> Floats:
        parts = torch.from_numpy(actions.astype(np.float32)).to(scorer.device).split(self._batch)
        with autocast(scorer.device, scorer.bf16):
            found = [scorer.score(features.expand(len(part), *features.shape[1:]), part) for part in parts]
        return torch.cat(found).double().cpu().numpy()


def scores(scorer: ActionScorer, puzzle: Puzzle, actions: Floats, batch: int) -> Floats:
    """Logits [N] of actions [N, D] on one puzzle by one scorer."""
    return ScorerEnsemble([scorer], puzzle, batch).score(actions)
