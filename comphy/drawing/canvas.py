"""Anti-aliased shapes, which Pillow's own drawing lacks: drawn larger and reduced (supersampling)."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw

from comphy.drawing.colors import PAPER, Rgb

Point = tuple[float, float]

_SUPERSAMPLING: Final = 4
_CENTRE: Final = 0.5  # Pillow's coordinates are those of pixel centres


def painted(
    size: tuple[int, int], ground: Rgb, shapes: Iterable[tuple[Sequence[Point], Rgb]], supersampling: int
) -> Image.Image:
    """A new picture of polygons, later ones over earlier ones. They are reduced together: where two adjoin there is no
    seam, as there would be between edges that were blended one by one."""
    large = Image.new("RGB", (size[0] * supersampling, size[1] * supersampling), ground)
    pen = ImageDraw.Draw(large)
    for outline, color in shapes:
        pen.polygon([(x * supersampling - _CENTRE, y * supersampling - _CENTRE) for x, y in outline], fill=color)
    return large.reduce(supersampling)


def polygon(image: Image.Image, points: ArrayLike, color: Rgb) -> None:
    """Draw a filled polygon with corners [n, 2] on a picture."""
    corners = np.asarray(points, float)
    low = np.floor(corners.min(axis=0)).astype(int) - 1
    high = np.ceil(corners.max(axis=0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, image.size)
    if (high <= low).any():
        return
    width, height = (high - low).tolist()
    mask = Image.new("L", (width * _SUPERSAMPLING, height * _SUPERSAMPLING))
    outline = [tuple(corner) for corner in ((corners - low) * _SUPERSAMPLING - _CENTRE).tolist()]
    ImageDraw.Draw(mask).polygon(outline, fill=255)
    image.paste(color, (int(low[0]), int(low[1])), mask.reduce(_SUPERSAMPLING))


def disc(image: Image.Image, centre: Point, radius: float, color: Rgb) -> None:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    polygon(image, np.stack([np.cos(turn), np.sin(turn)], axis=-1) * radius + centre, color)


def marker(image: Image.Image, centre: Point, offsets: Sequence[Point], color: Rgb) -> None:
    """A small polygon around a point, with a thin paper edge that sets it off from what lies below."""
    shape = np.asarray(offsets, float)
    polygon(image, shape * 1.35 + centre, PAPER)
    polygon(image, shape + centre, color)
