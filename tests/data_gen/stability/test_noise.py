"""Noise on the table is what the stated noise in the picture means, by the camera formula of docs/format.md."""

import numpy as np
import pytest

from comphy.scene.objects import InitialState
from data_gen.stability.noise import MeasurementNoise, ground_displacement

HEIGHT = 0.2
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


def seen_at(x: float, y: float, z: float = HEIGHT) -> np.ndarray:
    cos = np.sqrt(3) / 2
    depth = 5 - cos * x - z / 2
    return np.array([240 + 525 * y / depth, 160 + 525 * (x / 2 - cos * z) / depth])


def state(x: float, y: float) -> InitialState:
    return InitialState((x, y, HEIGHT), UPRIGHT, (1.0, -0.5, 0.0), (0.0, 0.0, 0.3))


@pytest.mark.parametrize("place", [(0.0, 0.0), (1.5, -1.0), (-2.0, 1.5)])
@pytest.mark.parametrize("pixels", [(0.5, 0.0), (0.0, 0.5), (-1.2, 0.7)])
def test_the_image_moves_by_the_pixels(place: tuple[float, float], pixels: tuple[float, float]):
    dx, dy = ground_displacement((*place, HEIGHT), np.array(pixels))
    moved = seen_at(place[0] + dx, place[1] + dy) - seen_at(*place)
    assert moved == pytest.approx(pixels, abs=1e-9)


def test_a_pixel_is_longer_far_away_and_along_the_view():
    """Near the middle of the picture a pixel to the side is about depth / 525, one down about twice that."""
    _, sideways = ground_displacement((0.0, 0.0, HEIGHT), np.array([0.5, 0.0]))
    along, _ = ground_displacement((0.0, 0.0, HEIGHT), np.array([0.0, 0.5]))
    assert sideways == pytest.approx(0.5 * (5 - HEIGHT / 2) / 525, rel=1e-6)
    assert along == pytest.approx(2 * sideways, rel=0.1)
    assert ground_displacement((-2.5, 0.0, HEIGHT), np.array([0.0, 0.5]))[0] > 1.5 * along


@pytest.mark.parametrize(("outside", "row"), [((-30.0, 0.0), 0.0), ((6.5, 1.0), 320.0), ((0.0, 9.0), None)])
def test_outside_the_picture_its_border_counts(outside: tuple[float, float], row: float | None):
    """Far away near the horizon, behind the camera, and to the right, where the row is the object's own. The ray through a
    row falls by 1/2 + cos 30° (row - 160) / 525 per unit of depth, from 2.5 to the height of the object."""
    shown = seen_at(*outside)[1] if row is None else row
    depth = (2.5 - HEIGHT) / (0.5 + np.sqrt(3) / 2 * (shown - 160) / 525)
    dx, dy = ground_displacement((*outside, HEIGHT), np.array([0.5, 0.0]))
    assert dx == pytest.approx(0.0, abs=1e-12) and dy == pytest.approx(0.5 * depth / 525, rel=1e-9)


def test_measured_states_have_the_stated_noise():
    rng = np.random.default_rng(0)
    measured = MeasurementNoise().disturbed([state(0.5, 0.5)] * 4000, rng)
    pixels = np.array([seen_at(*one.position[:2]) for one in measured]) - seen_at(0.5, 0.5)
    speeds = np.array([one.velocity for one in measured]) - (1.0, -0.5, 0.0)
    assert pixels.std(axis=0) == pytest.approx([0.5, 0.5], rel=0.05)
    assert speeds.std(axis=0) == pytest.approx([0.03, 0.03, 0.0], rel=0.05)
    assert np.abs(np.corrcoef(np.hstack([pixels, speeds[:, :2]]).T) - np.eye(4)).max() < 0.06
    assert {(one.position[2], one.orientation, one.angular_velocity) for one in measured} == {
        (HEIGHT, UPRIGHT, (0.0, 0.0, 0.3))
    }


def test_no_noise_changes_nothing():
    [same] = MeasurementNoise(0.0, 0.0).disturbed([state(0.5, 0.5)], np.random.default_rng(0))
    assert same == state(0.5, 0.5)
