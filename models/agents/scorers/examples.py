"""Balanced batches of tried actions: half of them solve their task.

Shapes: B examples, K of each task in a row; rows [B / K], actions [B, D], solved [B].
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.errors import DatasetError
from models.agents.experience import Experience

_DRAWS: Final = 4  # of pairs for each one that is wanted: some are invalid, some solve the task


class ActionBatch(NamedTuple):
    """`rows` are the numbers of the puzzles in the experience, each for as many actions in a row."""

    rows: Tensor
    actions: Tensor
    solved: Tensor

    def to(self, device: torch.device) -> "ActionBatch":
        return ActionBatch(*(tensor.to(device) for tensor in self))


@dataclass(frozen=True)
class Grouped:
    """Items [N] in groups: those of group g begin at `starts[g]`."""

    items: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, groups: NDArray[np.int64], items: NDArray[np.int64], number: int) -> "Grouped":
        """Items and their groups, which are in order."""
        counts = np.bincount(groups, minlength=number)
        return cls(items, np.cumsum(counts) - counts, counts)

    def draw(self, groups: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """[groups, count], with repetition."""
        places = rng.random((len(groups), count)) * self.counts[groups, None]
        return self.items[self.starts[groups, None] + places.astype(np.int64)]


class Examples:
    """`balance_tasks`: each task that has solutions is as likely as any other to give the next one, so that easy tasks,
    which have many, do not crowd out hard ones."""

    def __init__(self, experience: Experience, balance_tasks: bool) -> None:
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
        order = np.argsort(rows, kind="stable")
        rows, actions = rows[order], actions[order]
        self._rows, self._solutions = rows, actions
        self._of_row = Grouped.of(rows, np.arange(len(rows)), len(experience.puzzles))
        tasks, failures = np.nonzero(experience.statuses < 0)
        self._failed = Grouped.of(tasks, failures, len(experience.puzzles))
        weights = 1.0 / np.bincount(rows)[rows] if balance_tasks else np.ones(len(rows))
        weights[self._failed.counts[rows] == 0] = 0.0
        self._cumulative = np.cumsum(weights)

    def draw(self, size: int, rng: np.random.Generator, each: int = 1) -> ActionBatch:
        """Of so many actions, `each` of them on the same task: with more than one the encoding of a scene is shared."""
        if each > 1:
            return self._draw_together(size // each, each, rng)
        positive = self._positive(size // 2, rng)
        rows, numbers = self._negative(size - size // 2, rng)
        actions = np.concatenate([self._solutions[positive], self._experience.actions[numbers]])
        return ActionBatch(
            torch.from_numpy(np.concatenate([self._rows[positive], rows])),
            torch.from_numpy(actions.astype(np.float32)),
            torch.cat([torch.ones(len(positive)), torch.zeros(len(rows))]),
        )

    def _draw_together(self, tasks: int, each: int, rng: np.random.Generator) -> ActionBatch:
        """Of every task half solutions, half failures."""
        rows = self._rows[self._positive(tasks, rng)]
        solved = self._solutions[self._of_row.draw(rows, each // 2, rng)]
        failed = self._experience.actions[self._failed.draw(rows, each - each // 2, rng)]
        actions = np.concatenate([solved, failed], axis=1).reshape(tasks * each, -1)
        hits = torch.zeros(tasks, each)
        hits[:, : each // 2] = 1.0
        return ActionBatch(torch.from_numpy(rows), torch.from_numpy(actions.astype(np.float32)), hits.flatten())

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
