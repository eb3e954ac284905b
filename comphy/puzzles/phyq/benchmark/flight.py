"""How long a bird flies if nothing is in its way."""

import math

from comphy.puzzles.phyq.world.constants import GRAVITY, GROUND
from comphy.puzzles.phyq.world.launch import Shot


def seconds_to_ground(shot: Shot) -> float:
    """From the release until the bird comes down to the ground."""
    rise, height = shot.velocity[1], shot.start[1] - GROUND
    return (rise + math.sqrt(rise**2 + 2.0 * GRAVITY * max(height, 0.0))) / GRAVITY
