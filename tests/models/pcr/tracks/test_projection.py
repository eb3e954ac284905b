"""Projected boxes are those of the exact outlines that the dataset's boxes are made from."""

import numpy as np
import pytest
import torch

from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import outline_boxes
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from models.pcr.tracks.projection import Cameras, Projection


@pytest.mark.parametrize("camera", [BENCHMARK, tilted_camera(1.4, 3.0, 40)], ids=["benchmark", "another"])
@pytest.mark.parametrize("shape", Shape)
def test_boxes_are_those_of_the_outlines(shape: Shape, camera: Camera):
    rng = np.random.default_rng(0)
    place, yaw = rng.uniform(-2, 2, (40, 1, 2)), rng.uniform(0, 3, (40, 1))
    centres = np.concatenate([place, np.full((40, 1, 1), OBJECT_RADIUS)], axis=-1)
    turned = np.stack([0 * yaw, 0 * yaw, np.sin(yaw / 2), np.cos(yaw / 2)], axis=-1)
    expected = outline_boxes(Clip((ObjectSpec(Color.RED, shape, Material.METAL, 1.0, 0),), centres, turned), camera)
    kind = torch.nn.functional.one_hot(torch.tensor(list(Shape).index(shape)), len(Shape)).double().expand(40, 1, 3)
    found = Projection.of(torch.tensor(place), camera).boxes(torch.tensor(place), torch.tensor(yaw), kind)
    assert np.abs(found.numpy() * camera.width - expected).max() < 1e-9


def test_each_video_may_have_its_own_camera() -> None:
    cameras = [BENCHMARK, tilted_camera(1.4, 3.0, 40), tilted_camera(0.9, 2.2, 25)]
    rng = np.random.default_rng(1)
    place = torch.tensor(rng.uniform(-2, 2, (3, 7, 2, 2)))
    yaw = torch.tensor(rng.uniform(0, 3, (3, 7, 2)))
    shape = torch.tensor(rng.dirichlet([1, 1, 1], (3, 7, 2)))
    together = Projection.of(place, Cameras.of(cameras))
    for row, camera in enumerate(cameras):
        alone = Projection.of(place, camera)
        torch.testing.assert_close(
            together.boxes(place, yaw, shape)[row], alone.boxes(place[row], yaw[row], shape[row])
        )
        torch.testing.assert_close(together.centres(place)[row], alone.centres(place[row]))
        chosen = together.rows(torch.tensor([row, row]))
        torch.testing.assert_close(chosen.centres(place[:2]), alone.centres(place[:2]))
    assert together.rows(torch.tensor([0])) is not together and Projection.of(place).rows(torch.tensor([0])).focal
