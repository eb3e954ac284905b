"""The numbers that define PHYRE: the picture, the clock, the material of all bodies, and the colour code."""

from enum import IntEnum
from typing import Final

from comphy.sim.body import Surface

SCENE_PIXELS: Final = 256  # side of the square scene; positions are pixels from its lower left corner, y up
PX: Final = 1.0 / SCENE_PIXELS  # one pixel in the fractions that templates are written in
PIXELS_PER_METRE: Final = 6.0

GRAVITY: Final = 9.8  # m/s^2
DENSITY: Final = 0.25  # kg/m^2, of everything that moves
ANGULAR_DAMPING: Final = 0.01  # share of its spin that a body loses per second
SURFACE: Final = Surface(friction=0.5, restitution=0.2)

STEPS_PER_SECOND: Final = 60
MAX_STEPS: Final = 1000
STEPS_FOR_SOLUTION: Final = 180  # consecutive steps in which the goal pair touches
DEFAULT_STRIDE: Final = 60  # steps between stored frames


class Color(IntEnum):
    """What a body is for. The values are the codes of an observation; 0 is the background."""

    RED = 1  # placed by the player
    GREEN = 2  # the first goal body; it moves
    BLUE = 3  # the second goal body, if it moves
    PURPLE = 4  # the second goal body, if it is static
    GRAY = 5  # moves, not of the goal
    BLACK = 6  # static, not of the goal


class ShapeKind(IntEnum):
    """The vocabulary of shapes. The values are the places in a feature vector's one-hot."""

    BALL = 0
    BAR = 1
    JAR = 2
    STANDING_STICKS = 3
