"""The closed vocabulary of ComPhy: what an object can look like and which hidden properties it can have."""

from enum import StrEnum
from typing import Final


class Color(StrEnum):
    GRAY = "gray"
    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    BROWN = "brown"
    PURPLE = "purple"
    CYAN = "cyan"
    YELLOW = "yellow"


class Shape(StrEnum):
    CUBE = "cube"
    SPHERE = "sphere"
    CYLINDER = "cylinder"


class Material(StrEnum):
    RUBBER = "rubber"
    METAL = "metal"


class Family(StrEnum):
    """Which hidden property a video set is about."""

    MASS = "mass"
    CHARGE = "charge"
    BOTH = "both"


class Direction(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


# The CLEVR palette, 8-bit sRGB.
RGB: Final[dict[Color, tuple[int, int, int]]] = {
    Color.GRAY: (87, 87, 87),
    Color.RED: (173, 35, 35),
    Color.BLUE: (42, 75, 215),
    Color.GREEN: (29, 105, 20),
    Color.BROWN: (129, 74, 25),
    Color.PURPLE: (129, 38, 192),
    Color.CYAN: (41, 208, 208),
    Color.YELLOW: (255, 238, 51),
}

LIGHT_MASS: Final = 1.0
HEAVY_MASS: Final = 5.0
CHARGES: Final = (-1, 0, 1)

# Every object has this half-size: sphere and cylinder radius, half a cube's side, half a cylinder's height.
OBJECT_RADIUS: Final = 0.2
