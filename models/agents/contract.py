"""What an agent is, and what it may know: the puzzle before its first attempt, and what becomes of its attempts."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.benchmark.tasks import Task, template_of
from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.observation import Image, observation
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulation import SimulationStatus

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Puzzle:
    """A task as a player sees it: without the certified solution."""

    id: str
    scene: Scene
    tier: Tier

    @classmethod
    def of(cls, task: Task) -> "Puzzle":
        return cls(task.id, task.scene(), task.tier)

    @property
    def template_id(self) -> str:
        return template_of(self.id)

    def image(self) -> Image:
        """The observation [256, 256] before anything moves."""
        return observation(self.scene.bodies)

    def valid(self, actions: Floats) -> Bools:
        """Which actions [N] can be tried. Invalid attempts are free, so an agent may know them beforehand."""
        return self.tier.valid(self.scene, actions)


@dataclass(frozen=True)
class Trial:
    """An action [D] and its status. `watch` shows the run of a valid one: states [T, N, 6], as in `Simulation`, every
    `GLIMPSE_STRIDE` steps."""

    action: Floats
    status: SimulationStatus
    watch: Callable[[], Floats]


Plan = Generator[Floats, Trial, None]  # yields actions [D], is sent what became of each
Attempt = Callable[[Puzzle, Floats], Trial]


class Agent(Protocol):
    """`plays_on`: uses all its attempts on a task that it has solved, for what they teach about later ones."""

    @property
    def plays_on(self) -> bool: ...

    def play(self, puzzle: Puzzle) -> Plan:
        """Attempts on one task. It need not end by itself: no more is asked of it once the task is done."""

    def learn(self, puzzle: Puzzle, trials: Sequence[Trial]) -> None:
        """Told after each task: all valid attempts on it, in order."""


def one_by_one(actions: Iterable[Floats]) -> Plan:
    """A plan that stays the same whatever becomes of it."""
    for action in actions:  # noqa: UP028 - `yield from` would send the trials on to the list
        yield action


class OfflineAgent:
    """Of agents that are finished with learning when the test begins."""

    plays_on = False

    def learn(self, puzzle: Puzzle, trials: Sequence[Trial]) -> None:
        """Nothing."""
