"""Measurement noise: the state of an object as a viewer with limited precision measures it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.objects import InitialState

_CAMERA: Final = Camera()  # a pixel is one of the standard picture, 480x320, whatever the size of the videos


@dataclass(frozen=True)
class MeasurementNoise:
    """Standard deviations of Gaussian noise: `pixels` of place, right and down in the picture; `speed` in units/s, along
    both axes of the table. Height, orientation and spin are exact."""

    pixels: float = 0.5
    speed: float = 0.03

    def disturbed(self, states: Sequence[InitialState], rng: np.random.Generator) -> tuple[InitialState, ...]:
        """The states as measured once."""
        return tuple(self._measured(state, *rng.standard_normal((2, 2))) for state in states)

    def _measured(self, state: InitialState, place: NDArray, speed: NDArray) -> InitialState:
        dx, dy = ground_displacement(state.position, self.pixels * place)
        x, y, z = state.position
        vx, vy, vz = state.velocity
        velocity = (vx + self.speed * float(speed[0]), vy + self.speed * float(speed[1]), vz)
        return replace(state, position=(x + dx, y + dy, z), velocity=velocity)


def ground_displacement(position: Sequence[float], pixels: NDArray, camera: Camera = _CAMERA) -> tuple[float, float]:
    """How far along the table (x, y) an object at `position` moves when its image moves by `pixels` (right, down).

    An object outside the picture cannot be measured there: the nearest point of the picture stands for its place.
    """
    image, depth = camera.project(np.asarray(position, float))
    size = np.array([camera.width, camera.height], float)
    u, v = np.clip(image, 0.0, size) if depth > 0 else (size[0] / 2, size[1])  # beside or behind the camera
    height = float(position[2])
    before = camera.ground_point(u, v, height)
    after = camera.ground_point(u + float(pixels[0]), v + float(pixels[1]), height)
    return float(after[0] - before[0]), float(after[1] - before[1])
