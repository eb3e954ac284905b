"""Pictures of observations: values, marked pixels, and the line that says whether a task was solved."""

import numpy as np

from comphy.puzzles.phyre.vis import observations_to_float_rgb, observations_to_uint8_rgb
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.observations.observation import RGB


def scene() -> np.ndarray:
    codes = np.zeros((256, 256), dtype=np.uint8)
    codes[10, 20] = Color.BLUE
    return codes


def test_floats_are_shares_of_255() -> None:
    picture = observations_to_float_rgb(scene())
    assert picture.shape == (256, 256, 3) and picture.dtype == np.float64
    np.testing.assert_allclose(picture[255 - 10, 20], (0x18 / 255, 0x77 / 255, 0xF2 / 255))
    assert picture.max() == 1.0


def test_pixels_are_marked_where_they_are_in_the_scene() -> None:
    picture = observations_to_uint8_rgb(scene(), user_input=[(3, 200), (256, 0), (0, -1)])
    np.testing.assert_array_equal(picture[255 - 200, 3], (255, 0, 0))
    assert (picture == (255, 0, 0)).all(axis=-1).sum() == 1, "the others are outside"


def test_a_line_says_whether_the_task_was_solved() -> None:
    codes = np.stack([scene(), scene()])
    plain = observations_to_uint8_rgb(codes)
    for is_solved, strongest in ((True, 1), (False, 0)):
        picture = observations_to_uint8_rgb(codes, is_solved=is_solved)
        assert picture.shape == (2, 261, 256, 3)
        np.testing.assert_array_equal(picture[:, 5:], plain)
        assert (picture[:, :5, 5:-5].argmax(axis=-1) == strongest).all(), "green or red"
        assert (picture[:, :5, [0, 4, 251, 255]] == RGB[0]).all()
