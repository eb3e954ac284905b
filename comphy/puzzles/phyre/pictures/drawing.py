"""Pictures for people: anti-aliased, at any size, with a mark on what can roll."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from comphy.puzzles.paper import PAPER, Rgb
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, Color, ShapeKind
from comphy.puzzles.phyre.world.observations.observation import RGB
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.shapes import turned

MARK_PLACE: Final = 0.55  # of the middle of a ball's mark, in radii
MARK_RADIUS: Final = 0.24
MARK_PAPER: Final = 0.6  # share of paper in the mark's colour

_SMOOTHING: Final = 4  # drawn this many times larger and reduced; bodies that adjoin show no seam, unlike blended edges
_TURN: Final = np.linspace(0, 2 * np.pi, 96, endpoint=False)
_CIRCLE: Final = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)


def draw_bodies(bodies: Sequence[SceneBody], size: int) -> Image.Image:
    """A picture of `size` x `size` pixels; later bodies cover earlier ones."""
    large = Image.new("RGB", (size * _SMOOTHING, size * _SMOOTHING), PAPER)
    pen = ImageDraw.Draw(large)
    for body in bodies:
        for outline, color in _outlines(body):
            pen.polygon(_on_paper(outline + np.array((body.x, body.y)), large.width), fill=color)
    return large.reduce(_SMOOTHING)


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


def _on_paper(points: NDArray[np.float64], width: int) -> list[tuple[float, float]]:
    """Pillow counts rows from the top, and pixels by their middles."""
    scale = width / SCENE_PIXELS
    return [(x * scale - 0.5, (SCENE_PIXELS - y) * scale - 0.5) for x, y in points.tolist()]
