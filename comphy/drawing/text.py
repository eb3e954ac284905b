"""Letters: fonts, single lines, and filled tags."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from comphy.drawing.canvas import Point
from comphy.drawing.colors import FRAME, INK, MUTED, PAPER, Rgb, readable_on

TITLE_HEIGHT: Final = 46  # pixels above a picture with a title


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which matplotlib brings along: unlike Pillow's built-in font it has a minus sign and a bold cut."""
    import matplotlib

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", name)), size)


@cache
def caption_font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's built-in font: narrower, for captions of plain letters."""
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont)
    return found


def text(
    image: Image.Image,
    place: Point,
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


@lru_cache(1024)
def text_width(words: str, size: int, bold: bool = False) -> float:
    return font(size, bold).getlength(words)


def wrapped(words: str, size: int, width: float, lines: int, bold: bool = False) -> list[str]:
    """Words in lines of at most `width` pixels; what is too much for them ends in dots. Never less than one line."""
    found = [""]
    for word in words.split():
        longer = f"{found[-1]} {word}".strip()
        if text_width(longer, size, bold) <= width:
            found[-1] = longer
        elif len(found) < lines:
            found.append(word)
        else:
            found[-1] += " …"
            break
    return found


def tag_width(words: str, size: int) -> float:
    return max(text_width(words, size, bold=True) + 0.7 * size, 1.45 * size)


def tag(image: Image.Image, place: Point, words: str, size: int, color: Rgb) -> float:
    """A filled label that begins at `place`, vertically centred on it; returns the x at which it ends."""
    x, y = place
    width, height = tag_width(words, size), 1.45 * size
    ImageDraw.Draw(image).rounded_rectangle(
        (x, y - height / 2, x + width, y + height / 2), radius=0.3 * size, fill=color, outline=readable_on(color)
    )
    text(image, (x + width / 2, y), words, size, readable_on(color), bold=True, anchor="mm")
    return x + width


def titled(picture: Image.Image, title: str, verdict: str, seconds: float) -> Image.Image:
    """A frame of a film: the picture below what it shows, what becomes of it, and the time."""
    frame = Image.new("RGB", (picture.width, picture.height + TITLE_HEIGHT), PAPER)
    frame.paste(picture, (0, TITLE_HEIGHT))
    pen = ImageDraw.Draw(frame)
    pen.line((0, TITLE_HEIGHT - 1, picture.width, TITLE_HEIGHT - 1), fill=FRAME)
    pen.text((10, 6), title, fill=INK, font=caption_font(15))
    pen.text((10, 26), verdict, fill=MUTED, font=caption_font(13))
    pen.text((picture.width - 10, 26), f"{seconds:.1f} s", fill=MUTED, font=caption_font(13), anchor="ra")
    return frame
