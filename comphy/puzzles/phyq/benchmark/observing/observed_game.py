"""`ObservedGame`: a game whose whole state can be read between and during shots, for tests and upper bounds."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from comphy.puzzles.phyq.benchmark.observing.scene import BIRD_KINDS, Kind, kind_of, waiting_birds
from comphy.puzzles.phyq.pictures.drawing import waiting
from comphy.puzzles.phyq.world.catalog import BIRDS
from comphy.puzzles.phyq.world.game import FIRST_THING, Game

NO_LIFE: Final = 0.0  # of platforms, birds, and what dies just now


@dataclass(frozen=True)
class BodyState:
    """Of the centre of mass: metres, radians, seconds. `life`: what is left of it."""

    kind: Kind
    mass: float
    x: float
    y: float
    angle: float
    vx: float
    vy: float
    spin: float
    life: float


class ObservedGame(Game):
    def body_states(self) -> Iterator[BodyState]:
        """Things that are there, birds that fly, birds that wait."""
        for body, thing in enumerate(self.level.things, FIRST_THING):
            if body not in self.world.absent:
                yield self._state(kind_of(thing), body, self._tally.life.get(body, NO_LIFE))
        for flyer in self.flying.values():
            yield self._state(BIRD_KINDS[flyer.bird], flyer.body, NO_LIFE)
        for bird, (x, y) in waiting(waiting_birds(self)):
            yield BodyState(BIRD_KINDS[bird], BIRDS[bird].mass, x, y, 0.0, 0.0, 0.0, 0.0, NO_LIFE)

    def _state(self, kind: Kind, body: int, life: float) -> BodyState:
        (x, y, _), (_, _, sin, cos), (vx, vy, _), (_, _, spin) = self.world.state(body)
        mass = self.world.bodies[body].mass
        return BodyState(kind, mass, x, y, 2 * math.atan2(sin, cos), vx, vy, spin, life)
