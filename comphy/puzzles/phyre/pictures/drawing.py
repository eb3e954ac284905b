"""Pictures for people: anti-aliased, at any size, with a mark on what can roll."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from comphy.drawing.canvas import painted
from comphy.drawing.colors import PAPER, Rgb
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, Color, ShapeKind
from comphy.puzzles.phyre.world.observations.observation import RGB
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.shapes import turned

MARK_PLACE: Final = 0.55  # of the middle of a ball's mark, in radii
MARK_RADIUS: Final = 0.24
MARK_PAPER: Final = 0.6  # share of paper in the mark's colour

_SUPERSAMPLING: Final = 4
_TURN: Final = np.linspace(0, 2 * np.pi, 96, endpoint=False)
_CIRCLE: Final = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)


def draw_bodies(bodies: Sequence[SceneBody], size: int) -> Image.Image:
    """A picture of `size` x `size` pixels; later bodies cover earlier ones."""
    shapes = (
        (_in_pixels(outline + np.array((body.x, body.y)), size), color)
        for body in bodies
        for outline, color in _outlines(body)
    )
    return painted((size, size), PAPER, shapes, _SUPERSAMPLING)


def rgb_of(color: Color) -> Rgb:
    red, green, blue = RGB[color].tolist()
    return (red, green, blue)


def mark_of(color: Color) -> Rgb:
    """A paler cut of the colour."""
    red, green, blue = (round(part + (255 - part) * MARK_PAPER) for part in rgb_of(color))
    return (red, green, blue)


def _outlines(body: SceneBody) -> list[tuple[NDArray[np.float64], Rgb]]:
    """Polygons [n, 2] around the centre of mass with their colours, in painting order."""
    if body.shape.kind is not ShapeKind.BALL:
        return [(turned(slab.corners, body.angle), rgb_of(body.color)) for slab in body.shape.slabs]
    disc = (_CIRCLE * body.shape.radius, rgb_of(body.color))
    if body.static:
        return [disc]
    mark = turned((_CIRCLE * MARK_RADIUS + (0.0, MARK_PLACE)) * body.shape.radius, body.angle)
    return [disc, (mark, mark_of(body.color))]


def _in_pixels(points: NDArray[np.float64], width: int) -> list[tuple[float, float]]:
    """Of the picture, whose rows are counted from the top."""
    scale = width / SCENE_PIXELS
    return [(x * scale, (SCENE_PIXELS - y) * scale) for x, y in points.tolist()]
