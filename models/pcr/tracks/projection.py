"""Boxes that objects at given places would have: silhouettes of cubes, spheres and cylinders through a known camera.

The inverse of `models.pcr.tracks.ground_plane`, exact where that is an approximation: of a cube or a cylinder the camera
sees more of the near side, so that the centre of its box is not the image of its centre.

Shapes: leading dimensions (...). Places in scene units, yaw in radians, boxes x0, y0, x1, y1 in image widths.
"""

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape

_NEAREST: Final = 0.5  # units of depth; nothing nearer is in the image
_SHAPES: Final = tuple(Shape)


@dataclass(frozen=True)
class Projection:
    """A camera: unit vectors `right`, `down`, `forward` and `position` [3]; focal length and image height in widths."""

    right: Tensor
    down: Tensor
    forward: Tensor
    position: Tensor
    focal: float
    height: float

    @staticmethod
    def of(like: Tensor, camera: Camera = BENCHMARK) -> "Projection":
        """A camera, with the dtype and device of `like`."""
        right, down, forward = (torch.as_tensor(axis, dtype=like.dtype, device=like.device) for axis in camera.axes())
        position = torch.tensor(camera.position, dtype=like.dtype, device=like.device)
        return Projection(right, down, forward, position, camera.focal / camera.width, camera.height / camera.width)

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
        return torch.stack(
            [at + self.focal * x / depth.clamp(min=_NEAREST) for at, x in zip(middle, both, strict=True)], dim=-1
        )

    def _seen(self, place: Tensor, height: float) -> tuple[Tensor, Tensor, Tensor]:
        """Points at a height in camera coordinates: to the right, down, and depth."""
        offset = place - self.position[:2]
        above = height - self.position[2]
        across, downwards, depth = (
            offset @ axis[:2] + above * axis[2] for axis in (self.right, self.down, self.forward)
        )
        return across, downwards, depth

    def _box(self, low: tuple[Tensor, Tensor], high: tuple[Tensor, Tensor]) -> Tensor:
        """From tangents of viewing angles to image coordinates."""
        middle = 0.5, self.height / 2
        edges = [low[0], low[1], high[0], high[1]]
        return torch.stack([middle[k % 2] + self.focal * edge for k, edge in enumerate(edges)], dim=-1)

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
        a, f = axis[:2] * OBJECT_RADIUS, self.forward[:2] * OBJECT_RADIUS
        depth = depth.clamp(min=_NEAREST)
        # (x - q depth)^2 = |a - q f|^2
        square = depth.square() - f @ f
        half = x * depth - a @ f
        rest = x.square() - a @ a
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
