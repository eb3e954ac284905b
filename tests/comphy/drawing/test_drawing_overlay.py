import numpy as np
from PIL import Image

from comphy.drawing.colors import ALARM
from comphy.drawing.overlay import Overlay, faded


def test_shapes_lie_where_they_are_drawn():
    image = Image.new("RGB", (60, 40))
    overlay = Overlay(image.size)
    overlay.dot((20, 10), 4, (200, 0, 0))
    overlay.burst((45, 30), 8, 1.0)
    overlay.merge(image)
    pixels = np.asarray(image)
    assert tuple(pixels[10, 20]) == (200, 0, 0) and tuple(pixels[30, 45]) == ALARM
    assert not pixels[:4].any() and not pixels[:, :14].any() and not pixels[16:20, 14:36].any()


def test_opacity_lets_the_picture_through():
    image = Image.new("RGB", (20, 20), (100, 100, 100))
    overlay = Overlay(image.size)
    overlay.dot((10, 10), 6, (200, 200, 200), 0.5)
    overlay.merge(image)
    assert 145 <= np.asarray(image)[10, 10, 0] <= 155


def test_faded_pictures_are_brighter_and_have_less_contrast():
    pixels = np.array([[[0, 0, 0], [200, 30, 30]]], np.uint8)
    washed = faded(pixels).astype(int)
    assert (washed >= 100).all() and np.ptp(washed) < np.ptp(pixels)
