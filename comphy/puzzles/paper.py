"""What all pictures of puzzles share: paper, ink, letters, and the files they become."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Rgb = tuple[int, int, int]

INK: Final[Rgb] = (27, 31, 36)
MUTED: Final[Rgb] = (95, 103, 114)
RULE: Final[Rgb] = (214, 219, 225)
PAPER: Final[Rgb] = (255, 255, 255)
TITLE: Final = 46  # pixels above the picture of a film

_SHADES: Final = 16  # of a colour
_PALEST: Final = 0.85  # share of paper; Pillow looks for colours coarsely and would take paler ones for the paper


def font(size: int) -> ImageFont.FreeTypeFont:
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont)
    return found


def png(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def titled(picture: Image.Image, title: str, verdict: str, seconds: float) -> Image.Image:
    """A frame of a film: the picture below what it shows, what becomes of it, and the time."""
    frame = Image.new("RGB", (picture.width, picture.height + TITLE), PAPER)
    frame.paste(picture, (0, TITLE))
    pen = ImageDraw.Draw(frame)
    pen.line((0, TITLE - 1, picture.width, TITLE - 1), fill=RULE)
    pen.text((10, 6), title, fill=INK, font=font(15))
    pen.text((10, 26), verdict, fill=MUTED, font=font(13))
    pen.text((picture.width - 10, 26), f"{seconds:.1f} s", fill=MUTED, font=font(13), anchor="ra")
    return frame


def gif(frames: Sequence[Image.Image], colors: Iterable[Rgb], frame_ms: int, last_ms: int, paper: Rgb = PAPER) -> bytes:
    """An animation that plays over and over. `colors`: those in use, apart from ink, rules and the paper."""
    palette = _palette({INK, MUTED, *colors}, paper)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [frame_ms] * (len(flat) - 1) + [last_ms]
    file = BytesIO()
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, disposal=1)
    return file.getvalue()


def _palette(colors: set[Rgb], paper: Rgb) -> Image.Image:
    """The same for all frames, so that nothing flickers: the colours in use, faded to the paper in small steps."""
    count = min(_SHADES, (256 - 3) // len(colors))
    fading = np.linspace(0.0, _PALEST, count)[:, None]
    faded = [np.array(color) * (1 - fading) + np.array(paper) * fading for color in sorted(colors)]
    shades = np.concatenate([np.array(list({PAPER: None, paper: None, RULE: None})), *faded])
    image = Image.new("P", (1, 1))
    image.putpalette(np.rint(shades).astype(np.uint8).tobytes())
    return image
