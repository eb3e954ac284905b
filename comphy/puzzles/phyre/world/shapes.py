"""The shape vocabulary in pixels around the centre of mass: balls, and things made of rectangular slabs.

Slabs, not free polygons: the engine's box contacts are complete from the first step, which keeps what stands standing.
Sizes are given as fractions of the scene's side.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import PX, SCENE_PIXELS, ShapeKind

BAR_THICKNESS: Final = SCENE_PIXELS / 50
JAR_HEIGHT_TO_TOP_WIDTH: Final = 1.2
JAR_BASE_TO_TOP_WIDTH: Final = 0.8
JAR_REFERENCE_HEIGHT: Final = 0.3 * SCENE_PIXELS  # at this height a jar's walls are as thick as a bar
JAR_LIFT: Final = 0.3  # pixels by which the floor is off the ground: a jar stands on its walls, on few points
STICKS_SCALE: Final = 2 / 3
STICKS_ANGLE: Final = 77.5  # degrees to the horizontal


@dataclass(frozen=True)
class Slab:
    """A rectangle: its centre, how far it reaches from there along its two axes, and the angle of the first (radians)."""

    x: float
    y: float
    half_length: float
    half_thickness: float
    angle: float = 0.0

    @cached_property
    def corners(self) -> NDArray[np.float64]:
        """[4, 2], counter-clockwise."""
        along, across = self.half_length, self.half_thickness
        flat = np.array([(-along, -across), (along, -across), (along, across), (-along, across)])
        return turned(flat, self.angle) + np.array((self.x, self.y))


@dataclass(frozen=True)
class PuzzleShape:
    """A ball (`radius`) or a union of slabs, in pixels around its centre of mass. `diameter` is what features report."""

    kind: ShapeKind
    diameter: float
    radius: float = 0.0
    slabs: tuple[Slab, ...] = ()

    def bounds(self, angle: float = 0.0) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the shape turned by `angle` radians, in pixels from its centre of mass."""
        if self.kind is ShapeKind.BALL:
            return (-self.radius, -self.radius, self.radius, self.radius)
        corners = turned(np.concatenate([slab.corners for slab in self.slabs]), angle)
        (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
        return (float(left), float(bottom), float(right), float(top))

    @property
    def width(self) -> float:
        """Of the upright shape, as a fraction of the scene."""
        left, _, right, _ = self.bounds()
        return (right - left) * PX

    @property
    def height(self) -> float:
        """Of the upright shape, as a fraction of the scene."""
        _, bottom, _, top = self.bounds()
        return (top - bottom) * PX


def turned(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Points [..., 2] turned about the origin by `angle` radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = points[..., 0], points[..., 1]
    found = np.empty(points.shape)
    found[..., 0] = cos * x - sin * y
    found[..., 1] = sin * x + cos * y
    return found


def length(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of vectors [..., 2]. Unlike `np.hypot`, the same bits on every machine."""
    x, y = vectors[..., 0], vectors[..., 1]
    return np.asarray(np.sqrt(x * x + y * y))


def distance(shape: PuzzleShape, angle: float, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of points [..., 2], given from the centre of mass, to a shape turned by `angle`; at most 0 inside."""
    if shape.kind is ShapeKind.BALL:
        return np.asarray(length(points) - shape.radius)
    return np.min([_distance_to_slab(slab, turned(points, -angle)) for slab in shape.slabs], axis=0)


def _distance_to_slab(slab: Slab, points: NDArray[np.float64]) -> NDArray[np.float64]:
    along = turned(points - (slab.x, slab.y), -slab.angle)
    outside = np.abs(along) - (slab.half_length, slab.half_thickness)
    beyond = np.maximum(outside, 0.0)
    return np.asarray(length(beyond) + np.minimum(outside.max(axis=-1), 0.0))


def ball(diameter: float) -> PuzzleShape:
    """A ball; its radius is a whole number of pixels and a half, which rasterises well."""
    return ball_of_radius(math.floor(_positive(diameter, "diameter") * SCENE_PIXELS / 2) + 0.5)


def ball_of_radius(radius: float) -> PuzzleShape:
    """A ball of exactly so many pixels."""
    return PuzzleShape(ShapeKind.BALL, 2 * radius, radius)


def bar(length: float) -> PuzzleShape:
    """A horizontal bar; it may be longer than the scene."""
    pixels = _positive(length, "length") * SCENE_PIXELS
    return PuzzleShape(ShapeKind.BAR, pixels, slabs=(Slab(0.0, 0.0, pixels / 2, BAR_THICKNESS / 2),))


def jar(height: float) -> PuzzleShape:
    """An upright bucket, open at the top: a floor between two walls that lean outwards."""
    tall = _positive(height, "height") * SCENE_PIXELS
    top = tall / JAR_HEIGHT_TO_TOP_WIDTH
    base = JAR_BASE_TO_TOP_WIDTH * top
    thickness = BAR_THICKNESS * math.log(tall) / math.log(JAR_REFERENCE_HEIGHT)
    lean = math.atan2((top - base) / 2, tall)
    cos, sin, tan = math.cos(lean), math.sin(lean), math.tan(lean)
    length = (tall - thickness * sin) / cos  # the inner upper corner, the higher one, ends at the full height
    wall_x = base / 2 + (length * sin - thickness * cos) / 2
    wall_y = (length * cos + thickness * sin) / 2
    inside = base / 2 - thickness * cos + thickness * (1 - sin) * tan  # where the floor's upper face meets the walls
    slabs = (
        Slab(0.0, (thickness + JAR_LIFT) / 2, inside, (thickness - JAR_LIFT) / 2),
        Slab(-wall_x, wall_y, length / 2, thickness / 2, math.pi / 2 + lean),
        Slab(wall_x, wall_y, length / 2, thickness / 2, math.pi / 2 - lean),
    )
    return PuzzleShape(ShapeKind.JAR, math.hypot((top + base) / 2, tall), slabs=_centred(slabs))


def standing_sticks(size: float) -> PuzzleShape:
    """Two thin bars that cross in the middle, steep like the legs of a trestle."""
    length = STICKS_SCALE * _positive(size, "size") * SCENE_PIXELS
    thickness, angle = STICKS_SCALE * BAR_THICKNESS, math.radians(STICKS_ANGLE)
    slabs = tuple(Slab(0.0, 0.0, length / 2, thickness / 2, turn) for turn in (angle, math.pi - angle))
    return PuzzleShape(ShapeKind.STANDING_STICKS, length, slabs=slabs)


def shape_of(kind: ShapeKind, diameter: float) -> PuzzleShape:
    """The shape whose features are this kind and diameter, in pixels."""
    if kind is ShapeKind.BALL:
        return ball_of_radius(diameter / 2)
    if kind is ShapeKind.BAR:
        return bar(diameter * PX)
    build = jar if kind is ShapeKind.JAR else standing_sticks
    return build(diameter / build(1.0).diameter)  # which is in proportion to the size


def _centred(slabs: tuple[Slab, ...]) -> tuple[Slab, ...]:
    areas = [slab.half_length * slab.half_thickness for slab in slabs]
    whole = math.fsum(areas)  # `sum` adds up otherwise from Python 3.12 on
    x = math.fsum(area * slab.x for area, slab in zip(areas, slabs, strict=True)) / whole
    y = math.fsum(area * slab.y for area, slab in zip(areas, slabs, strict=True)) / whole
    return tuple(Slab(s.x - x, s.y - y, s.half_length, s.half_thickness, s.angle) for s in slabs)


def _positive(size: float, what: str) -> float:
    if not size > 0.0:
        raise ValueError(f"Expected a {what} above 0, as a fraction of the scene's side (got {size}).")
    return size
