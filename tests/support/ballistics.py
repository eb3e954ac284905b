"""The motion of a bird in free flight, from the textbook."""

from comphy.puzzles.phyq.world.constants import GRAVITY, Point
from comphy.puzzles.phyq.world.launch import Shot


def position_after(shot: Shot, seconds: float) -> Point:
    """Where a bird is that hits nothing."""
    (x, y), (vx, vy) = shot.start, shot.velocity
    return (x + vx * seconds, y + vy * seconds - GRAVITY * seconds**2 / 2)
