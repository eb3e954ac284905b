"""Whether plays end alike however they are run: quickly, after others in the same engine, or step by step in a new one.

Quick runs take flights in which nothing can be met in one go, and keep the shapes of earlier levels. Both must not change
anything: neither who wins, nor the points, nor where things lie in the end, to the bit.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from comphy.puzzles.phyq.benchmark.plain_shots import random_shot
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level
from comphy.sim.bullet import Engine


@dataclass
class Agreement:
    """How many plays were compared and won, and those that ended differently: the level and the shots."""

    plays: int = 0
    won: int = 0
    different: list[tuple[Level, tuple[Shot, ...]]] = field(default_factory=list)


def compare_plays(level: Level, count: int, rng: np.random.Generator, engine: Engine, agreement: Agreement) -> None:
    """Add so many random plays of a level. `engine` has played other levels before."""
    with Game(level, engine) as quick, Game(level) as alone:
        for _ in range(count):
            shots = tuple(random_shot(bird, rng) for bird in level.birds)
            quick.play(shots)
            alone.play(shots, lambda game: None)  # a game that is watched takes single steps
            agreement.plays += 1
            agreement.won += quick.status is Status.WON
            if outcome(quick) != outcome(alone):
                agreement.different.append((level, shots))


def outcome(game: Game) -> tuple[Hashable, ...]:
    """All that a game has come to: its end, its points, what happened, and where everything is."""
    states = tuple(game.world.state(body) for body in range(len(game.world.bodies)))
    return (str(game.status), game.score, game.world.steps, repr(game.record), repr(states))
