"""Pens for pictures of imagined motion. All shapes of a frame are drawn on one large sheet and reduced, which smooths
them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Rgb = tuple[int, int, int]
Point = tuple[float, float]

NIGHT: Final[Rgb] = (22, 25, 30)
BRIGHT: Final[Rgb] = (238, 240, 243)
DIM: Final[Rgb] = (150, 158, 168)
MARK: Final[Rgb] = (255, 196, 0)
ALARM: Final[Rgb] = (255, 84, 60)
WHITE: Final[Rgb] = (255, 255, 255)
_SMOOTHING: Final = 3
_PAPER: Final = 214.0
_RAYS: Final = 10


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", name)), size)


def write(image: Image.Image, place: Point, words: str, size: int, color: Rgb = BRIGHT, bold: bool = False) -> None:
    """One line, vertically centred on its place, from there to the right."""
    ImageDraw.Draw(image).text(place, words, fill=color, font=font(size, bold), anchor="lm")


def tag(image: Image.Image, place: Point, words: str, size: int, color: Rgb) -> None:
    """A small filled label with its middle at the place, kept inside the picture."""
    width, height = font(size, bold=True).getlength(words) + size, 1.6 * size
    x = min(max(place[0] - width / 2, 2), image.width - width - 2)
    y = min(max(place[1] - height / 2, 2), image.height - height - 2)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((x, y, x + width, y + height), radius=0.4 * size, fill=color)
    pen.text((x + width / 2, y + height / 2), words, fill=NIGHT, font=font(size, bold=True), anchor="mm")


def pale(pixels: NDArray[np.uint8], share: float = 0.62) -> NDArray[np.uint8]:
    """A picture that steps back behind what is drawn over it."""
    gray = pixels.mean(axis=-1, keepdims=True)
    faded = (0.5 * pixels + 0.5 * gray) * (1 - share) + _PAPER * share
    return faded.astype(np.uint8)


class Overlay:
    """Smooth shapes over a picture, in the picture's coordinates. `merge` puts them on it."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._sheet = Image.new("RGBA", (size[0] * _SMOOTHING, size[1] * _SMOOTHING))
        self._pen = ImageDraw.Draw(self._sheet)

    def merge(self, image: Image.Image) -> None:
        shapes = self._sheet.reduce(_SMOOTHING)
        image.paste(shapes, (0, 0), shapes)

    def path(self, points: Sequence[Point], color: Rgb, width: float, opacity: float = 1.0) -> None:
        if len(points) > 1:
            self._pen.line(self._scaled(points), _ink(color, opacity), self._length(width), joint="curve")

    def dot(self, place: Point, radius: float, color: Rgb, opacity: float = 1.0) -> None:
        self._pen.ellipse(self._around(place, radius), _ink(color, opacity))

    def ring(self, place: Point, radius: float, color: Rgb, width: float, opacity: float = 1.0) -> None:
        self._pen.ellipse(self._around(place, radius), None, _ink(color, opacity), self._length(width))

    def block(self, place: Point, radius: float, rounding: float, color: Rgb, opacity: float) -> None:
        """A square with a light edge; `rounding` from 0 to 1 makes it a disc."""
        corners = self._around(place, radius)
        self._pen.rounded_rectangle(
            corners,
            radius * rounding * _SMOOTHING,
            fill=_ink(color, opacity),
            outline=_ink(WHITE, 1.0),
            width=self._length(1.5),
        )

    def box(self, corners: Sequence[float], color: Rgb, width: float) -> None:
        x0, y0, x1, y1 = (value * _SMOOTHING for value in corners)
        self._pen.rectangle((x0, y0, x1, y1), None, _ink(color, 1.0), self._length(width))

    def burst(self, place: Point, radius: float, opacity: float) -> None:
        """Where two objects touch."""
        turns = np.arange(2 * _RAYS) * np.pi / _RAYS
        reach = np.where(np.arange(2 * _RAYS) % 2 == 0, radius, 0.55 * radius)
        star = np.stack([np.cos(turns), np.sin(turns)], axis=-1) * reach[:, None] + place
        self._pen.polygon(self._scaled([(x, y) for x, y in star.tolist()]), _ink(ALARM, opacity), _ink(WHITE, opacity))

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return [(x * _SMOOTHING, y * _SMOOTHING) for x, y in points]

    def _around(self, place: Point, radius: float) -> tuple[float, float, float, float]:
        (x, y), reach = self._scaled([place])[0], radius * _SMOOTHING
        return x - reach, y - reach, x + reach, y + reach

    @staticmethod
    def _length(width: float) -> int:
        return max(1, round(width * _SMOOTHING))


def _ink(color: Rgb, opacity: float) -> tuple[int, int, int, int]:
    return (*color, round(255 * opacity))
