"""The kinds of blocks, pigs and birds that a level may contain, with their shapes, masses and hit points (life).

Masses are those of the published game, quirks included: round blocks weigh the same in every material, and hollow
squares are solid. Sizes are those of the colliders, which are a tenth smaller than the pictures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comphy.puzzles.phyq.world.constants import Point


class Material(StrEnum):
    WOOD = "wood"
    STONE = "stone"
    ICE = "ice"


@dataclass(frozen=True)
class MaterialFacts:
    friction: float
    defense: float  # subtracted from the damage of every hit


MATERIALS: Final[Mapping[Material, MaterialFacts]] = {
    Material.WOOD: MaterialFacts(4.0, 2.5),
    Material.STONE: MaterialFacts(4.0, 15.0),
    Material.ICE: MaterialFacts(0.7, 2.0),
}


def rectangle(width: float, height: float) -> tuple[Point, ...]:
    x, y = width / 2, height / 2
    return ((-x, -y), (x, -y), (x, y), (-x, y))


@dataclass(frozen=True)
class BlockKind:
    """A kind of block. `outline` is relative to the position in a level, counter-clockwise and convex."""

    outline: tuple[Point, ...]
    mass: Mapping[Material, float]
    life: Mapping[Material, float]
    picture: Point  # width and height of the sprite; distractors are placed by it


_Three = tuple[float, float, float]  # of wood, stone, ice


def _block(outline: tuple[Point, ...], mass: _Three, life: _Three, picture: Point) -> BlockKind:
    return BlockKind(outline, dict(zip(Material, mass, strict=True)), dict(zip(Material, life, strict=True)), picture)


_CIRCLE: Final = (
    (-0.18, -0.375), (0.16, -0.375), (0.3323, -0.1581), (0.3591, -0.071), (0.3658, 0.0433), (0.3548, 0.097),
    (0.3094, 0.1989), (0.2712, 0.2467), (0.1687, 0.3277), (0.0943, 0.3567), (-0.084, 0.3589), (-0.1711, 0.3244),
    (-0.207, 0.3), (-0.2657, 0.2487), (-0.3289, 0.1637), (-0.3523, 0.0962), (-0.3608, -0.0331), (-0.3596, -0.0493),
    (-0.3518, -0.0934), (-0.3483, -0.1093), (-0.3278, -0.1552), (-0.313, -0.183),
)  # fmt: skip
_SMALL_CIRCLE: Final = (
    (-0.11, -0.21), (0.1, -0.21), (0.1941, -0.0801), (0.2002, -0.0279), (0.191, 0.0288), (0.1669, 0.1017),
    (0.1355, 0.1385), (0.0614, 0.1957), (-0.0504, 0.1911), (-0.1099, 0.1699), (-0.1565, 0.1219), (-0.1742, 0.0899),
    (-0.1964, 0.028), (-0.1952, -0.0451), (-0.1572, -0.1329),
)  # fmt: skip
_TRIANGLE: Final = ((-0.375, -0.375), (0.375, -0.375), (-0.375, 0.375))
_GABLE: Final = ((-0.3862, -0.3817), (0.3997, -0.3839), (0.393, -0.3692), (-0.0028, 0.3975), (-0.0152, 0.3839))

BLOCKS: Final[Mapping[str, BlockKind]] = {
    "Circle": _block(_CIRCLE, (0.4277, 0.4277, 0.4277), (200, 600, 125), (0.8, 0.8)),
    "CircleSmall": _block(_SMALL_CIRCLE, (0.1296, 0.1296, 0.1296), (150, 300, 100), (0.45, 0.45)),
    "RectBig": _block(rectangle(1.886, 0.184), (0.5205, 1.3881, 0.2603), (100, 140, 65), (2.06, 0.22)),
    "RectFat": _block(rectangle(0.7636, 0.3772), (0.432, 1.1521, 0.216), (80, 140, 53), (0.85, 0.43)),
    "RectMedium": _block(rectangle(1.5456, 0.184), (0.4266, 1.1376, 0.2133), (70, 120, 47), (1.68, 0.22)),
    "RectSmall": _block(rectangle(0.7636, 0.184), (0.2108, 0.562, 0.1054), (50, 80, 33), (0.85, 0.22)),
    "RectTiny": _block(rectangle(0.3772, 0.184), (0.1041, 0.2776, 0.0521), (40, 60, 26), (0.43, 0.22)),
    "SquareHole": _block(rectangle(0.7636, 0.7636), (1.2791, 2.7368, 0.8418), (120, 160, 70), (0.84, 0.84)),
    "SquareSmall": _block(rectangle(0.3772, 0.3772), (0.2134, 0.5691, 0.1067), (60, 100, 40), (0.43, 0.43)),
    "SquareTiny": _block(rectangle(0.184, 0.184), (0.0508, 0.1354, 0.0254), (20, 30, 13), (0.22, 0.22)),
    "Triangle": _block(_TRIANGLE, (0.4218, 1.1248, 0.2109), (80, 140, 53), (0.82, 0.82)),
    "TriangleHole": _block(_GABLE, (0.4042, 1.078, 0.2021), (70, 140, 48), (0.82, 0.82)),
}


# Convex hulls of the published colliders.
_SMALL_PIG: Final = (
    (-0.2345, -0.0491), (-0.2266, -0.1015), (-0.1958, -0.1541), (-0.1596, -0.182), (-0.0789, -0.2196),
    (0.0819, -0.2227), (0.146, -0.1833), (0.2093, -0.1294), (0.226, -0.0744), (0.2295, -0.0468), (0.2249, -0.0155),
    (0.2078, 0.025), (0.1755, 0.0889), (0.0528, 0.2263), (0.0141, 0.2266), (-0.1464, 0.1966), (-0.1664, 0.1898),
    (-0.1792, 0.1555), (-0.2278, 0.0059),
)  # fmt: skip
_MEDIUM_PIG: Final = (
    (-0.3917, -0.0781), (-0.3802, -0.1765), (-0.3369, -0.2407), (-0.2753, -0.3046), (-0.1908, -0.3777), (0.2, -0.38),
    (0.2523, -0.3391), (0.2939, -0.3042), (0.3671, -0.2198), (0.3873, -0.1325), (0.3873, -0.0327), (0.357, 0.0446),
    (0.273, 0.2508), (0.2491, 0.3036), (0.1922, 0.3259), (-0.0411, 0.3714), (-0.1007, 0.3762), (-0.1376, 0.3623),
    (-0.3113, 0.1215), (-0.3655, 0.0356),
)  # fmt: skip
_BIG_PIG: Final = (
    (-0.4928, -0.1554), (-0.455, -0.2646), (-0.4318, -0.3058), (-0.3251, -0.4125), (-0.2432, -0.4786),
    (0.2327, -0.4773), (0.3579, -0.3973), (0.4062, -0.3472), (0.4785, -0.2438), (0.4986, -0.1457), (0.4941, -0.0589),
    (0.4667, 0.0509), (0.3418, 0.3695), (0.3135, 0.4036), (0.2492, 0.4175), (-0.0715, 0.4815), (-0.1158, 0.4842),
    (-0.1627, 0.463), (-0.4028, 0.1553), (-0.4397, 0.0936), (-0.4496, 0.0736), (-0.4793, -0.0066), (-0.4919, -0.0571),
)  # fmt: skip


@dataclass(frozen=True)
class PigKind:
    outline: tuple[Point, ...]
    mass: float
    life: float


PIG_FRICTION: Final = 0.7
PIG_DEFENSE: Final = 1.0
PIGS: Final[Mapping[str, PigKind]] = {
    "BasicSmall": PigKind(_SMALL_PIG, 0.1508, 1.0),
    "BasicMedium": PigKind(_MEDIUM_PIG, 0.4307, 15.0),
    "BasicBig": PigKind(_BIG_PIG, 0.7019, 80.0),
}


@dataclass(frozen=True)
class BirdKind:
    """A kind of bird. `sharpness` is the damage multiplier for each material."""

    radius: float
    mass: float
    friction: float
    bounce: float
    sharpness: Mapping[Material, float]


def _bird(radius: float, mass: float, friction: float, bounce: float, sharpness: _Three = (1.0, 1.0, 1.0)) -> BirdKind:
    return BirdKind(radius, mass, friction, bounce, dict(zip(Material, sharpness, strict=True)))


class Bird(StrEnum):
    RED = "red"
    YELLOW = "yellow"
    BLUE = "blue"
    BLACK = "black"
    WHITE = "white"


BIRDS: Final[Mapping[Bird, BirdKind]] = {
    Bird.RED: _bird(0.17, 0.5448, 0.3, 0.43),
    Bird.YELLOW: _bird(0.16, 0.4825, 0.4, 0.16, (2.4, 1.0, 1.2)),
    Bird.BLUE: _bird(0.18, 0.458, 0.3, 0.25, (1.0, 1.0, 4.0)),
    Bird.BLACK: _bird(0.2, 0.754, 0.3, 0.03, (1.0, 2.5, 1.0)),
    Bird.WHITE: _bird(0.26, 0.8495, 0.3, 0.23, (0.8, 1.0, 0.8)),
}


@dataclass(frozen=True)
class Explosion:
    """Damage and impulse at the centre; both fall off linearly to zero at the radius. Obstacles do not shield."""

    radius: float
    impulse: float
    damage: float


EXPLOSIONS: Final[Mapping[str, Explosion]] = {
    "black": Explosion(3.0, 4.0, 20.0),
    "egg": Explosion(2.0, 2.0, 200.0),
    "TNT": Explosion(2.5, 4.0, 100.0),
}
BOOST: Final = 4.0  # impulse of a yellow bird along its flight
SPLIT_DEGREES: Final = (15.0, 5.0, -5.0)  # of a split blue bird, from its heading; asymmetric in the game too
EGG_SPEED: Final = 6.0  # m/s down, of a white bird's egg
LIGHTENED: Final = 10.0  # upward impulse on the white bird after it dropped the egg
EGG_SIZE: Final = (0.45, 0.58)
EGG_MASS: Final = 0.2485
TNT_SIDE: Final = 0.64
TNT_MASS: Final = 0.4096
TNT_LIFE: Final = 3.0

PIG_POINTS: Final = 5000
BLOCK_POINTS: Final = 500
POINTS_PER_PIG_SPEED: Final = 100  # for each m/s of a bird that hits a pig and does not kill it
POINTS_PER_DAMAGE: Final[Mapping[Material, int]] = {Material.WOOD: 1, Material.STONE: 2, Material.ICE: 1}
UNUSED_BIRD_POINTS: Final = 10000
