"""Observations: what a scene looks like as 256 x 256 colour codes, and as a picture for people."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import SCENE_PIXELS
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.shapes import distance

Image = NDArray[np.uint8]

# Background, then the colours in the order of their codes.
RGB: Final = np.array(
    [(255, 255, 255), (243, 79, 70), (107, 206, 187), (24, 119, 242), (75, 74, 164), (185, 202, 210), (0, 0, 0)],
    dtype=np.uint8,
)
NUM_COLORS: Final = len(RGB)


def observation(bodies: Sequence[SceneBody]) -> Image:
    """Colour codes [256, 256], row 0 at the bottom; later bodies cover earlier ones. A pixel belongs to what its
    middle lies in."""
    picture = np.zeros((SCENE_PIXELS, SCENE_PIXELS), dtype=np.uint8)
    for body in bodies:
        _paint(picture, body)
    return picture


def to_rgb(observations: Image) -> Image:
    """Pictures [..., 256, 256, 3] of observations [..., 256, 256], the right way up: row 0 at the top."""
    return RGB[observations[..., ::-1, :]]


def _paint(picture: Image, body: SceneBody) -> None:
    left, bottom, right, top = body.bounds
    columns, rows = _pixels(left, right), _pixels(bottom, top)
    x, y = np.arange(columns.start, columns.stop) + 0.5, np.arange(rows.start, rows.stop) + 0.5
    middles = np.stack(np.meshgrid(x - body.x, y - body.y), axis=-1)
    picture[rows, columns][distance(body.shape, body.angle, middles) <= 0.0] = body.color


def _pixels(low: float, high: float) -> slice:
    """The pixels whose middles may lie between two coordinates, within the picture."""
    start = min(SCENE_PIXELS, max(0, math.floor(low)))
    return slice(start, max(start, min(SCENE_PIXELS, math.ceil(high))))
