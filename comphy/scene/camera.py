"""The pinhole camera of the benchmark: CLEVRER's, whose matrix is known exactly, at any resolution."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A camera at `position` looking at `target`, z up, square pixels.

    Image coordinates are continuous: u grows to the right, v downwards, pixel (i, j) covers [i, i+1) x [j, j+1).
    """

    position: tuple[float, float, float] = (5.0 * np.cos(np.pi / 6), 0.0, 2.5)
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    focal: float = 525.0
    width: int = 480
    height: int = 320

    def resized(self, width: int, height: int) -> "Camera":
        """The same view on another pixel grid; the aspect ratio must be kept."""
        if width * self.height != height * self.width:
            raise ValueError(
                f"Expected the aspect ratio {self.width}:{self.height} of the camera (got {width}x{height})."
            )
        return Camera(self.position, self.target, self.focal * width / self.width, width, height)

    def axes(self) -> tuple[Array, Array, Array]:
        """Unit vectors right, down and forward in world coordinates."""
        return self._axes

    @cached_property
    def _axes(self) -> tuple[Array, Array, Array]:
        forward = np.asarray(self.target, float) - np.asarray(self.position, float)
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        return right, np.cross(forward, right), forward

    def project(self, points: NDArray) -> tuple[Array, Array]:
        """World points [..., 3] to image coordinates [..., 2] and depths [...] along the viewing axis."""
        right, down, forward = self.axes()
        offset = np.asarray(points, float) - np.asarray(self.position, float)
        depth = offset @ forward
        u = self.width / 2 + self.focal * (offset @ right) / depth
        v = self.height / 2 + self.focal * (offset @ down) / depth
        return np.stack([u, v], axis=-1), depth

    def ground_point(self, u: float, v: float, height: float = 0.0) -> Array:
        """The world point at `height` that is seen at image point (u, v)."""
        right, down, forward = self.axes()
        ray = forward + right * (u - self.width / 2) / self.focal + down * (v - self.height / 2) / self.focal
        return np.asarray(self.position) + ray * (height - self.position[2]) / ray[2]


BENCHMARK: Final = Camera()


def tilted_camera(focal: float, height: float, tilt: float) -> Camera:
    """A camera that looks down on the table. All that matters of one whose horizon is level: the table has no other marks.

    Args:
        focal: focal length in widths of the picture.
        height: above the table, in units of the scene, in which an object is 0.4 wide.
        tilt: of the viewing axis below the horizon, in degrees, between 0 and 90.

    Returns:
        The camera, whose axis meets the table at the origin."""
    if not (focal > 0 and height > 0 and 0 < tilt < 90):
        found = f"{focal:g}, {height:g} and {tilt:g}"
        raise ValueError(f"expected focal length and height above 0 and a tilt of 0 to 90 degrees (got {found})")
    away = float(height / np.tan(np.radians(tilt)))
    return Camera((away, 0.0, float(height)), focal=focal * BENCHMARK.width)
