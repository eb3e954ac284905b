"""Maps of 8-bit colours: which colours an object is drawn in, and the share of each."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from comphy.drawing.canvas import painted
from comphy.drawing.colors import Rgb
from comphy.puzzles.phyq.pictures.drawing import SLING, Shape, bird_shapes, egg_shapes, sling_outline, thing_shapes
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.level import Thing

COLORS: Final = 256
ColorMap = tuple[tuple[int, float], ...]  # colours, written in bits as RRRGGGBB, and their shares
_SIZE: Final = 120  # pixels of the picture in which the colours of an object are counted
_NOTHING: Final[Rgb] = (1, 2, 3)
_PACKED: Final = np.array([1 << 16, 1 << 8, 1], np.uint32)


def thing_colors(thing: Thing) -> ColorMap:
    """They do not depend on where it is and how it is turned."""
    return _upright_colors(replace(thing, x=0.0, y=0.0, degrees=0.0))


@cache
def bird_colors(bird: Bird) -> ColorMap:
    return _counted(bird_shapes(0.0, 0.0, bird))


@cache
def egg_colors() -> ColorMap:
    return _counted(egg_shapes(0.0, 0.0, 0.0))


@cache
def sling_colors() -> ColorMap:
    return _counted([(sling_outline(), SLING)])


def color_code(color: Rgb) -> int:
    """8 bits: RRRGGGBB."""
    red, green, blue = color
    return (red >> 5) << 5 | (green >> 5) << 2 | blue >> 6


@cache
def _upright_colors(thing: Thing) -> ColorMap:
    return _counted(thing_shapes(thing))


def _counted(drawn: Iterable[Shape]) -> ColorMap:
    shapes = list(drawn)
    xs, ys = zip(*shapes[0][0], strict=True)
    left, bottom = min(xs), min(ys)
    scale = _SIZE / max(max(xs) - left, max(ys) - bottom)
    larger = [([((x - left) * scale, (y - bottom) * scale) for x, y in outline], color) for outline, color in shapes]
    pixels = np.asarray(painted((_SIZE, _SIZE), _NOTHING, larger, 1), np.uint32).reshape(-1, 3)
    areas: dict[int, int] = {}
    # Colours as single numbers: rows of three are found fifty times as slowly.
    for packed, count in zip(*np.unique(pixels @ _PACKED, return_counts=True), strict=True):
        color = (int(packed) >> 16, int(packed) >> 8 & 255, int(packed) & 255)
        if color != _NOTHING:
            code = color_code(color)
            areas[code] = areas.get(code, 0) + int(count)
    return tuple((code, area / sum(areas.values())) for code, area in sorted(areas.items()))
