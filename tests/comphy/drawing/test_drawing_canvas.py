"""Shapes cover the area that they should, and are smooth at the edges."""

import numpy as np
import pytest
from PIL import Image

from comphy.drawing.canvas import disc, painted, polygon
from comphy.drawing.colors import INK, PAPER, readable_on
from comphy.scene.vocabulary import RGB, Color

GRAY = (120, 120, 120)
RED = RGB[Color.RED]


def blank(width: int = 100, height: int = 80) -> Image.Image:
    return Image.new("RGB", (width, height), GRAY)


def test_polygons_are_smooth_and_in_place():
    image = blank()
    polygon(image, [(10, 10), (30, 10), (30, 20), (10, 20)], RED)
    pixels = np.asarray(image)
    assert (pixels[10:20, 10:30] == RED).all()
    assert (np.asarray(image).reshape(-1, 3) == RED).all(-1).sum() == 200
    polygon(image, [(200, 200), (220, 200), (210, 220)], RED)  # outside: nothing to draw
    disc(image, (60, 40), 10, RED)
    covered = (GRAY[1] - np.asarray(image)[25:55, 45:75, 1].astype(float)).sum() / (GRAY[1] - RED[1])
    assert covered == pytest.approx(np.pi * 100, rel=0.02)


def test_adjoining_shapes_have_no_seam():
    left, right = [(0, 0), (10.3, 0), (10.3, 20), (0, 20)], [(10.3, 0), (20, 0), (20, 20), (10.3, 20)]
    assert (np.asarray(painted((20, 20), PAPER, [(left, INK), (right, INK)], 4)) == INK).all()
    assert (np.asarray(painted((20, 20), PAPER, [(left, INK)], 4))[:, 11:] == PAPER).all()


def test_words_on_colors_have_contrast():
    """At least 4.5 : 1, as the web accessibility guidelines ask of text."""
    for color in RGB.values():
        light, dark = sorted((_luminance(color), _luminance(readable_on(color))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4.5
    assert readable_on(RGB[Color.YELLOW]) == INK


def _luminance(color: tuple[int, int, int]) -> float:
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
