"""Collision shapes as data, and the planar geometry (area, centroid, second moment) that 2-D bodies need."""

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)
TAPER: Final = 0.01  # metres


def about_z(angle: float) -> Quaternion:
    """Make the orientation of a body that is turned in the plane.

    Args:
        angle: radians, counter-clockwise.

    Returns:
        The quaternion (x, y, z, w)."""
    return (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))


@dataclass(frozen=True)
class Sphere:
    """A ball; in a planar world, a disc.

    Attributes:
        radius: metres."""

    radius: float


@dataclass(frozen=True)
class Box:
    """A cuboid; in a planar world, a rectangle.

    Attributes:
        half_extents: half of its sides along the local x, y and z, in metres."""

    half_extents: Vector


@dataclass(frozen=True)
class Cylinder:
    """A capped cylinder along its local z.

    Attributes:
        radius: metres.
        half_height: half of its height, in metres."""

    radius: float
    half_height: float


@dataclass(frozen=True)
class ConvexPolygon:
    """A convex outline in the local x-y plane, extruded along z.

    With a `half_rim`, the outline is that of a rim in the middle; behind it the solid tapers by `TAPER`. Solids in one
    plane then touch at their rims alone.

    Attributes:
        vertices: corners (x, y) in metres, counter-clockwise.
        half_depth: how far it reaches along z to both sides, in metres.
        half_rim: how thick the rim is to both sides, in metres; None for no rim.

    Raises:
        ValueError: for fewer than three vertices, or an outline that is not convex and counter-clockwise."""

    vertices: tuple[tuple[float, float], ...]
    half_depth: float = 0.5
    half_rim: float | None = None

    def __post_init__(self) -> None:
        count = len(self.vertices)
        if count < 3:
            raise ValueError(f"Expected at least 3 vertices in a convex polygon (got {count}).")
        for i in range(count):
            (ax, ay), (bx, by), (cx, cy) = (self.vertices[(i + k) % count] for k in range(3))
            if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < -1e-12:
                raise ValueError(
                    f"Expected a convex outline in counter-clockwise order (got a right turn at vertex {(i + 1) % count}: "
                    f"{self.vertices[(i + 1) % count]}). Split a concave outline into a Compound."
                )


@dataclass(frozen=True)
class HalfSpace:
    """Everything below the plane through the body's position; only for static bodies.

    Attributes:
        normal: unit vector that points out of the plane, upwards by default."""

    normal: Vector = (0.0, 0.0, 1.0)


Solid: TypeAlias = Sphere | Box | Cylinder | ConvexPolygon


@dataclass(frozen=True)
class Part:
    """One solid of a `Compound`.

    Attributes:
        shape: the solid.
        position: of its origin, from that of the body, in metres.
        orientation: quaternion (x, y, z, w), relative to the body."""

    shape: Solid
    position: Vector = (0.0, 0.0, 0.0)
    orientation: Quaternion = IDENTITY


@dataclass(frozen=True)
class Compound:
    """Several solids that move as one; the body's origin is its centre of mass.

    Attributes:
        parts: the solids, each with its place."""

    parts: tuple[Part, ...]


Shape: TypeAlias = Solid | Compound | HalfSpace


def bounding_radius(shape: Shape) -> float:
    """Bound a shape by a ball around the body's origin.

    Args:
        shape: any shape.

    Returns:
        The ball's radius in metres; infinite for a half-space."""
    match shape:
        case Sphere(radius):
            return radius
        case Box(half_extents):
            return math.hypot(*half_extents)
        case Cylinder(radius, half_height):
            return math.hypot(radius, half_height)
        case ConvexPolygon(vertices, half_depth):
            return math.hypot(max(math.hypot(*v) for v in vertices), half_depth)
        case Compound(parts):
            return max(math.hypot(*part.position) + bounding_radius(part.shape) for part in parts)
        case HalfSpace():
            return math.inf


@dataclass(frozen=True)
class PlanarGeometry:
    """Area, centroid, and second moment of area of a shape's outline in the x-y plane.

    Attributes:
        area: m².
        centroid: (x, y) from the body's origin, in metres.
        second_moment: about the centroid, in m⁴."""

    area: float
    centroid: tuple[float, float]
    second_moment: float

    @property
    def inertia_per_mass(self) -> float:
        """Moment of inertia about the centroid for each kilogram, in m²."""
        return self.second_moment / self.area


def planar_geometry(shape: Shape) -> PlanarGeometry:
    """Measure the outline of a shape in a planar world; a ball counts as the disc that it is in 2-D.

    Args:
        shape: a sphere, box, convex polygon or compound.

    Returns:
        Area, centroid and second moment.

    Raises:
        ValueError: for another shape."""
    match shape:
        case Sphere(radius):
            return PlanarGeometry(math.pi * radius**2, (0.0, 0.0), math.pi * radius**4 / 2)
        case Box((x, y, _)):
            return PlanarGeometry(4 * x * y, (0.0, 0.0), 4 * x * y * (x**2 + y**2) / 3)
        case ConvexPolygon(vertices):
            return _polygon_geometry(vertices)
        case Compound(parts):
            return _compound_geometry(parts)
        case _:
            raise ValueError(
                f"Expected a Sphere, Box, ConvexPolygon or Compound in a planar world (got {type(shape).__name__})."
            )


def _polygon_geometry(vertices: tuple[tuple[float, float], ...]) -> PlanarGeometry:
    area = moment_x = moment_y = second = 0.0
    for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1], strict=True):
        cross = ax * by - ay * bx
        area += cross / 2
        moment_x += cross * (ax + bx) / 6
        moment_y += cross * (ay + by) / 6
        second += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) / 12
    x, y = moment_x / area, moment_y / area
    return PlanarGeometry(area, (x, y), second - area * (x * x + y * y))


def _compound_geometry(parts: tuple[Part, ...]) -> PlanarGeometry:
    pieces = []
    for part in parts:
        piece = planar_geometry(part.shape)
        angle = 2 * math.atan2(part.orientation[2], part.orientation[3])
        cos, sin = math.cos(angle), math.sin(angle)
        x = part.position[0] + cos * piece.centroid[0] - sin * piece.centroid[1]
        y = part.position[1] + sin * piece.centroid[0] + cos * piece.centroid[1]
        pieces.append((piece, x, y))
    area = math.fsum(piece.area for piece, _, _ in pieces)  # `sum` adds up otherwise from Python 3.12 on
    cx = math.fsum(piece.area * x for piece, x, _ in pieces) / area
    cy = math.fsum(piece.area * y for piece, _, y in pieces) / area
    offsets = [(piece, x - cx, y - cy) for piece, x, y in pieces]
    second = math.fsum(piece.second_moment + piece.area * (x * x + y * y) for piece, x, y in offsets)
    return PlanarGeometry(area, (cx, cy), second)
