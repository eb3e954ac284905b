"""What an agent is, and what it may know: the puzzle before its first attempt, and the results of its attempts."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.benchmark.tasks import Task, template_of
from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.observations.observation import Image, observation
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulation import SimulationStatus

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Puzzle:
    """A task as a player sees it: without the certified solution.

    Attributes:
        id: of the task.
        scene: what is where before anything moves.
        tier: how many balls the player places."""

    id: str
    scene: Scene
    tier: Tier

    @classmethod
    def of(cls, task: Task) -> "Puzzle":
        """Make the puzzle of a task.

        Args:
            task: with its solution.

        Returns:
            The puzzle without it."""
        return cls(task.id, task.scene(), task.tier)

    @property
    def template_id(self) -> str:
        """Id of the template that the task belongs to."""
        return template_of(self.id)

    def image(self) -> Image:
        """The observation [256, 256] before anything moves."""
        return observation(self.scene.bodies)

    def valid(self, actions: Floats) -> Bools:
        """Tell which actions can be tried. Invalid attempts are free, so an agent may know them beforehand.

        Args:
            actions: [N, D].

        Returns:
            Whether each can be, [N]."""
        return self.tier.valid(self.scene, actions)


@dataclass(frozen=True)
class AttemptResult:
    """What became of an attempt.

    Attributes:
        action: [D].
        status: what became of it.
        watch: gives the run of a valid action: states [T, N, 6], as in `Simulation`, every `COARSE_STRIDE` steps."""

    action: Floats
    status: SimulationStatus
    watch: Callable[[], Floats]


Plan = Generator[Floats, AttemptResult, None]  # yields actions [D], is sent the result of each
RunAttempt = Callable[[Puzzle, Floats], AttemptResult]


class Agent(Protocol):
    """Plays puzzles, and may learn from each for those that follow."""

    @property
    def continues_after_solving(self) -> bool:
        """Whether it goes on after it has solved a task, up to the limit of attempts, to learn from them for later
        tasks."""
        ...

    def play(self, puzzle: Puzzle) -> Plan:
        """Attempt one task.

        Args:
            puzzle: the task as a player sees it.

        Returns:
            A generator of actions [D] that is sent the result of each. It need not end: no more is asked of it once the
            task is done."""

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        """Learn from a task, after it is done.

        Args:
            puzzle: the task as a player sees it.
            results: all valid attempts on it, in order."""


def one_by_one(actions: Iterable[Floats]) -> Plan:
    """Make a plan that does not depend on results.

    Args:
        actions: [D] each.

    Yields:
        The actions in this order."""
    for action in actions:  # noqa: UP028 - `yield from` would send the results on to the list
        yield action


class OfflineAgent:
    """Base of agents that learn nothing during the test."""

    continues_after_solving = False

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        """Does nothing.

        Args:
            puzzle: the task as a player sees it.
            results: all valid attempts on it, in order."""
