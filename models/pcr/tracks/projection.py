"""Boxes that objects at given places would have: silhouettes of cubes, spheres and cylinders through a known camera.

The inverse of `models.pcr.tracks.ground_plane`, exact where that is an approximation: of a cube or a cylinder the camera
sees more of the near side, so that the centre of its box is not the image of its centre.

Shapes: leading dimensions (...). Places in scene units, yaw in radians, boxes x0, y0, x1, y1 in image widths.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.tracks.tensor_trees import mapped

_NEAREST: Final = 0.5  # units of depth; nothing nearer is in the image
_SHAPES: Final = tuple(Shape)


@dataclass(frozen=True)
class Cameras:
    """A camera for each video: `numbers` [..., 13] are its axes, its position and its focal length in widths. All images
    have the same `height` in widths."""

    numbers: Tensor
    height: float

    @staticmethod
    def of(cameras: Sequence[Camera]) -> "Cameras":
        rows = [(*np.ravel(camera.axes()), *camera.position, camera.focal / camera.width) for camera in cameras]
        (height,) = {camera.height / camera.width for camera in cameras}
        return Cameras(torch.tensor(np.array(rows), dtype=torch.float64), height)


@dataclass(frozen=True)
class Projection:
    """A camera: unit vectors `right`, `down`, `forward` and `position` [3]; focal length and image height in widths. Or one
    for each video: then these are [V, 3] and [V], and places have the dimensions of the videos first."""

    right: Tensor
    down: Tensor
    forward: Tensor
    position: Tensor
    focal: Tensor | float
    height: float

    @staticmethod
    def of(like: Tensor, camera: Camera | Cameras = BENCHMARK) -> "Projection":
        """A camera, or several, with the dtype and device of `like`."""
        if isinstance(camera, Cameras):
            numbers = camera.numbers.to(like)
            right, down, forward, position = numbers[..., :12].unflatten(-1, (4, 3)).unbind(dim=-2)
            return Projection(right, down, forward, position, numbers[..., 12], camera.height)
        right, down, forward = (torch.as_tensor(axis, dtype=like.dtype, device=like.device) for axis in camera.axes())
        position = torch.tensor(camera.position, dtype=like.dtype, device=like.device)
        return Projection(right, down, forward, position, camera.focal / camera.width, camera.height / camera.width)

    def rows(self, rows: Tensor) -> "Projection":
        """Of some of the videos."""
        return self if isinstance(self.focal, float) else mapped(self, lambda part: part[rows])

    def boxes(self, place: Tensor, yaw: Tensor, shape: Tensor) -> Tensor:
        """[..., 4]: boxes of whole objects at places [..., 2] with yaw [...]; shape [..., 3] weighs the three outlines."""
        outlines = [self.outline(kind, place, yaw) for kind in _SHAPES]
        return torch.stack(outlines, dim=-1).mul(shape[..., None, :]).sum(dim=-1)

    def outline(self, kind: Shape, place: Tensor, yaw: Tensor) -> Tensor:
        """[..., 4]: boxes of whole objects of one shape at places [..., 2] with yaw [...]."""
        match kind:
            case Shape.CUBE:
                return self._cube(place, yaw)
            case Shape.SPHERE:
                return self._sphere(place)
            case Shape.CYLINDER:
                return self._cylinder(place)

    def centres(self, place: Tensor) -> Tensor:
        """[..., 2]: where the centres of objects at places [..., 2] are in the image."""
        *both, depth = self._seen(place, OBJECT_RADIUS)
        middle = 0.5, self.height / 2
        focal = _over(depth, self.focal)
        return torch.stack(
            [at + focal * x / depth.clamp(min=_NEAREST) for at, x in zip(middle, both, strict=True)], dim=-1
        )

    def _seen(self, place: Tensor, height: float) -> tuple[Tensor, Tensor, Tensor]:
        """Points at a height in camera coordinates: to the right, down, and depth."""
        position, *axes = (_along(place, part) for part in (self.position, self.right, self.down, self.forward))
        offset = place - position[..., :2]
        above = height - position[..., 2]
        across, downwards, depth = (_dot(offset, axis[..., :2]) + above * axis[..., 2] for axis in axes)
        return across, downwards, depth

    def _box(self, low: tuple[Tensor, Tensor], high: tuple[Tensor, Tensor]) -> Tensor:
        """From tangents of viewing angles to image coordinates."""
        middle = 0.5, self.height / 2
        edges = [low[0], low[1], high[0], high[1]]
        focal = _over(low[0], self.focal)
        return torch.stack([middle[k % 2] + focal * edge for k, edge in enumerate(edges)], dim=-1)

    def _sphere(self, place: Tensor) -> Tensor:
        """The tangents from the camera to the sphere, in the planes of the image axes."""
        *both, depth = self._seen(place, OBJECT_RADIUS)
        depth = depth.clamp(min=_NEAREST)
        below = depth.square() - OBJECT_RADIUS**2
        sides = []
        for sign in (-1.0, 1.0):
            roots = (x.square() + below for x in both)
            sides.append(
                [(x * depth + sign * OBJECT_RADIUS * root.sqrt()) / below for x, root in zip(both, roots, strict=True)]
            )
        return self._box((sides[0][0], sides[0][1]), (sides[1][0], sides[1][1]))

    def _cube(self, place: Tensor, yaw: Tensor) -> Tensor:
        """The extremes of eight corners."""
        angle = yaw[..., None] + (torch.arange(4, dtype=place.dtype, device=place.device) + 0.5) * (math.pi / 2)
        corner = torch.stack([angle.cos(), angle.sin()], dim=-1) * (OBJECT_RADIUS * 2**0.5)
        return self._extremes(place[..., None, :] + corner)

    def _cylinder(self, place: Tensor) -> Tensor:
        """The extremes of two rims: of a circle's points those whose image is extreme along an axis are known."""
        sides = []
        for height in (0.0, 2 * OBJECT_RADIUS):
            *both, depth = self._seen(place, height)
            for x, axis in zip(both, (self.right, self.down), strict=True):
                sides.append(self._circle(x, depth, axis))
        low = tuple(torch.minimum(sides[k][0], sides[k + 2][0]) for k in range(2))
        high = tuple(torch.maximum(sides[k][1], sides[k + 2][1]) for k in range(2))
        return self._box((low[0], low[1]), (high[0], high[1]))

    def _circle(self, x: Tensor, depth: Tensor, axis: Tensor) -> tuple[Tensor, Tensor]:
        """The least and the greatest (x + r a·n) / (depth + r f·n) over unit vectors n in the ground plane: the two values
        q at which the line x + r a·n = q (depth + r f·n) touches the unit circle of n, a quadratic equation."""
        a, f = axis[..., :2] * OBJECT_RADIUS, self.forward[..., :2] * OBJECT_RADIUS
        depth = depth.clamp(min=_NEAREST)
        # (x - q depth)^2 = |a - q f|^2
        square = depth.square() - _over(x, _dot(f, f))
        half = x * depth - _over(x, _dot(a, f))
        rest = x.square() - _over(x, _dot(a, a))
        root = (half.square() - square * rest).clamp(min=0).sqrt()
        return (half - root) / square, (half + root) / square

    def _extremes(self, corners: Tensor) -> Tensor:
        """The box of prisms whose bases have the corners [..., K, 2]."""
        low: list[Tensor] = []
        high: list[Tensor] = []
        for height in (0.0, 2 * OBJECT_RADIUS):
            *both, depth = self._seen(corners, height)
            tangents = [x / depth.clamp(min=_NEAREST) for x in both]
            low += [tangent.amin(dim=-1) for tangent in tangents]
            high += [tangent.amax(dim=-1) for tangent in tangents]
        return self._box(
            (torch.minimum(low[0], low[2]), torch.minimum(low[1], low[3])),
            (torch.maximum(high[0], high[2]), torch.maximum(high[1], high[3])),
        )


def _over(places: Tensor, number: Tensor | float) -> Tensor | float:
    """Numbers of the videos [V] for all their places [V, ...]; one number stays as it is."""
    return number if isinstance(number, float) else number.reshape(*number.shape, *[1] * (places.dim() - number.dim()))


def _along(places: Tensor, vector: Tensor) -> Tensor:
    """Vectors of the videos [V, 3] for all their places [V, ..., 2]; one vector [3] stays as it is."""
    if vector.dim() == 1:
        return vector
    return vector.reshape(*vector.shape[:-1], *[1] * (places.dim() - vector.dim()), vector.shape[-1])


def _dot(one: Tensor, other: Tensor) -> Tensor:
    return one @ other if other.dim() == 1 else (one * other).sum(dim=-1)
