"""Paper and pens of all previews: fonts, colours, and the anti-aliased shapes that Pillow's own drawing lacks."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw, ImageFont

from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import RGB

Rgb = tuple[int, int, int]

PAPER: Rgb = (255, 255, 255)
INK: Rgb = (27, 31, 36)
MUTED: Rgb = (95, 103, 114)
RULE: Rgb = (221, 225, 230)
SHADE: Rgb = (240, 242, 245)
GAINED: Rgb = (17, 108, 58)
LOST: Rgb = (176, 32, 32)

_SMOOTHING = 4  # shapes are drawn this many times larger and reduced


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which matplotlib brings along: unlike Pillow's built-in font it has a minus sign and a bold cut."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", name)), size)


def readable_on(color: Rgb) -> Rgb:
    """Ink or paper, whichever stands out from the colour."""
    luminance = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    return INK if luminance > 140 else PAPER


def edge_on_paper(color: Rgb) -> Rgb:
    """An outline that keeps yellow and cyan from fading into the paper."""
    return INK if readable_on(color) == INK else color


def rgb_of(spec: ObjectSpec) -> Rgb:
    return RGB[spec.color]


def seconds(frame: int) -> str:
    return f"{frame / FPS:.2f} s"


def charge_sign(charge: int) -> str:
    return {1: "+", -1: "−"}.get(charge, "0")


def text(
    image: Image.Image,
    place: tuple[float, float],
    words: str,
    size: int,
    color: Rgb = INK,
    *,
    bold: bool = False,
    anchor: str = "lm",
) -> float:
    """Write one line and return the x at which it ends. The anchor is Pillow's: `lm` is left, vertically centred."""
    pen = ImageDraw.Draw(image)
    pen.text(place, words, fill=color, font=font(size, bold), anchor=anchor)
    return place[0] + text_width(words, size, bold)


def text_width(words: str, size: int, bold: bool = False) -> float:
    return font(size, bold).getlength(words)


def polygon(image: Image.Image, points: ArrayLike, color: Rgb) -> None:
    """A filled, anti-aliased polygon with corners [n, 2]."""
    corners = np.asarray(points, float)
    low = np.floor(corners.min(axis=0)).astype(int) - 1
    high = np.ceil(corners.max(axis=0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, image.size)
    if (high <= low).any():
        return
    width, height = (high - low).tolist()
    mask = Image.new("L", (width * _SMOOTHING, height * _SMOOTHING))
    # Pillow counts pixel centres, hence the half pixel.
    outline = [tuple(corner) for corner in ((corners - low) * _SMOOTHING - 0.5).tolist()]
    ImageDraw.Draw(mask).polygon(outline, fill=255)
    image.paste(color, (int(low[0]), int(low[1])), mask.reduce(_SMOOTHING))


def disc(image: Image.Image, centre: tuple[float, float], radius: float, color: Rgb) -> None:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    polygon(image, np.stack([np.cos(turn), np.sin(turn)], axis=-1) * radius + centre, color)


def marker(image: Image.Image, centre: tuple[float, float], offsets: Sequence[tuple[float, float]], color: Rgb) -> None:
    """A small polygon around a point, with a thin paper edge that sets it off from what lies below."""
    shape = np.asarray(offsets, float)
    polygon(image, shape * 1.35 + centre, PAPER)
    polygon(image, shape + centre, color)


def tag_width(words: str, size: int) -> float:
    return max(text_width(words, size, bold=True) + 0.7 * size, 1.45 * size)


def tag(image: Image.Image, place: tuple[float, float], words: str, size: int, color: Rgb) -> float:
    """A filled label, vertically centred on `place`; returns the x at which it ends."""
    x, y = place
    width, height = tag_width(words, size), 1.45 * size
    ImageDraw.Draw(image).rounded_rectangle(
        (x, y - height / 2, x + width, y + height / 2), radius=0.3 * size, fill=color, outline=readable_on(color)
    )
    text(image, (x + width / 2, y), words, size, readable_on(color), bold=True, anchor="mm")
    return x + width


def number_tag(image: Image.Image, place: tuple[float, float], number: int, spec: ObjectSpec, size: int) -> float:
    """The object's number on its colour: its name tag in every picture."""
    return tag(image, place, str(number), size, rgb_of(spec))
