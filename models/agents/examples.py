"""Batches of tried actions, half of which solve their task.

Shapes: B examples; rows [B], actions [B, D], solved [B].
"""

from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from comphy.errors import DatasetError
from models.agents.experience import Experience

_DRAWS: Final = 4  # of pairs for each one that is wanted: some are invalid, some solve the task


class Batch(NamedTuple):
    """`rows` are the numbers of the puzzles in the experience."""

    rows: Tensor
    actions: Tensor
    solved: Tensor

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(tensor.to(device) for tensor in self))


class Examples:
    """`by_task`: each task that has solutions is as likely as any other to give the next one, so that easy tasks, which
    have many, do not crowd out hard ones."""

    def __init__(self, experience: Experience, by_task: bool) -> None:
        self._experience = experience
        rows, numbers = np.nonzero(experience.statuses > 0)
        actions = experience.actions[numbers]
        if experience.solutions is not None:
            rows = np.concatenate([rows, np.arange(len(experience.puzzles))])
            actions = np.concatenate([actions, experience.solutions])
        if not len(rows) or not (experience.statuses < 0).any():
            raise DatasetError(
                f"Expected actions that solve a training task, and some that fail (got {len(rows)} that solve one of "
                f"{experience.statuses.size}). Try more actions: --actions."
            )
        self._rows, self._solutions = rows, actions
        weights = 1.0 / np.bincount(rows)[rows] if by_task else np.ones(len(rows))
        self._cumulative = np.cumsum(weights)

    def draw(self, size: int, rng: np.random.Generator) -> Batch:
        positive = self._positive(size // 2, rng)
        rows, numbers = self._negative(size - size // 2, rng)
        actions = np.concatenate([self._solutions[positive], self._experience.actions[numbers]])
        return Batch(
            torch.from_numpy(np.concatenate([self._rows[positive], rows])),
            torch.from_numpy(actions.astype(np.float32)),
            torch.cat([torch.ones(len(positive)), torch.zeros(len(rows))]),
        )

    def _positive(self, count: int, rng: np.random.Generator) -> np.ndarray:
        heights = rng.random(count) * self._cumulative[-1]
        return np.searchsorted(self._cumulative, heights, side="right")

    def _negative(self, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        statuses = self._experience.statuses
        rows, numbers = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        while len(rows) < count:
            some = rng.integers(0, statuses.shape, size=(_DRAWS * count, 2))
            failed = some[statuses[some[:, 0], some[:, 1]] < 0]
            rows, numbers = np.concatenate([rows, failed[:, 0]]), np.concatenate([numbers, failed[:, 1]])
        return rows[:count], numbers[:count]
