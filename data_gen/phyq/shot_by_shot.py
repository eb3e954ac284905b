"""Searches for the shots of several birds one after the other: every direction after each of the best beginnings (beam
search).

Random shots rarely win together. One that kills a pig, or takes a block out of the way, is seen at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Final

import numpy as np

from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot

DIRECTIONS: Final = tuple(np.arange(-10.0, 84.0, 0.5).tolist())  # degrees, at full stretch
BEGINNINGS: Final = 5  # that are gone on with, after each bird

Shots = tuple[Shot, ...]


@dataclass(frozen=True, order=True)
class Outcome:
    """What shots have come to. The greater, the better: what there should be less of is negative."""

    pigs_left: int
    pig_life: float
    cleared: int  # blocks out of the way


@dataclass(frozen=True)
class Run:
    """Directions side by side of which the same comes: the wider, the less it matters to be exact."""

    outcome: Outcome
    status: Status
    beginning: Shots
    directions: tuple[float, ...]

    @property
    def shots(self) -> Shots:
        return (*self.beginning, Shot.at((self.directions[0] + self.directions[-1]) / 2))


def shot_by_shot(game: Game, outcome: Callable[[], Outcome]) -> Iterator[Shots]:
    """Shots that win, the least exact ones first. `outcome`: of what has been played."""
    beginnings: list[Shots] = [()]
    for _ in game.level.birds:
        runs: list[Run] = []
        for beginning in beginnings:
            of_beginning = list(_runs(game, beginning, outcome))
            won = [run for run in of_beginning if run.status is Status.WON]
            yield from (run.shots for run in sorted(won, key=lambda run: -len(run.directions)))
            runs += [run for run in of_beginning if run.status is Status.PLAYING]
        runs.sort(key=lambda run: (run.outcome, len(run.directions)), reverse=True)
        beginnings = [run.shots for run in runs[:BEGINNINGS]]


def _runs(game: Game, beginning: Shots, outcome: Callable[[], Outcome]) -> Iterator[Run]:
    def result(degrees: float) -> tuple[Status, Outcome]:
        status, found = game.play((*beginning, Shot.at(degrees))), outcome()
        return status, replace(found, pig_life=round(found.pig_life))

    for (status, found), run in groupby(((result(degrees), degrees) for degrees in DIRECTIONS), key=itemgetter(0)):
        yield Run(found, status, beginning, tuple(degrees for _, degrees in run))
