"""Draws initial states: where objects rest, and from where they set out to be at a place at a time."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.objects import InitialState
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from data_gen.sampling.motion import FreeMotion

Point = tuple[float, float]

# Part of the 480 x 320 picture in which things are meant to happen: away from the border, and not so far off that objects
# look small.
STAGE_U = (70.0, 410.0)
STAGE_V = (65.0, 270.0)


@dataclass(frozen=True)
class Path:
    """A planned free motion: a start, a heading and a launch speed."""

    shape: Shape
    start: Point
    heading: float
    speed: float

    def at(self, times: NDArray) -> NDArray:
        """[T, 2]: where the object is at each time if nothing disturbs it."""
        along = FreeMotion.of(self.shape).travelled(self.speed, times)
        return np.stack(
            [self.start[0] + along * math.cos(self.heading), self.start[1] + along * math.sin(self.heading)], -1
        )

    def state(self, yaw: float) -> InitialState:
        velocity = (self.speed * math.cos(self.heading), self.speed * math.sin(self.heading), 0.0)
        return InitialState(
            position=(self.start[0], self.start[1], OBJECT_RADIUS),
            orientation=(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)),
            velocity=velocity,
            angular_velocity=(0.0, 0.0, 0.0),
        )


def stage_point(rng: np.random.Generator, camera: Camera) -> Point:
    """A point of the table in the middle of the picture, uniform in the picture."""
    x, y, _ = camera.ground_point(rng.uniform(*STAGE_U), rng.uniform(*STAGE_V), OBJECT_RADIUS)
    return float(x), float(y)


def in_stage(place: Point, camera: Camera) -> bool:
    (u, v), depth = camera.project(np.array([*place, OBJECT_RADIUS]))
    return bool(depth > 0 and STAGE_U[0] <= u <= STAGE_U[1] and STAGE_V[0] <= v <= STAGE_V[1])


def resting(rng: np.random.Generator, camera: Camera, shape: Shape) -> Path:
    return Path(shape, stage_point(rng, camera), 0.0, 0.0)


def arriving(
    rng: np.random.Generator, shape: Shape, place: Point, time: float, speeds: tuple[float, float], offset: float
) -> Path:
    """A path that is at `place` (up to a sideways `offset`) after `time`, with a speed from `speeds` left.

    The heading is drawn so that objects come from all sides.
    """
    motion = FreeMotion.of(shape)
    heading = rng.uniform(-math.pi, math.pi)
    speed = motion.launch_speed(rng.uniform(*speeds), time)
    distance = float(motion.travelled(speed, np.array(time)))
    aside = rng.uniform(-offset, offset)
    start = (
        place[0] - distance * math.cos(heading) - aside * math.sin(heading),
        place[1] - distance * math.sin(heading) + aside * math.cos(heading),
    )
    return Path(shape, start, heading, speed)


def draw_yaw(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.0, math.pi / 2))
