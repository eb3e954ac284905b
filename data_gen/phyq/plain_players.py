"""The two simplest published players, which know no physics: they show whether a game is as hard as the published one."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import GRAVITY, GROUND
from comphy.puzzles.phyq.world.game import POWERS
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Level

PIXEL: Final = 35.0 / 640.0  # metres, in the published screenshots
RANDOM_PULL: Final = ((-200.0, -10.0), (-200.0, 200.0))  # pixels, x and y
RANDOM_TAP: Final = (0.5, 0.8)  # of the way to the ground
SIGHT_NOISE: Final = 2.0  # pixels, at most, between a thing and where a player sees it
FAR_DEGREES: Final = 23.8  # of shots at what is out of reach: the published release point, pixel (-600, 560)
SHOOTER_TAPS: Final[Mapping[Bird, tuple[float, float]]] = {  # of the way to the pig
    Bird.YELLOW: (0.65, 0.9),
    Bird.WHITE: (0.5, 0.7),
    Bird.BLUE: (0.65, 0.85),
}

Player = Callable[[Level, Bird, np.random.Generator], Shot]


def random_shot(level: Level, bird: Bird, rng: np.random.Generator) -> Shot:
    """A pull anywhere to the left of the slingshot."""
    x, y = (rng.uniform(*bounds) for bounds in RANDOM_PULL)
    shot = Shot(PIXEL * x, PIXEL * y)
    share = rng.uniform(*RANDOM_TAP)
    return replace(shot, tap=share * _seconds_to(GROUND, shot)) if bird in POWERS else shot


def shot_at_a_pig(level: Level, bird: Bird, rng: np.random.Generator) -> Shot:
    """Pig Shooter: a random pig, by the low or the high arc."""
    pigs = list(level.pigs)
    pig = pigs[rng.integers(len(pigs))]
    angle, radius = rng.uniform(0.0, 2.0 * math.pi), PIXEL * rng.uniform(0.0, SIGHT_NOISE)
    arcs = aimed_at((pig.x + radius * math.cos(angle), pig.y + radius * math.sin(angle)))
    if not arcs:
        return Shot.at(FAR_DEGREES)
    shot = arcs[rng.integers(len(arcs))]
    if bird not in SHOOTER_TAPS:
        return shot
    share = rng.uniform(*SHOOTER_TAPS[bird])
    return replace(shot, tap=share * (pig.x - shot.start[0]) / max(shot.velocity[0], 1e-9))


def _seconds_to(height: float, shot: Shot) -> float:
    """From the release until the bird comes down to a height."""
    rise, fall = shot.velocity[1], shot.start[1] - height
    return (rise + math.sqrt(max(0.0, rise**2 + 2.0 * GRAVITY * fall))) / GRAVITY
