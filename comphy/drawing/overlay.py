"""Translucent shapes over a video frame. All shapes of a frame are drawn on one large sheet and reduced together."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from comphy.drawing.canvas import Point
from comphy.drawing.colors import ALARM, PAPER, Rgb

_SUPERSAMPLING: Final = 2
_FADED_TO: Final = 214.0  # the gray that faded frames come near
_RAYS: Final = 10
_DASHES: Final = 14  # of a ring


def faded(pixels: NDArray[np.uint8], share: float = 0.62) -> NDArray[np.uint8]:
    """A picture that steps back behind what is drawn over it."""
    gray = pixels.mean(axis=-1, keepdims=True)
    washed = (0.5 * pixels + 0.5 * gray) * (1 - share) + _FADED_TO * share
    return washed.astype(np.uint8)


class Overlay:
    """Smooth shapes over a picture, in the picture's coordinates. `merge` puts them on it."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._sheet = Image.new("RGBA", (size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING))
        self._pen = ImageDraw.Draw(self._sheet)

    def merge(self, image: Image.Image) -> None:
        shapes = self._sheet.reduce(_SUPERSAMPLING)
        image.paste(shapes, (0, 0), shapes)

    def path(self, points: Sequence[Point], color: Rgb, width: float, opacity: float = 1.0) -> None:
        if len(points) > 1:
            self._pen.line(self._scaled(points), _ink(color, opacity), self._length(width), joint="curve")

    def dot(self, place: Point, radius: float, color: Rgb, opacity: float = 1.0) -> None:
        self._pen.ellipse(self._around(place, radius), _ink(color, opacity))

    def dashed_ring(self, place: Point, radius: float, color: Rgb, width: float) -> None:
        """Around where something would be."""
        step = 360 / _DASHES
        for start in np.arange(_DASHES) * step:
            self._pen.arc(self._around(place, radius), start, start + 0.6 * step, _ink(color, 1.0), self._length(width))

    def plate(self, corners: Sequence[float], color: Rgb, opacity: float) -> None:
        """A rectangle with round corners, to write on."""
        x0, y0, x1, y1 = (value * _SUPERSAMPLING for value in corners)
        self._pen.rounded_rectangle((x0, y0, x1, y1), 0.3 * (y1 - y0), _ink(color, opacity))

    def box(self, corners: Sequence[float], color: Rgb, width: float) -> None:
        x0, y0, x1, y1 = (value * _SUPERSAMPLING for value in corners)
        self._pen.rectangle((x0, y0, x1, y1), None, _ink(color, 1.0), self._length(width))

    def burst(self, place: Point, radius: float, opacity: float) -> None:
        """Where two objects touch."""
        turns = np.arange(2 * _RAYS) * np.pi / _RAYS
        reach = np.where(np.arange(2 * _RAYS) % 2 == 0, radius, 0.55 * radius)
        star = np.stack([np.cos(turns), np.sin(turns)], axis=-1) * reach[:, None] + place
        self._pen.polygon(self._scaled([(x, y) for x, y in star.tolist()]), _ink(ALARM, opacity), _ink(PAPER, opacity))

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return [(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in points]

    def _around(self, place: Point, radius: float) -> tuple[float, float, float, float]:
        (x, y), reach = self._scaled([place])[0], radius * _SUPERSAMPLING
        return x - reach, y - reach, x + reach, y + reach

    @staticmethod
    def _length(width: float) -> int:
        return max(1, round(width * _SUPERSAMPLING))


def _ink(color: Rgb, opacity: float) -> tuple[int, int, int, int]:
    return (*color, round(255 * opacity))
