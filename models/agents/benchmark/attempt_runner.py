"""`AttemptRunner`: runs the attempts of an agent; statuses in the cache are looked up, others are simulated."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from comphy.closing import Closeable
from comphy.puzzles.phyre.benchmark.cache import SimulationCache, Statuses
from comphy.puzzles.phyre.benchmark.tasks import Task
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from models.agents.contract import AttemptResult, Floats, Puzzle


class AttemptRunner(Closeable):
    """A `RunAttempt` on some tasks. The engine is opened when the first action is not in the cache, so that an agent that
    chooses among known results runs where there is no engine. `cached`: look up so many actions of the cache's list."""

    def __init__(self, cache: SimulationCache, tasks: Sequence[Task], cached: int) -> None:
        self._cache = cache
        self._tasks = {task.id: task for task in tasks}
        self._index = {task.id: k for k, task in enumerate(tasks)}
        self._numbers = {action.tobytes(): k for k, action in enumerate(cache.actions(cached))}
        self._known: tuple[str, Statuses] | None = None  # of the task that is being played

    def __call__(self, puzzle: Puzzle, action: Floats) -> AttemptResult:
        status = self._looked_up(puzzle, action)
        if status is not None:
            return AttemptResult(action, status, lambda: self._run(puzzle, action)[1])
        status, states = self._run(puzzle, action)
        return AttemptResult(action, status, lambda: states)

    def close(self) -> None:
        if "_simulator" in self.__dict__:
            self._simulator.close()

    @cached_property
    def _simulator(self) -> ActionSimulator:
        scenes = {task_id: task.scene() for task_id, task in self._tasks.items()}
        return ActionSimulator(scenes, self._cache.tier)

    def _looked_up(self, puzzle: Puzzle, action: Floats) -> SimulationStatus | None:
        if self._known is None or self._known[0] != puzzle.id:
            self._known = (puzzle.id, self._cache.known(self._tasks[puzzle.id]))
        statuses = self._known[1]
        number = self._numbers.get(action.tobytes(), len(statuses))
        return SimulationStatus(int(statuses[number])) if number < len(statuses) else None

    def _run(self, puzzle: Puzzle, action: Floats) -> tuple[SimulationStatus, Floats]:
        """The status, and states [T, N, 6], empty for an invalid action, of one coarse simulation."""
        seen = self._simulator.simulate_coarse(self._index[puzzle.id], action)
        return seen.status, np.empty((0, 0, 6)) if seen.states is None else seen.states
