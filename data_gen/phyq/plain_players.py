"""The two simplest published players on a level: they show whether a game is as hard as the published one."""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.observing.scene import NOISE_PIXELS, PIXELS_PER_METRE
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES, random_shot, shot_through
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level

SIGHT_NOISE: Final = NOISE_PIXELS / PIXELS_PER_METRE  # metres, at most, between a thing and where a player sees it

Player = Callable[[Level, Bird, np.random.Generator], Shot]


def shot_anywhere(level: Level, bird: Bird, rng: np.random.Generator) -> Shot:
    return random_shot(bird, rng)


def shot_at_a_pig(level: Level, bird: Bird, rng: np.random.Generator) -> Shot:
    """Pig Shooter: a random pig, by the low or the high arc."""
    pigs = list(level.pigs)
    pig = pigs[rng.integers(len(pigs))]
    angle, radius = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.0, SIGHT_NOISE)
    target = (pig.x + radius * math.cos(angle), pig.y + radius * math.sin(angle))
    return shot_through(target, bird, rng) or Shot.at(FAR_DEGREES)
