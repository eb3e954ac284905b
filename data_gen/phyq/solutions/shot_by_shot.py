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


@dataclass(frozen=True)
class ShotsResult:
    """What shots have come to."""

    pigs_left: int
    pig_life: float  # hit points of all of them
    cleared: int  # blocks out of the way

    @property
    def merit(self) -> tuple[int, float, int]:
        """The greater, the better."""
        return -self.pigs_left, -self.pig_life, self.cleared


@dataclass(frozen=True)
class Run:
    """Neighbouring directions with the same outcome: the more, the less exactness a shot needs."""

    outcome: ShotsResult
    status: Status
    beginning: Shots
    directions: tuple[float, ...]

    @property
    def shots(self) -> Shots:
        return (*self.beginning, Shot.at((self.directions[0] + self.directions[-1]) / 2))


def shot_by_shot(game: Game, outcome: Callable[[], ShotsResult]) -> Iterator[Shots]:
    """Shots that win, those first that need the least exactness. `outcome` tells what the last game came to."""
    beginnings: list[Shots] = [()]
    for _ in game.level.birds:
        runs: list[Run] = []
        for beginning in beginnings:
            of_beginning = list(_runs(game, beginning, outcome))
            won = [run for run in of_beginning if run.status is Status.WON]
            yield from (run.shots for run in sorted(won, key=lambda run: -len(run.directions)))
            runs += [run for run in of_beginning if run.status is Status.PLAYING]
        runs.sort(key=lambda run: (run.outcome.merit, len(run.directions)), reverse=True)
        beginnings = [run.shots for run in runs[:BEGINNINGS]]


def _runs(game: Game, beginning: Shots, outcome: Callable[[], ShotsResult]) -> Iterator[Run]:
    def result(degrees: float) -> tuple[Status, ShotsResult]:
        status, found = game.play((*beginning, Shot.at(degrees))), outcome()
        return status, replace(found, pig_life=round(found.pig_life))

    for (status, found), run in groupby(((result(degrees), degrees) for degrees in DIRECTIONS), key=itemgetter(0)):
        yield Run(found, status, beginning, tuple(degrees for _, degrees in run))
