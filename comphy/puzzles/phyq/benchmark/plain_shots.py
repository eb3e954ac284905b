"""Shots of the two simplest published players, which know no physics but the flight of birds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.scene import PIXELS_PER_METRE
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
