"""`Evaluator`: counts an agent's attempts and computes AUCCESS and success rates."""

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

import numpy as np

from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS, Floats, auccess, success_at, success_curve
from comphy.puzzles.phyre.world.simulation import SimulationStatus

GLOBAL_ATTEMPTS: Final = (100, 1000, 100_000)


class Metrics(TypedDict):
    """Shares of all tasks. Entry k of a list is for k attempts per task, starting at 0."""

    independent_solved_by: list[float]
    independent_solved_by_aucs: list[float]  # AUCCESS of the first k attempts
    global_solved_by: dict[int, float]  # within a total number of attempts on all tasks
    total_attempts: float  # per task
    total_solved: float


class Evaluator:
    """Logs attempts on a list of tasks, at most 100 per task. Invalid actions are not attempts; attempts after a solution do
    not change success rates or AUCCESS.

    evaluator = Evaluator(test_ids)
    for index in range(len(test_ids)):
        while evaluator.attempts_left(index) and not evaluator.is_solved(index):
            status = simulator.simulate_action(index, agent(index), need_images=False).status
            evaluator.maybe_log_attempt(index, status)
    print(evaluator.get_auccess())
    """

    def __init__(self, task_ids: Sequence[str]) -> None:
        if not task_ids or len(set(task_ids)) != len(task_ids):
            raise ValueError(
                f"Expected a list of different tasks (got {len(task_ids)}, {len(set(task_ids))} different)."
            )
        self._task_ids = tuple(task_ids)
        self._attempts = [0] * len(self._task_ids)
        self._solved_at: list[int | None] = [None] * len(self._task_ids)
        self._solutions: list[int] = []  # for each solved task, the total number of attempts when it was solved

    @classmethod
    def of_results(cls, solved_at: Mapping[str, int | None]) -> "Evaluator":
        """Scores of recorded results: by task id the attempt that solved it, counted from 1 (None: unsolved).

        Attempts after a solution and on unsolved tasks are not recorded, and hence not counted.
        """
        evaluator = cls(list(solved_at))
        for index, number in enumerate(solved_at.values()):
            if number is not None:
                evaluator._attempts[index] = evaluator._solved_at[index] = number
                evaluator._solutions.append(len(evaluator))
        return evaluator

    @property
    def task_ids(self) -> tuple[str, ...]:
        return self._task_ids

    @property
    def attempts_per_task_index(self) -> tuple[int, ...]:
        return tuple(self._attempts)

    def __len__(self) -> int:
        """Attempts logged so far."""
        return sum(self._attempts)

    def maybe_log_attempt(self, task_index: int, status: SimulationStatus | int) -> bool:
        """Log an attempt unless it was invalid; returns whether it was logged."""
        index, outcome = self._index(task_index), _status(status)
        if outcome.is_invalid():
            return False
        if not self.attempts_left(index):
            raise ValueError(
                f"Expected at most {MAX_TEST_ATTEMPTS} attempts on a task (got one more on {self._task_ids[index]}, "
                f"index {index}). Go on to the next task when attempts_left({index}) is 0."
            )
        self._attempts[index] += 1
        if outcome.is_solved() and self._solved_at[index] is None:
            self._solved_at[index] = self._attempts[index]
            self._solutions.append(len(self))
        return True

    def get_attempts_for_task(self, task_index: int) -> int:
        return self._attempts[self._index(task_index)]

    def attempts_left(self, task_index: int) -> int:
        return MAX_TEST_ATTEMPTS - self.get_attempts_for_task(task_index)

    def is_solved(self, task_index: int) -> bool:
        return self._solved_at[self._index(task_index)] is not None

    @property
    def solved_at(self) -> dict[str, int | None]:
        """By task id, the attempt that solved it, counted from 1 (None: unsolved)."""
        return dict(zip(self._task_ids, self._solved_at, strict=True))

    @property
    def curve(self) -> Floats:
        """The success curve [100]: share of tasks solved within 1, 2, ... attempts."""
        return success_curve(self._solved_at)

    def success_at(self, attempts: int) -> float:
        """The percentage of tasks solved within `attempts`."""
        return success_at(self.curve, attempts)

    def compute_all_metrics(self) -> Metrics:
        curve = self.curve
        return Metrics(
            independent_solved_by=[0.0, *curve.tolist()],
            independent_solved_by_aucs=[0.0, *(auccess(curve[:k]) for k in range(1, MAX_TEST_ATTEMPTS + 1))],
            global_solved_by={n: self._per_task(sum(k <= n for k in self._solutions)) for n in GLOBAL_ATTEMPTS},
            total_attempts=self._per_task(len(self)),
            total_solved=self._per_task(len(self._solutions)),
        )

    def get_auccess(self, attempts: int = MAX_TEST_ATTEMPTS) -> float:
        """AUCCESS over the first `attempts` on each task, from 0 to 1."""
        if not 1 <= attempts <= MAX_TEST_ATTEMPTS:
            raise ValueError(f"Expected a number of attempts from 1 to {MAX_TEST_ATTEMPTS} (got {attempts}).")
        return auccess(success_curve(self._solved_at, attempts))

    def get_aucess(self, attempts: int = MAX_TEST_ATTEMPTS) -> float:
        """`get_auccess` by its older name, which the published tutorials use."""
        return self.get_auccess(attempts)

    def _per_task(self, count: int) -> float:
        return count / len(self._task_ids)

    def _index(self, task_index: int) -> int:
        if not (isinstance(task_index, int | np.integer) and 0 <= task_index < len(self._task_ids)):
            raise ValueError(f"Expected a task's index from 0 to {len(self._task_ids) - 1} (got {task_index!r}).")
        return int(task_index)


def _status(status: SimulationStatus | int) -> SimulationStatus:
    try:
        return SimulationStatus(int(status))
    except ValueError:
        known = ", ".join(f"{one.value} {one.name}" for one in SimulationStatus)
        raise ValueError(f"Expected a simulation's status (got {status!r}); known: {known}") from None
