"""The camera is found again from the exact outlines of objects, whatever their shapes, and not where they do not tell it."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from comphy.scene.camera import Camera, tilted_camera
from comphy.scene.vocabulary import Shape
from models.pcr.tracks.camera_fit import CameraEstimate, estimate_camera, tilt_of
from models.pcr.tracks.standing_boxes import StandingBoxes
from tests.support.standing_objects import Array, boxes_of

CAMERA = tilted_camera(1.28, 2.2, 36)  # the benchmark's has 1.09, 2.5 and 30


def spread(shapes: Sequence[Shape], views: int, rng: np.random.Generator, camera: Camera = CAMERA) -> list[Array]:
    """Views of every object at places and yaws all over the table."""
    return [
        boxes_of(shape, rng.uniform(-1.2, 1.2, (views, 2)), rng.uniform(0, np.pi, views), camera) for shape in shapes
    ]


def estimated(tracks: Sequence[Array]) -> CameraEstimate:
    sizes = torch.tensor([len(track) for track in tracks])
    boxes = torch.tensor(np.concatenate(tracks)) / CAMERA.width
    return estimate_camera(StandingBoxes(boxes, torch.repeat_interleave(torch.arange(len(tracks)), sizes)))


def require_near(found: CameraEstimate, camera: Camera, share: float, degrees: float) -> None:
    assert found.determined
    assert found.camera.focal == pytest.approx(camera.focal, rel=share)
    assert found.camera.position[2] == pytest.approx(camera.position[2], rel=share)
    assert tilt_of(found.camera) == pytest.approx(tilt_of(camera), abs=degrees)


def test_tilt_of_a_camera():
    assert tilt_of(CAMERA) == pytest.approx(36) and tilt_of(Camera()) == pytest.approx(30)


@pytest.mark.slow
@pytest.mark.parametrize("camera", [CAMERA, tilted_camera(0.9, 2.9, 22)], ids=["long, near, steep", "short, far, flat"])
def test_exact_boxes_give_the_camera(camera: Camera):
    found = estimated(spread(tuple(Shape), 5, np.random.default_rng(0), camera))
    require_near(found, camera, 0.01, 0.3)
    assert found.noise < 0.2 and (found.boxes, found.tracks) == (15, 3)


@pytest.mark.slow
@pytest.mark.parametrize("shape", Shape)
def test_no_shape_needs_to_be_known(shape: Shape):
    """Nothing says which shape it is; taken for another one, its size would be wrong by a tenth or more."""
    require_near(estimated(spread([shape] * 2, 6, np.random.default_rng(1))), CAMERA, 0.015, 0.5)


@pytest.mark.slow
def test_noise_and_a_larger_object_are_borne():
    """Noise of 0.4 pixels on all edges, and one object that is not of the known size: its boxes are grown by a quarter."""
    rng = np.random.default_rng(2)
    tracks = spread([*Shape, *Shape], 6, rng)
    middle = (tracks[1][:, :2] + tracks[1][:, 2:]) / 2
    tracks[1] = np.concatenate([middle, middle], axis=-1) + 1.25 * (
        tracks[1] - np.concatenate([middle, middle], axis=-1)
    )
    found = estimated([track + rng.normal(0, 0.4, track.shape) for track in tracks])
    require_near(found, CAMERA, 0.05, 1.5)
    assert abs(np.log(found.camera.focal / CAMERA.focal)) < 4 * found.focal_deviation


@pytest.mark.slow
def test_an_object_that_stays_does_not_tell_the_camera():
    """One place fixes its size in the picture alone: any focal length fits, at its own height."""
    rng = np.random.default_rng(3)
    resting = boxes_of(Shape.SPHERE, np.full((8, 2), 0.3), np.zeros(8), CAMERA)
    found = estimated([resting + rng.normal(0, 0.3, resting.shape)])
    assert not found.determined and not found.too_few
    assert found.focal_deviation > 0.1 and found.height_deviation > 0.1 and found.tilt_deviation > 5


def test_too_few_boxes():
    found = estimated([boxes_of(Shape.CUBE, np.zeros((2, 2)), np.zeros(2), CAMERA)])
    assert found.too_few and not found.determined and found.camera == Camera()
    nothing = estimate_camera(StandingBoxes(torch.zeros(0, 4), torch.zeros(0, dtype=torch.long)))
    assert nothing.too_few and nothing.tracks == 0
