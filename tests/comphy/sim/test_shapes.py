"""Outlines: radii, areas, centroids and moments against textbook formulas."""

import math

import pytest

from comphy.sim.shapes import (
    IDENTITY,
    Box,
    Compound,
    ConvexPolygon,
    Cylinder,
    HalfSpace,
    Part,
    Shape,
    Sphere,
    bounding_radius,
    planar_geometry,
)

RIGHT_TRIANGLE = ConvexPolygon(((0.0, 0.0), (3.0, 0.0), (0.0, 6.0)))


def turned(angle: float) -> tuple[float, float, float, float]:
    return (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))


@pytest.mark.parametrize(
    ("shape", "radius"),
    [
        (Sphere(0.2), 0.2),
        (Box((2.0, 3.0, 6.0)), 7.0),
        (Cylinder(3.0, 4.0), 5.0),
        (ConvexPolygon(((0.0, 0.0), (3.0, 0.0), (0.0, 4.0)), half_depth=3.0), 5.0),
        (Compound((Part(Sphere(1.0), (3.0, 4.0, 0.0)), Part(Sphere(2.0)))), 6.0),
        (HalfSpace(), math.inf),
    ],
)
def test_bounding_radius_reaches_the_farthest_point(shape: Shape, radius: float) -> None:
    assert bounding_radius(shape) == pytest.approx(radius)


def test_a_ball_is_a_disc_in_the_plane() -> None:
    disc = planar_geometry(Sphere(0.5))
    assert disc.area == pytest.approx(math.pi / 4)
    assert disc.inertia_per_mass == pytest.approx(0.5**2 / 2)


def test_a_box_has_the_moment_of_a_rectangle() -> None:
    width, height = 0.8, 0.3
    rectangle = planar_geometry(Box((width / 2, height / 2, 1.0)))
    assert rectangle.area == pytest.approx(width * height)
    assert rectangle.inertia_per_mass == pytest.approx((width**2 + height**2) / 12)


def test_a_triangle_has_its_centroid_at_the_mean_of_its_corners() -> None:
    triangle = planar_geometry(RIGHT_TRIANGLE)
    assert triangle.area == pytest.approx(9.0)
    assert triangle.centroid == pytest.approx((1.0, 2.0))
    # A right triangle with legs a and b: (a^2 + b^2) / 18 about its centroid.
    assert triangle.inertia_per_mass == pytest.approx((3.0**2 + 6.0**2) / 18)


def test_a_polygon_moment_does_not_depend_on_where_it_lies() -> None:
    shifted = ConvexPolygon(tuple((x + 10.0, y - 7.0) for x, y in RIGHT_TRIANGLE.vertices))
    assert planar_geometry(shifted).second_moment == pytest.approx(planar_geometry(RIGHT_TRIANGLE).second_moment)


def test_two_halves_make_the_whole() -> None:
    halves = Compound((Part(Box((0.5, 0.5, 1.0)), (-0.5, 0.0, 0.0)), Part(Box((0.5, 0.5, 1.0)), (0.5, 0.0, 0.0))))
    geometry = planar_geometry(halves)
    assert geometry.area == pytest.approx(2.0)
    assert geometry.centroid == pytest.approx((0.0, 0.0))
    assert geometry.inertia_per_mass == pytest.approx((2.0**2 + 1.0**2) / 12)


def test_a_turned_part_counts_where_it_ends_up() -> None:
    quarter = Compound((Part(RIGHT_TRIANGLE, (5.0, 0.0, 0.0), turned(math.pi / 2)), Part(Sphere(1e-9))))
    assert planar_geometry(quarter).centroid == pytest.approx((5.0 - 2.0, 1.0))
    flat = Compound((Part(Box((1.0, 0.1, 1.0)), orientation=turned(math.pi / 2)),))
    assert planar_geometry(flat).inertia_per_mass == pytest.approx((2.0**2 + 0.2**2) / 12)


def test_too_few_corners_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 3 vertices .*got 2"):
        ConvexPolygon(((0.0, 0.0), (1.0, 0.0)))


def test_a_concave_outline_is_refused_and_the_corner_named() -> None:
    with pytest.raises(ValueError, match=r"right turn at vertex 2: \(1\.0, 0\.5\).*Compound"):
        ConvexPolygon(((0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (1.0, 2.0)))


def test_a_clockwise_outline_is_refused() -> None:
    with pytest.raises(ValueError, match="counter-clockwise"):
        ConvexPolygon(((0.0, 0.0), (0.0, 1.0), (1.0, 0.0)))


@pytest.mark.parametrize("shape", [Cylinder(0.2, 0.2), HalfSpace()])
def test_shapes_without_an_outline_are_refused_in_the_plane(shape: Shape) -> None:
    with pytest.raises(ValueError, match=f"got {type(shape).__name__}"):
        planar_geometry(shape)


def test_a_part_is_not_turned_unless_told() -> None:
    assert Part(Sphere(1.0)).orientation == IDENTITY
