"""The camera equals the published projection matrix, at any size."""

import numpy as np
import pytest

from comphy.scene.camera import Camera, tilted_camera

# VRDP's 3x4 matrix of the CLEVRER camera, to the digits in which it was published.
PUBLISHED = np.array([[-207.846, 525, -120, 1200], [123.936, 0, -534.663, 800], [-0.8660, 0, -0.5, 5]])
POINTS = np.random.default_rng(0).uniform((-3, -3, 0), (3, 3, 1), (200, 3))


def test_projection_equals_the_published_matrix() -> None:
    image, depth = Camera().project(POINTS)
    homogeneous = np.c_[POINTS, np.ones(len(POINTS))] @ PUBLISHED.T
    np.testing.assert_allclose(depth, homogeneous[:, 2], atol=1e-3)
    np.testing.assert_allclose(image, homogeneous[:, :2] / homogeneous[:, 2:], atol=0.05)


def test_the_axes_are_a_right_handed_frame_seen_from_behind_the_camera() -> None:
    right, down, forward = Camera().axes()
    np.testing.assert_allclose(np.cross(right, down), forward, atol=1e-12)
    np.testing.assert_allclose(
        np.array([right, down, forward]) @ np.array([right, down, forward]).T, np.eye(3), atol=1e-12
    )
    assert right == pytest.approx((0, 1, 0))
    assert forward == pytest.approx((-np.cos(np.pi / 6), 0, -0.5))


def test_the_target_is_in_the_middle() -> None:
    image, depth = Camera().project(np.zeros(3))
    assert image == pytest.approx((240, 160))
    assert depth == pytest.approx(5.0)


@pytest.mark.parametrize(("width", "height"), [(240, 160), (960, 640), (120, 80)])
def test_resizing_scales_the_picture(width: int, height: int) -> None:
    image, _ = Camera().project(POINTS)
    small, _ = Camera().resized(width, height).project(POINTS)
    np.testing.assert_allclose(small, image * width / 480, atol=1e-9)


def test_another_aspect_ratio_is_refused() -> None:
    with pytest.raises(ValueError, match=r"aspect ratio 480:320 .*got 320x320"):
        Camera().resized(320, 320)


@pytest.mark.parametrize("height", [0.0, 0.2])
def test_ground_point_inverts_projection(height: float) -> None:
    camera = Camera()
    for u, v in np.random.default_rng(1).uniform((0, 40), (480, 320), (50, 2)):
        point = camera.ground_point(u, v, height)
        assert point[2] == pytest.approx(height)
        image, depth = camera.project(point)
        assert depth > 0
        assert image == pytest.approx((u, v))


def test_a_camera_is_told_by_focal_length_height_and_tilt():
    """The benchmark's: 525 pixels of 480, 2.5 units above the table, 30 degrees down."""
    camera = tilted_camera(525 / 480, 2.5, 30)
    assert np.allclose(camera.position, Camera().position) and camera.focal == pytest.approx(525)
    with pytest.raises(ValueError, match=r"a tilt of 0 to 90 degrees \(got 1, 2 and 95\)"):
        tilted_camera(1, 2, 95)
