"""What an agent is: it is shown the game with noise before each of its shots, as its view has it, and nothing else. It may
simulate games on levels of its own making; that is handed to it, so that agents need no engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from comphy.choices import Generalisation
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level


@dataclass(frozen=True)
class Choice:
    """A shot, the name of the strategy that chose it, why, and how many games were imagined for it.

    `then`: shots that follow without another look, where the next bird is shot while things move.
    """

    shot: Shot
    strategy: str
    reason: str = ""
    imagined: int = 0
    then: tuple[Shot, ...] = ()


@dataclass(frozen=True)
class SimulationResult:
    """How a game went.

    `pig_life`: the share of the pigs' hit points that is left.
    `nearest`: metres, between a pig that is left and the nearest place where something touched something.
    `after`: what is left for the birds that were not shot, with all pigs unhurt; None, if none are left or the game is won.
    """

    won: bool
    pigs_left: int
    pig_life: float
    nearest: float
    after: Level | None = None


Simulate = Callable[[Level, Sequence[Shot]], SimulationResult]
Strategy = Callable[[Any, np.random.Generator, Simulate], Choice]  # of what its view shows


class View(StrEnum):
    """How an agent sees the game: as a `SymbolicState`, as planes [12, 120, 160], or as a screenshot [480, 640, 3].

    Two views show more than the published agents were shown: the symbolic state without noise, and the `Level` of what is
    left. Results of agents with these are marked.
    """

    SYMBOLIC = "symbolic"
    PLANES = "planes"
    IMAGE = "image"
    SYMBOLIC_EXACT = "symbolic without noise"
    TRUTH = "truth"

    @property
    def as_published(self) -> bool:
        return self not in (View.SYMBOLIC_EXACT, View.TRUTH)


class AgentKind(StrEnum):
    """How an agent comes to its shots, which decides how often it may play a task."""

    RANDOM = "random"
    HEURISTIC = "heuristic"
    LEARNING = "learning"
    PLANNING = "planning"

    @property
    def plays(self) -> int:
        """How many independent plays of a task the published evaluation takes the mean of."""
        return {AgentKind.RANDOM: 50, AgentKind.HEURISTIC: 5}.get(self, 1)


@dataclass(frozen=True)
class Agent:
    name: str
    kind: AgentKind
    shoot: Strategy
    view: View = View.SYMBOLIC
    setup: Generalisation | None = None  # that it has learned for

    def for_template(self, template_id: str) -> "Agent | None":
        """Who plays the tasks of a template: the published learning agents have a network for each template or scenario.
        None, if the agent has learned nothing for it."""
        return self

    def learned_from(self, template_id: str) -> frozenset[str]:
        """Ids of the tasks that whoever plays this template has learned from."""
        return frozenset()
