"""Letters that exist, and tags that stay in the picture."""

import numpy as np
from PIL import Image

from comphy.drawing.text import centred_tag, font


def test_fonts_have_the_signs_that_are_used():
    missing = font(20).getmask("\U0010ffff").getbbox(), bytes(font(20).getmask("\U0010ffff"))
    for sign in "−·×–…":
        for bold in (False, True):
            mask = font(20, bold).getmask(sign)
            assert (mask.getbbox(), bytes(mask)) != missing


def test_labels_stay_inside_the_picture():
    image = Image.new("RGB", (100, 50))
    centred_tag(image, (99, 1), "heavier", 11, (255, 196, 0))
    pixels = np.asarray(image).any(axis=-1)
    assert pixels.any() and not pixels[:, -1].any() and not pixels[0].any()
