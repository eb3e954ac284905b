"""Plays levels that an agent has made up, in an engine of its own: nothing leads from here to the game that is played."""

import math
from collections.abc import Sequence
from typing import Final

from comphy.closing import Closeable
from comphy.puzzles.phyq.benchmark.contract import SimulationResult
from comphy.puzzles.phyq.benchmark.observing.scene import waiting_birds
from comphy.puzzles.phyq.pictures.drawing import present_things
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.damage import life_of
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level, Pig
from comphy.sim.bullet import Engine

FAR: Final = 35.0  # metres; where nothing touched anything


class GameSimulator(Closeable):
    """Called with a level and shots. It keeps the last level, so simulate the same one several times in a row."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._game: Game | None = None

    def __call__(self, level: Level, shots: Sequence[Shot]) -> SimulationResult:
        if self._engine is None:
            self._engine = Engine()
        if self._game is None or self._game.level != level:
            self._game = Game(level, self._engine)
        game = self._game
        game.play(shots)
        whole = math.fsum(life_of(pig) for pig in level.pigs)
        return SimulationResult(
            won=game.status is Status.WON,
            pigs_left=game.pigs_left,
            pig_life=game.pig_life / max(whole, 1e-9),
            nearest=_nearest(game),
            after=level_left(game) if game.status is Status.PLAYING else None,
        )

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
        self._engine = self._game = None


def level_left(game: Game) -> Level:
    return Level(waiting_birds(game), tuple(present_things(game)))


def _nearest(game: Game) -> float:
    dead = {death.body for death in game.record.deaths}
    pigs = [
        (thing.x, thing.y)
        for body, thing in enumerate(game.level.things, FIRST_THING)
        if isinstance(thing, Pig) and body not in dead
    ]
    touched = [place for contact in game.record.contacts for place in contact.places]
    return min((_apart(pig, place) for pig in pigs for place in touched), default=FAR if pigs else 0.0)


def _apart(one: Point, other: Point) -> float:
    return math.dist(one, other)
