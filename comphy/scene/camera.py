"""The pinhole camera of the benchmark: CLEVRER's, whose matrix is known exactly, at any resolution."""

from dataclasses import dataclass
from functools import cached_property

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
