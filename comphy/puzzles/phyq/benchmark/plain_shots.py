"""Shots of the two simplest published players, which know no physics but the flight of birds, and of the learning ones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.observing.scene import PIXELS_PER_METRE
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.game import POWERS
from comphy.puzzles.phyq.world.launch import Shot, aimed_at

RANDOM_PULL: Final = ((-200.0, -10.0), (-200.0, 200.0))  # pixels to the right and up
RANDOM_TAP: Final = (0.5, 0.8)  # of the time to the ground
FAR_DEGREES: Final = 23.8  # of shots at what is out of reach: the published release point, pixel (-600, 560)
SHOOTER_TAPS: Final[Mapping[Bird, tuple[float, float]]] = {  # of the way to the pig
    Bird.YELLOW: (0.65, 0.9),
    Bird.WHITE: (0.5, 0.7),
    Bird.BLUE: (0.65, 0.85),
}
DEGREES: Final = 180  # actions of learning agents
LOWEST_DEGREE: Final = -90
# Of the time to the ground, between which the published environment taps where the agent does not say.
PUBLISHED_TAPS: Final[Mapping[Bird, tuple[float, float]]] = {
    Bird.YELLOW: (0.65, 0.89),
    Bird.WHITE: (0.5, 0.69),
    Bird.BLUE: (0.65, 0.84),
}


def degree_shot(action: int, bird: Bird, rng: np.random.Generator) -> Shot:
    """Actions 0 to 179: release at -90 to 89 degrees, at full stretch, with a tap as the published environment has it."""
    shot = Shot.at(float(LOWEST_DEGREE + action))
    if bird not in PUBLISHED_TAPS:
        return shot
    return replace(shot, tap=float(rng.uniform(*PUBLISHED_TAPS[bird])) * seconds_to_ground(shot))


def random_shot(bird: Bird, rng: np.random.Generator) -> Shot:
    """A pull anywhere to the left of the slingshot."""
    x, y = (rng.uniform(*bounds) / PIXELS_PER_METRE for bounds in RANDOM_PULL)
    shot = Shot(x, y)
    tap = rng.uniform(*RANDOM_TAP) * seconds_to_ground(shot)
    return replace(shot, tap=tap) if bird in POWERS else shot


def shot_through(target: Point, bird: Bird, rng: np.random.Generator) -> Shot | None:
    """By the low or the high arc, with the tap of Pig Shooter; None if it is out of reach."""
    arcs = aimed_at(target)
    if not arcs:
        return None
    shot = arcs[rng.integers(len(arcs))]
    return tapped_on_the_way(shot, target, rng.uniform(*SHOOTER_TAPS[bird])) if bird in SHOOTER_TAPS else shot


def tapped_on_the_way(shot: Shot, target: Point, share: float) -> Shot:
    """With a tap at a share of the time to a target on its path."""
    return replace(shot, tap=share * (target[0] - shot.start[0]) / max(shot.velocity[0], 1e-9))
