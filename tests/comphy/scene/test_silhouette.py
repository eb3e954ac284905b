"""Outlines: boxes in closed form against masks of rays, and shares seen where the answer is known."""

import math

import numpy as np
import pytest

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import instance_masks, outline_boxes, rotation_matrices, views
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape

CAMERA = Camera()
COLORS = tuple(Color)


def clip(*objects: tuple[Shape, tuple[float, float, float]], yaw: float = 0.0) -> Clip:
    specs = tuple(ObjectSpec(COLORS[k], shape, Material.METAL) for k, (shape, _) in enumerate(objects))
    positions = np.array([[position for _, position in objects]], float)
    orientations = np.broadcast_to((0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)), (1, len(objects), 4))
    return Clip(specs, positions, orientations)


def mask_box(mask: np.ndarray) -> np.ndarray:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], float)


def random_poses(shape: Shape, count: int) -> Clip:
    rng = np.random.default_rng(7)
    positions = np.array([CAMERA.ground_point(*rng.uniform((60, 80), (420, 250)), OBJECT_RADIUS) for _ in range(count)])
    quaternions = rng.normal(size=(count, 4))
    quaternions[: count // 2, :2] = 0.0  # standing, as most objects do
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return Clip((ObjectSpec(Color.RED, shape, Material.METAL),), positions[:, None], quaternions[:, None])


@pytest.mark.parametrize("shape", list(Shape))
def test_boxes_agree_with_masks_to_a_pixel(shape: Shape) -> None:
    poses = random_poses(shape, 24)
    boxes = outline_boxes(poses, CAMERA)
    for frame in range(len(poses)):
        assert np.abs(boxes[frame, 0] - mask_box(instance_masks(poses, frame, CAMERA) == 1)).max() <= 1.0


def test_a_sphere_in_the_middle_is_as_wide_as_its_tangents() -> None:
    """On the viewing axis the outline is a circle of radius f tan(asin(r / distance))."""
    radius = CAMERA.focal * math.tan(math.asin(OBJECT_RADIUS / 5.0))
    box = outline_boxes(clip((Shape.SPHERE, (0.0, 0.0, 0.0))), CAMERA)[0, 0]
    assert box == pytest.approx((240 - radius, 160 - radius, 240 + radius, 160 + radius))


def test_a_cube_box_is_that_of_its_corners() -> None:
    box = outline_boxes(clip((Shape.CUBE, (0.0, 0.0, 0.2))), CAMERA)[0, 0]
    corners = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (0.0, 0.4)]
    u = [240 + 525 * y / (5 - 0.8660254 * x - 0.5 * z) for x, y, z in corners]
    v = [160 + 525 * (0.5 * x - 0.8660254 * z) / (5 - 0.8660254 * x - 0.5 * z) for x, y, z in corners]
    assert box == pytest.approx((min(u), min(v), max(u), max(v)), abs=1e-3)


def test_boxes_scale_with_the_picture() -> None:
    scene = clip((Shape.CYLINDER, (0.3, 0.4, 0.2)))
    np.testing.assert_allclose(outline_boxes(scene, CAMERA.resized(960, 640)), 2 * outline_boxes(scene, CAMERA))


def test_an_object_alone_in_the_picture_is_seen_whole() -> None:
    seen = views(clip((Shape.CUBE, (0.0, 0.0, 0.2)), (Shape.SPHERE, (0.5, 1.0, 0.2)), yaw=0.3), CAMERA)
    assert seen.visibility.tolist() == [[1.0, 1.0]]
    np.testing.assert_allclose(
        seen.boxes, outline_boxes(clip((Shape.CUBE, (0.0, 0.0, 0.2)), (Shape.SPHERE, (0.5, 1.0, 0.2)), yaw=0.3), CAMERA)
    )


def test_an_object_half_behind_another_is_half_seen() -> None:
    """A cube half-way to the camera whose side lies in the plane y = 0, which cuts the ball in two."""
    ball = np.array([0.0, 0.0, 0.2])
    middle = (ball + np.array(CAMERA.position)) / 2
    seen = views(clip((Shape.SPHERE, tuple(ball)), (Shape.CUBE, (middle[0], 0.2, middle[2]))), CAMERA)
    assert seen.visibility[0] == pytest.approx((0.5, 1.0), abs=0.02)
    whole = outline_boxes(clip((Shape.SPHERE, tuple(ball))), CAMERA)[0, 0]
    assert seen.boxes[0, 0] == pytest.approx((whole[0], whole[1], 240.0, whole[3]), abs=1.0)


def test_what_is_nearer_hides() -> None:
    near, far = (1.5, 0.0, 0.2), (1.0, 0.0, 0.2)
    for order in ((near, far), (far, near)):
        seen = views(clip((Shape.CYLINDER, order[0]), (Shape.CYLINDER, order[1])), CAMERA).visibility[0]
        assert seen[order.index(near)] == 1.0
        assert seen[order.index(far)] < 0.9


def test_an_object_on_the_border_is_half_seen() -> None:
    on_border = CAMERA.ground_point(480.0, 150.0, OBJECT_RADIUS)
    seen = views(clip((Shape.SPHERE, tuple(on_border))), CAMERA)
    assert seen.visibility[0, 0] == pytest.approx(0.5, abs=0.03)
    assert seen.boxes[0, 0, 2] == 480.0


@pytest.mark.parametrize(
    "position", [(0.0, 5.0, 0.2), (0.0, -5.0, 0.2), (4.0, 0.0, 0.2), (6.0, 0.0, 0.2), (-40.0, 40.0, 0.2)]
)
def test_an_object_out_of_the_picture_is_not_seen(position: tuple[float, float, float]) -> None:
    scene = clip((Shape.SPHERE, position), (Shape.CUBE, position), (Shape.CYLINDER, position))
    seen = views(scene, CAMERA)
    assert not seen.visibility.any()
    assert not seen.boxes.any()
    assert not instance_masks(scene, 0, CAMERA).any()


def test_shares_are_those_of_the_masks() -> None:
    """Random crowds: seen pixels over pixels of the object alone, in a picture with room around it."""
    rng = np.random.default_rng(3)
    shapes = list(Shape)
    for _ in range(6):
        places = [CAMERA.ground_point(*rng.uniform((100, 100), (380, 220)), OBJECT_RADIUS) for _ in range(5)]
        scene = clip(*[(shapes[k % 3], tuple(place)) for k, place in enumerate(places)], yaw=float(rng.uniform(0, 1.5)))
        together = instance_masks(scene, 0, CAMERA)
        seen = views(scene, CAMERA)
        for k in range(5):
            alone = Clip(scene.objects[k : k + 1], scene.positions[:, k : k + 1], scene.orientations[:, k : k + 1])
            whole = (instance_masks(alone, 0, CAMERA) == 1).sum()
            assert seen.visibility[0, k] == pytest.approx((together == k + 1).sum() / whole, abs=1e-9)


def test_rotation_matrices_turn_vectors() -> None:
    quarter = rotation_matrices(np.array([0.0, 0.0, math.sin(math.pi / 4), math.cos(math.pi / 4)]))
    np.testing.assert_allclose(quarter @ (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(quarter @ (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), atol=1e-12)
