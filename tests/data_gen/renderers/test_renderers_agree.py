"""Both renderers and the annotation must put the same objects at the same pixels."""

import numpy as np
import pytest

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import instance_masks, views
from comphy.scene.vocabulary import Color, Material, Shape
from data_gen.renderers.blender.renderer import BlenderRenderer, BlenderSettings
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

FRAMES = 4


def crowd() -> Clip:
    """Six objects of all shapes that turn and partly hide one another, over the whole picture."""
    rng = np.random.default_rng(5)
    objects = tuple(
        ObjectSpec(color, shape, Material.METAL) for color, shape in zip(Color, [*Shape, *Shape], strict=False)
    )
    places = np.array([(-2.5, -1.5), (-1.4, 0.2), (0.2, -0.9), (0.4, 0.3), (1.2, -0.2), (0.9, 1.1)])
    positions = np.empty((FRAMES, 6, 3))
    positions[..., :2] = places + rng.uniform(-0.15, 0.15, (FRAMES, 6, 2))
    positions[..., 2] = 0.2
    yaw = rng.uniform(0, np.pi, (FRAMES, 6))
    orientations = np.stack([np.zeros_like(yaw), np.zeros_like(yaw), np.sin(yaw / 2), np.cos(yaw / 2)], -1)
    return Clip(objects, positions, orientations)


def boxes(ids: np.ndarray, count: int) -> np.ndarray:
    """[frames, count, 4] from id maps."""
    found = np.zeros((len(ids), count, 4))
    for frame, picture in enumerate(ids):
        for i in range(count):
            rows, columns = np.nonzero(picture == i + 1)
            found[frame, i] = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return found


@pytest.mark.blender
def test_boxes_agree_within_two_pixels():
    clip, camera = crowd(), Camera()
    traced = boxes(RaytraceRenderer(RaytraceSettings(compile=False)).instance_ids(clip, camera), 6)
    with BlenderRenderer(BlenderSettings(samples=1)) as blender:
        (ids,) = blender.render_ids([clip], camera)
    assert np.abs(boxes(ids, 6) - traced).max() <= 2
    assert np.abs(views(clip, camera).boxes - traced).max() <= 1.01
    masks = np.stack([instance_masks(clip, frame, camera) for frame in range(FRAMES)])
    assert (masks != ids).mean() < 0.002
