"""Searches for shots that win a level: random search, in half of the tries around the best shots so far (hill climbing)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import MAX_STRETCH
from comphy.puzzles.phyq.world.game import POWERS, Game, Status
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Level, corners

Shots = tuple[Shot, ...]

AIMED: Final = 0.7  # share of shots that are aimed at a thing, the others at an angle
SPREAD: Final = 0.5  # metres around what is aimed at
ANGLES: Final = (-30.0, 85.0)
WEAK: Final = 0.3  # share of shots with less than the full stretch
WEAKEST: Final = 0.45
TAPS: Final = (0.3, 2.8)  # seconds
WATCHES: Final = (0.5, 5.0)  # seconds to the next shot, of hasty players
KEPT: Final = 0.6  # share of a good try's shots that are kept when it is varied, turned by about `TURN`
TURN: Final = 1.0  # degrees
NUDGES: Final = (-0.15, 0.15)  # degrees; a robust solution still wins when all its shots are turned so


@dataclass(frozen=True)
class Found:
    """A solution, and how many games it took."""

    shots: Shots
    games: int


def solve(game: Game, rng: np.random.Generator, games: int, hasty: bool = False) -> Found | None:
    """Robust shots that win the level of a game, or none after so many games.

    The shots that hurt the pigs most so far are varied in half of the tries. `hasty`: the next bird is shot before all is
    at rest.
    """
    game.restart()
    best: Shots | None = None
    least_life = game.pig_life
    for number in range(1, games + 1):
        shots = tuple(_shot(game.level, bird, rng, hasty) for bird in game.level.birds)
        if best is not None and rng.random() < 0.5:
            shots = _varied(best, shots, rng)
        won, life = game.play(shots) is Status.WON, game.pig_life
        if won and is_robust(game, used := shots[: len(shots) - game.birds_left]):
            return Found(used, number)
        if life < least_life:
            best, least_life = shots, life
    return None


def is_robust(game: Game, shots: Shots) -> bool:
    """Whether shots also win when they are turned a little, one way and the other."""
    return all(game.play([turned(shot, nudge) for shot in shots]) is Status.WON for nudge in NUDGES)


def turned(shot: Shot, degrees: float) -> Shot:
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return replace(shot, dx=cos * shot.dx - sin * shot.dy, dy=sin * shot.dx + cos * shot.dy)


def _shot(level: Level, bird: Bird, rng: np.random.Generator, hasty: bool) -> Shot:
    stretch = rng.uniform(WEAKEST, MAX_STRETCH) if rng.random() < WEAK else MAX_STRETCH
    at_things = list(_at_a_thing(level, stretch, rng)) if rng.random() < AIMED else []
    shot = at_things[rng.integers(len(at_things))] if at_things else Shot.at(rng.uniform(*ANGLES), stretch)
    tap = rng.uniform(*TAPS) if bird in POWERS else None
    return replace(shot, tap=tap, watch=rng.uniform(*WATCHES) if hasty else None)


def _at_a_thing(level: Level, stretch: float, rng: np.random.Generator) -> Iterator[Shot]:
    thing = level.things[rng.integers(len(level.things))]
    x, y = corners(thing)[rng.integers(len(corners(thing)))]
    yield from aimed_at((x + rng.normal(0.0, SPREAD), y + rng.normal(0.0, SPREAD)), stretch)


def _varied(good: Shots, fresh: Shots, rng: np.random.Generator) -> Shots:
    """Each shot is that of a good try, turned a little, or a fresh one."""
    return tuple(
        turned(old, rng.normal(0.0, TURN)) if rng.random() < KEPT else new
        for old, new in zip([*good, *fresh[len(good) :]], fresh, strict=True)
    )
