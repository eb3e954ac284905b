"""What an agent is: it is shown the noisy symbolic state before each of its shots, and nothing else. It may imagine games on
levels of its own making; that is handed to it, so that agents need no engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from comphy.puzzles.phyq.benchmark.symbolic import SymbolicState
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level


@dataclass(frozen=True)
class Choice:
    """A shot, the name of the strategy that chose it, why, and how many games were imagined for it."""

    shot: Shot
    strategy: str
    reason: str = ""
    imagined: int = 0


@dataclass(frozen=True)
class Imagined:
    """How a game went.

    `pig_life`: the share of the pigs' hit points that is left.
    `nearest`: metres, between a pig that is left and the nearest place where something touched something.
    """

    won: bool
    pigs_left: int
    pig_life: float
    nearest: float


Imagine = Callable[[Level, Sequence[Shot]], Imagined]
Strategy = Callable[[SymbolicState, np.random.Generator, Imagine], Choice]


class AgentKind(StrEnum):
    """How an agent comes to its shots, which decides how often it may play a task."""

    RANDOM = "random"
    HEURISTIC = "heuristic"
    PLANNING = "planning"

    @property
    def plays(self) -> int:
        """How many independent plays of a task the published evaluation takes the mean of."""
        return {AgentKind.RANDOM: 50, AgentKind.HEURISTIC: 5, AgentKind.PLANNING: 1}[self]


@dataclass(frozen=True)
class Agent:
    name: str
    kind: AgentKind
    shoot: Strategy
