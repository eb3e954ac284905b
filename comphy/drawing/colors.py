"""The palette: colours of paper and ink, of dark films, and which of two colours is readable on a third."""

from typing import Final

Rgb = tuple[int, int, int]

PAPER: Final[Rgb] = (255, 255, 255)
INK: Final[Rgb] = (27, 31, 36)
MUTED: Final[Rgb] = (95, 103, 114)
RULE: Final[Rgb] = (221, 225, 230)
FRAME: Final[Rgb] = (214, 219, 225)  # darker than a rule: the border of a picture on paper
SHADE: Final[Rgb] = (240, 242, 245)
GAINED: Final[Rgb] = (17, 108, 58)
LOST: Final[Rgb] = (176, 32, 32)

# Of films on a dark ground.
NIGHT: Final[Rgb] = (22, 25, 30)
BRIGHT: Final[Rgb] = (238, 240, 243)
DIM: Final[Rgb] = (150, 158, 168)
MARK: Final[Rgb] = (255, 196, 0)
ALARM: Final[Rgb] = (255, 84, 60)


def readable_on(color: Rgb) -> Rgb:
    """Ink or paper, whichever has more contrast with the colour (by its relative luminance)."""
    luminance = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    return INK if luminance > 140 else PAPER


def edge_on_paper(color: Rgb) -> Rgb:
    """An outline that keeps yellow and cyan from fading into the paper."""
    return INK if readable_on(color) == INK else color
