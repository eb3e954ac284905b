"""Batches the operators of many programs: each batch key runs once, for all questions that contain it.

Common subexpressions of questions about the same set are eliminated, such as the counterfactual events that all choices
of a question are compared with. A schedule can be reused for every scene that holds the same sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.pcr.executor.compiled import BatchKey, Compiled

Numbers = NDArray[np.int64]

_MOST_WORDS = 64


@dataclass(frozen=True)
class Use:
    """The concatenated values of earlier `steps`; `rows` (a part of the index) selects rows of them, None means all."""

    steps: tuple[int, ...]
    rows: int | None


@dataclass(frozen=True)
class Step:
    """One call of a handler. `rows` and `words` are parts of the index: the sets, and the literals."""

    key: BatchKey
    rows: int
    arguments: tuple[Use, ...]
    words: int


@dataclass(frozen=True)
class Schedule:
    """The steps in order. All indices lie in one tensor, so that one copy moves them to a device; `parts` splits it."""

    steps: tuple[Step, ...]
    index: Tensor
    sizes: tuple[int, ...]

    @cached_property
    def parts(self) -> tuple[Tensor, ...]:
        return self.index.split(self.sizes)

    def to(self, device: torch.device | str) -> "Schedule":
        return replace(self, index=self.index.to(device))


class Scheduler:
    """Builds a schedule and maps each instruction of each program to its value."""

    def __init__(self, programs: Sequence[Compiled], rows: Sequence[int]) -> None:
        self._parts: list[Numbers] = []
        self._starts: list[int] = []  # the first value number of each step; values are numbered across all steps
        self._sizes: list[int] = []
        lengths = np.array([len(program.structure) for program in programs], np.int64)
        self.lasts = np.cumsum(lengths) - 1  # index of the last instruction of each program
        self._nodes = _Nodes(programs, np.asarray(rows, np.int64), lengths)
        self.values = np.full(int(lengths.sum()), -1, np.int64)  # value number of each instruction
        self.steps = tuple(self._step(key, nodes) for key, nodes in self._nodes.by_batch_key())

    def schedule(self) -> Schedule:
        """The finished schedule; call it after the last `use`, which adds to the index."""
        return Schedule(
            self.steps, torch.from_numpy(np.concatenate(self._parts)), tuple(len(part) for part in self._parts)
        )

    def use(self, values: Numbers) -> Use:
        """Where to gather the values with these numbers."""
        starts = np.array(self._starts, np.int64)
        steps, owner = np.unique(np.searchsorted(starts, values, side="right") - 1, return_inverse=True)
        sizes = np.array(self._sizes, np.int64)[steps]
        before = np.cumsum(sizes) - sizes
        rows = values - starts[steps][owner] + before[owner]
        whole = len(rows) == sizes.sum() and bool((rows == np.arange(len(rows))).all())
        return Use(tuple(steps.tolist()), None if whole else self._part(rows))

    def _step(self, key: BatchKey, nodes: Numbers) -> Step:
        table = self._nodes
        arguments = [self.values[table.arguments[nodes, k]] for k in range(len(key.worlds))]
        words = table.words[nodes]
        identity = (arguments[0] if arguments else table.rows[nodes]) * _MOST_WORDS + words + 1
        if len(arguments) > 1:
            identity = identity * (len(self.values) + 1) + arguments[1]
        _, kept, owner = np.unique(identity, return_index=True, return_inverse=True)
        uses = tuple(self.use(argument[kept]) for argument in arguments)
        start = self._starts[-1] + self._sizes[-1] if self._starts else 0
        self._starts.append(start)
        self._sizes.append(len(kept))
        self.values[nodes] = start + owner
        return Step(key, self._part(table.rows[nodes[kept]]), uses, self._part(words[kept]))

    def _part(self, numbers: Numbers) -> int:
        self._parts.append(numbers)
        return len(self._parts) - 1


class _Nodes:
    """The operators of all programs in one table; arguments are row indices into it."""

    def __init__(self, programs: Sequence[Compiled], rows: Numbers, lengths: Numbers) -> None:
        structures = {program.structure for program in programs}
        self._keys = sorted({key for structure in structures for key in structure.batch_keys})
        numbers = {key: number for number, key in enumerate(self._keys)}
        of_each = {structure: np.array([numbers[key] for key in structure.batch_keys]) for structure in structures}
        self._key_numbers = np.concatenate([of_each[program.structure] for program in programs])
        local = np.concatenate([program.structure.arguments for program in programs])
        self.arguments = local + np.repeat(np.cumsum(lengths) - lengths, lengths)[:, None]
        self.words = np.fromiter(chain.from_iterable(program.words for program in programs), np.int64)
        self.rows = np.repeat(rows, lengths)

    def by_batch_key(self) -> list[tuple[BatchKey, Numbers]]:
        """The instructions of each key, in the order of keys."""
        order = np.argsort(self._key_numbers, kind="stable")
        edges = np.searchsorted(self._key_numbers[order], np.arange(1, len(self._keys)))
        return list(zip(self._keys, np.split(order, edges), strict=True))
