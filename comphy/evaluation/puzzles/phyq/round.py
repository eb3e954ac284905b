"""A round of Phy-Q as people had it: 32 tasks, up to five attempts each, and a score at the end.

People had two tasks of each scenario, four of manoeuvring, each of another template (docs/format.md#sources). A task that
is solved with the k-th attempt is worth (6 - k) / 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

import numpy as np

from comphy.errors import ConfigError
from comphy.evaluation.puzzles.phyq.results import ATTEMPTS
from comphy.evaluation.puzzles.phyq.score import SCORED, partial_score
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import SCENARIOS

GIVEN_UP: Final = "given up"
# Of people's tasks, as far as they are known: one of falling was of a template that is not among the 75.
PEOPLES_TEMPLATES: Final = (
    "1.4", "1.2", "2.4", "2.1", "3.5", "3.3", "4.4", "5.3", "5.2", "6.2", "6.3", "7.1", "7.4", "8.4", "8.2", "9.1", "9.4",
    "10.3", "10.4", "11.1", "11.3", "12.4", "12.3", "13.4", "13.5", "14.1", "14.2", "15.1", "15.6", "15.4", "15.3",
)  # fmt: skip


def tasks_of_scenario(scenario: int) -> int:
    return 4 if SCENARIOS[scenario - 1] == "manoeuvring" else 2


def worth(attempts: int, solved: bool) -> float:
    """Of a task, after so many attempts."""
    return (ATTEMPTS + 1 - attempts) / ATTEMPTS if solved else 0.0


def round_tasks(number: int, tasks: Iterable[Task]) -> list[Task]:
    """The tasks of a round; each number has others. Templates that have no tasks are replaced by others of the scenario."""
    by_template: dict[str, list[Task]] = {}
    for task in tasks:
        by_template.setdefault(task.template_id, []).append(task)
    return [task for scenario in range(1, len(SCENARIOS) + 1) for task in _chosen(scenario, number, by_template)]


def _chosen(scenario: int, number: int, by_template: Mapping[str, Sequence[Task]]) -> list[Task]:
    """One of each template, people's first, then second ones."""
    own = [one for one in by_template if one.startswith(f"{scenario}.")]
    own.sort(key=lambda one: PEOPLES_TEMPLATES.index(one) if one in PEOPLES_TEMPLATES else len(PEOPLES_TEMPLATES))
    rng = np.random.default_rng([number, scenario])
    drawn = [[by_template[one][k] for k in rng.permutation(len(by_template[one]))] for one in own]
    wanted, most = tasks_of_scenario(scenario), max(map(len, drawn), default=0)
    return [tasks[k] for k in range(most) for tasks in drawn if k < len(tasks)][:wanted]


@dataclass
class Attempted:
    """A task of a round. `log`: for each attempt its shots and how it ended. `seconds`: of thinking, in all."""

    log: list[list[str]] = field(default_factory=list)
    solved: bool = False
    seconds: float = 0.0

    @property
    def attempts(self) -> int:
        return len(self.log)

    @property
    def decided(self) -> bool:
        return self.solved or self.attempts >= ATTEMPTS

    @property
    def worth(self) -> float:
        return worth(self.attempts, self.solved)

    def begin(self) -> None:
        """An attempt begins with its first shot; one that is never ended was given up.

        Raises `ConfigError` if the task is decided."""
        if self.decided:
            how = f"solved with attempt {self.attempts}" if self.solved else f"failed {ATTEMPTS} times"
            raise ConfigError(f"Expected a task that is not decided (got one that was {how}). Go on to the next.")
        self.log.append([GIVEN_UP])

    def end(self, shots: Sequence[str], solved: bool, seconds: float) -> None:
        """Raises `ConfigError` if no attempt has begun."""
        if not self.log or self.log[-1] != [GIVEN_UP]:
            raise ConfigError("Expected an attempt that has begun and not ended (got none). Shoot a bird first.")
        self.log[-1] = [*shots, "won" if solved else "lost"]
        self.solved = solved
        self.seconds += seconds


def scenario_worths(worths: Mapping[str, float]) -> dict[int, float]:
    """Means by scenario, from the worth of tasks by their ids."""
    found: dict[int, list[float]] = {}
    for task_id, one in worths.items():
        found.setdefault(int(task_id.split(".")[0]), []).append(one)
    return {scenario: fmean(values) for scenario, values in sorted(found.items())}


def round_score(worths: Mapping[str, float]) -> float | None:
    """The Phy-Q score over the scenarios that were played; None if none of them counts."""
    rates = scenario_worths(worths)
    played = [scenario for scenario in SCORED if scenario in rates]
    return partial_score(rates, played) if played else None
