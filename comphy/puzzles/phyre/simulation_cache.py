"""Simulated actions in memory; the published package has a module of this name.

`SimulationCache` simulates and stores. What it has stored is read here, all at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError
from comphy.puzzles.phyre.benchmark.cache import (
    ACTION_SEED,
    DEFAULT_FOLDER,
    CachedSample,
    SimulationCache,
    Statuses,
)
from comphy.puzzles.phyre.benchmark.tasks import load_tasks
from comphy.puzzles.phyre.world.actions import tier_named
from comphy.puzzles.phyre.world.simulation import SimulationStatus

__all__ = [
    "ACTION_SEED",
    "INVALID",
    "NOT_SOLVED",
    "SOLVED",
    "LoadedCache",
    "SimulationCache",
    "get_default_100k_cache",
]

SOLVED: Final = SimulationStatus.SOLVED.value
INVALID: Final = SimulationStatus.INVALID_INPUT.value
NOT_SOLVED: Final = SimulationStatus.NOT_SOLVED.value


@dataclass(frozen=True)
class LoadedCache:
    """Simulated actions of a tier, in memory.

    Attributes:
        tier: its name.
        action_array: the actions [N, D] that every task was tried with.
        statuses: of these actions [N], by task id."""

    tier: str
    action_array: NDArray[np.float64]
    statuses: Mapping[str, Statuses]

    def __len__(self) -> int:
        """Actions that every task was tried with."""
        return len(self.action_array)

    @property
    def task_ids(self) -> frozenset[str]:
        """Ids of the tasks that were simulated."""
        return frozenset(self.statuses)

    def load_simulation_states(self, task_id: str) -> Statuses:
        """Look up what became of the actions on one task.

        Args:
            task_id: such as `00001:004`.

        Returns:
            The statuses [N].

        Raises:
            DatasetError: if the task was not simulated."""
        if task_id not in self.statuses:
            raise DatasetError(
                f"Expected one of {len(self.statuses)} simulated tasks (got '{task_id}'). {self._advice(len(self))}"
            )
        return self.statuses[task_id]

    def get_sample(self, task_ids: Sequence[str] | None = None, num_actions: int | None = None) -> CachedSample:
        """Take the first actions, and their statuses on tasks.

        Args:
            task_ids: by default all that were simulated.
            num_actions: how many actions; by default all.

        Returns:
            Task ids, actions [N, D] and statuses [tasks, N].

        Raises:
            ValueError: for more actions than there are.
            DatasetError: for a task that was not simulated."""
        count = len(self) if num_actions is None else int(num_actions)
        if not 0 <= count <= len(self):
            raise ValueError(f"Expected up to {len(self)} actions, as simulated (got {count}). {self._advice(count)}")
        ids = tuple(sorted(self.statuses) if task_ids is None else task_ids)
        table = np.empty((len(ids), count), dtype=np.int8)
        for row, task_id in zip(table, ids, strict=True):
            row[:] = self.load_simulation_states(task_id)[:count]
        return CachedSample(task_ids=ids, actions=self.action_array[:count], simulation_statuses=table)

    def _advice(self, count: int) -> str:
        return _simulate(self.tier, max(count, 1))


def get_default_100k_cache(tier: str, folder: Path | None = None) -> LoadedCache:
    """Load the simulated actions of a tier.

    The published package downloads 100,000 actions on every task. This one reads what `comphy phyre simulate` and the
    agents have stored, and has as many actions as every task there was tried with. They are another list than the
    published one.

    Args:
        tier: ball or two_balls.
        folder: of the results; out/phyre_cache/TIER if not given.

    Returns:
        The actions, and their statuses by task.

    Raises:
        ConfigError: unknown tier.
        DatasetError: nothing was simulated, or by another version."""
    cache = SimulationCache(folder or DEFAULT_FOLDER / tier_named(tier).name, tier_named(tier))
    found = {task.id: cache.known(task) for task in load_tasks(cache.tier).values()}
    found = {task_id: statuses for task_id, statuses in found.items() if len(statuses)}
    if not found:
        raise DatasetError(
            f"{cache.folder}: expected simulated actions of tier {tier} (found none). {_simulate(tier, 1000)}"
        )
    count = min(map(len, found.values()))
    return LoadedCache(tier, cache.actions(count), {task_id: known[:count] for task_id, known in found.items()})


def _simulate(tier: str, count: int) -> str:
    return f"Simulate them first: comphy phyre simulate --setup {tier}_within_template --actions {count}"
