"""Closed-form coasting against numerical integration of v' = -(slide + drag v)."""

import math

import numpy as np
import pytest

from comphy.scene.vocabulary import Shape
from data_gen.sampling.motion import FreeMotion

MOTIONS = [FreeMotion(0.24, 0.152), FreeMotion(0.0, 0.158), FreeMotion(1.5, 0.01)]


def integrated(motion: FreeMotion, speed: float, seconds: float) -> tuple[float, float]:
    """Distance and speed left, by the midpoint rule."""
    step, distance = 1e-4, 0.0
    for _ in range(round(seconds / step)):
        middle = max(0.0, speed - (motion.slide + motion.drag * speed) * step / 2)
        distance += middle * step
        speed = max(0.0, speed - (motion.slide + motion.drag * middle) * step) if speed > 0 else 0.0
    return distance, speed


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize(("speed", "seconds"), [(0.3, 0.5), (1.0, 2.0), (2.5, 5.0)])
def test_distance_is_that_of_integration(motion: FreeMotion, speed: float, seconds: float) -> None:
    expected, _ = integrated(motion, speed, seconds)
    assert float(motion.travelled(speed, np.array(seconds))) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("motion", MOTIONS)
def test_launch_speed_leaves_the_arrival_speed(motion: FreeMotion) -> None:
    launch = motion.launch_speed(0.4, 1.5)
    assert launch > 0.4
    assert integrated(motion, launch, 1.5)[1] == pytest.approx(0.4, abs=1e-3)


def test_a_sliding_object_stops_and_stays() -> None:
    motion = FreeMotion(0.24, 0.152)
    stop = motion.stop_time(1.0)
    assert integrated(motion, 1.0, stop - 0.02)[1] == pytest.approx(0.24 * 0.02, rel=0.05)
    assert integrated(motion, 1.0, stop + 0.02)[1] == 0.0
    at_rest, later = motion.travelled(1.0, np.array([stop, stop + 10.0]))
    assert at_rest == pytest.approx(later)


def test_a_rolling_ball_never_stops_but_gets_no_farther_than_speed_over_drag() -> None:
    motion = FreeMotion(0.0, 0.158)
    assert motion.stop_time(1.0) == math.inf
    assert float(motion.travelled(1.0, np.array(1e4))) == pytest.approx(1.0 / 0.158)


def test_an_object_at_rest_stays() -> None:
    np.testing.assert_array_equal(FreeMotion(0.24, 0.152).travelled(0.0, np.linspace(0, 5, 4)), 0.0)


@pytest.mark.parametrize(
    ("shape", "constant", "slope"),
    [(Shape.SPHERE, 0.0, 0.158), (Shape.CUBE, 0.240, 0.152), (Shape.CYLINDER, 0.232, 0.157)],
)
def test_shapes_coast_as_published(shape: Shape, constant: float, slope: float) -> None:
    motion = FreeMotion.of(shape)
    assert motion.slide == pytest.approx(constant, rel=0.05)
    assert motion.drag == pytest.approx(slope, rel=0.05)
