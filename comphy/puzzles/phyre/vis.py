"""Observations as pictures; the published package has a module of this name."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.observations.observation import RGB, Image, to_rgb

STATUS_LINE: Final = 5  # pixels: its height, and how far it ends from the left and right edge
SOLVED_RGB: Final = (11, 102, 35)
NOT_SOLVED_RGB: Final = (121, 6, 4)
POINT_RGB: Final = (255, 0, 0)


def observations_to_uint8_rgb(
    scene: Image, user_input: Sequence[tuple[int, int]] = (), is_solved: bool | None = None
) -> Image:
    """Pictures of observations, the right way up.

    Args:
        scene: observations [..., 256, 256].
        user_input: pixels (x, y from the lower left corner) to mark in red; those outside are left out.
        is_solved: draws a line above the picture, green or else dark red, which makes it five pixels higher.

    Returns:
        uint8 [..., 256, 256, 3], row 0 at the top.
    """
    picture = to_rgb(scene)
    height, width = picture.shape[-3:-1]
    for x, y in user_input:
        if 0 <= x < width and 0 <= y < height:
            picture[..., height - 1 - y, x, :] = POINT_RGB
    if is_solved is None:
        return picture
    line = np.empty((*picture.shape[:-3], STATUS_LINE, width, 3), dtype=np.uint8)
    line[...] = RGB[0]
    line[..., STATUS_LINE:-STATUS_LINE, :] = SOLVED_RGB if is_solved else NOT_SOLVED_RGB
    return np.concatenate([line, picture], axis=-3)


def observations_to_float_rgb(
    scene: Image, user_input: Sequence[tuple[int, int]] = (), is_solved: bool | None = None
) -> NDArray[np.float64]:
    """Pictures of observations as `observations_to_uint8_rgb` makes them, with values from 0 to 1.

    Args:
        scene: observations [..., 256, 256].
        user_input: pixels (x, y from the lower left corner) to mark in red; those outside are left out.
        is_solved: draws a line above the picture, green or else dark red, which makes it five pixels higher.

    Returns:
        float64 [..., 256, 256, 3], row 0 at the top."""
    return observations_to_uint8_rgb(scene, user_input, is_solved) / 255.0
