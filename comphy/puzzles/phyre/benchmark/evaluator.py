"""`Evaluator`: counts an agent's attempts and computes AUCCESS and success rates."""

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

import numpy as np

from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS, Floats, auccess, success_at, success_curve
from comphy.puzzles.phyre.world.simulation import SimulationStatus

GLOBAL_ATTEMPTS: Final = (100, 1000, 100_000)


class Metrics(TypedDict):
    """Shares of all tasks. Entry k of a list is for k attempts per task, starting at 0.

    Attributes:
        independent_solved_by: share of tasks solved within k attempts.
        independent_solved_by_aucs: AUCCESS of the first k attempts.
        global_solved_by: share of tasks solved within a total number of attempts on all tasks, by that number.
        total_attempts: attempts per task.
        total_solved: share of tasks solved."""

    independent_solved_by: list[float]
    independent_solved_by_aucs: list[float]
    global_solved_by: dict[int, float]
    total_attempts: float
    total_solved: float


class Evaluator:
    """Logs attempts on a list of tasks, at most 100 per task. Invalid actions are not attempts; attempts after a
    solution do not change success rates or AUCCESS.

        evaluator = Evaluator(test_ids)
        for index in range(len(test_ids)):
            while evaluator.attempts_left(index) and not evaluator.is_solved(index):
                status = simulator.simulate_action(index, agent(index), need_images=False).status
                evaluator.maybe_log_attempt(index, status)
        print(evaluator.get_auccess())

    Args:
        task_ids: the tasks; `task_index` of the methods is a place in this list.

    Raises:
        ValueError: for no tasks, or the same task twice."""

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
        """Make an evaluator of recorded results. Attempts after a solution and on unsolved tasks are not recorded, and
        hence not counted.

        Args:
            solved_at: by task id, the attempt that solved it, counted from 1; None for an unsolved one.

        Returns:
            The evaluator with these attempts."""
        evaluator = cls(list(solved_at))
        for index, number in enumerate(solved_at.values()):
            if number is not None:
                evaluator._attempts[index] = evaluator._solved_at[index] = number
                evaluator._solutions.append(len(evaluator))
        return evaluator

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Ids of the tasks, in the order of their indices."""
        return self._task_ids

    @property
    def attempts_per_task_index(self) -> tuple[int, ...]:
        """How many attempts were logged on each task."""
        return tuple(self._attempts)

    def __len__(self) -> int:
        """Attempts logged so far."""
        return sum(self._attempts)

    def maybe_log_attempt(self, task_index: int, status: SimulationStatus | int) -> bool:
        """Log an attempt unless it was invalid.

        Args:
            task_index: place of the task in the list.
            status: what became of the action.

        Returns:
            Whether the attempt was logged.

        Raises:
            ValueError: for an unknown task or status, or more than 100 attempts on a task."""
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
        """Count the attempts on a task.

        Args:
            task_index: place of the task in the list.

        Returns:
            How many were logged.

        Raises:
            ValueError: for an unknown task."""
        return self._attempts[self._index(task_index)]

    def attempts_left(self, task_index: int) -> int:
        """Count the attempts that remain on a task.

        Args:
            task_index: place of the task in the list.

        Returns:
            How many can still be logged, at most 100.

        Raises:
            ValueError: for an unknown task."""
        return MAX_TEST_ATTEMPTS - self.get_attempts_for_task(task_index)

    def is_solved(self, task_index: int) -> bool:
        """Tell whether a task was solved.

        Args:
            task_index: place of the task in the list.

        Returns:
            Whether one of its attempts solved it.

        Raises:
            ValueError: for an unknown task."""
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
        """Compute the success rate.

        Args:
            attempts: from 1 to 100.

        Returns:
            The percentage of tasks solved within so many attempts.

        Raises:
            ValueError: for another number of attempts."""
        return success_at(self.curve, attempts)

    def compute_all_metrics(self) -> Metrics:
        """All metrics of the published package, by its names.

        Returns:
            Shares of all tasks, by the number of attempts where they depend on it."""
        curve = self.curve
        return Metrics(
            independent_solved_by=[0.0, *curve.tolist()],
            independent_solved_by_aucs=[0.0, *(auccess(curve[:k]) for k in range(1, MAX_TEST_ATTEMPTS + 1))],
            global_solved_by={n: self._per_task(sum(k <= n for k in self._solutions)) for n in GLOBAL_ATTEMPTS},
            total_attempts=self._per_task(len(self)),
            total_solved=self._per_task(len(self._solutions)),
        )

    def get_auccess(self, attempts: int = MAX_TEST_ATTEMPTS) -> float:
        """Compute AUCCESS.

        Args:
            attempts: how many on each task count, from 1 to 100.

        Returns:
            AUCCESS from 0 to 1.

        Raises:
            ValueError: for another number of attempts."""
        if not 1 <= attempts <= MAX_TEST_ATTEMPTS:
            raise ValueError(f"Expected a number of attempts from 1 to {MAX_TEST_ATTEMPTS} (got {attempts}).")
        return auccess(success_curve(self._solved_at, attempts))

    def get_aucess(self, attempts: int = MAX_TEST_ATTEMPTS) -> float:
        """Compute AUCCESS by its older name, which the published tutorials use.

        Args:
            attempts: how many on each task count, from 1 to 100.

        Returns:
            What `get_auccess` gives.

        Raises:
            ValueError: for another number of attempts."""
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
