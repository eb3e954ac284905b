"""Both renderers and the annotation must put the same objects at the same pixels."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import label, maximum_filter, minimum_filter

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import instance_masks, views
from comphy.scene.vocabulary import Color, Material, Shape
from data_gen.renderers.blender.renderer import BlenderRenderer, BlenderSettings
from data_gen.renderers.contract import Renderer
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

FRAMES = 4
COUNT = 6


def crowd(red: int) -> Clip:
    """Six matte objects of all shapes that turn and partly hide one another, over the whole picture; all but one gray."""
    rng = np.random.default_rng(5)
    shapes = [*Shape, *Shape]
    objects = tuple(
        ObjectSpec(Color.RED if i == red else Color.GRAY, shape, Material.RUBBER) for i, shape in enumerate(shapes)
    )
    places = np.array([(-2.5, -1.5), (-1.4, 0.2), (0.2, -0.9), (0.4, 0.3), (1.2, -0.2), (0.9, 1.1)])
    positions = np.empty((FRAMES, COUNT, 3))
    positions[..., :2] = places + rng.uniform(-0.15, 0.15, (FRAMES, COUNT, 2))
    positions[..., 2] = 0.2
    yaw = rng.uniform(0, np.pi, (FRAMES, COUNT))
    orientations = np.stack([np.zeros_like(yaw), np.zeros_like(yaw), np.sin(yaw / 2), np.cos(yaw / 2)], -1)
    return Clip(objects, positions, orientations)


def seen(renderer: Renderer, camera: Camera) -> NDArray[np.uint8]:
    """[frames, height, width]: 0, or i + 1 where object i is seen, found by making one object red at a time."""
    ids = np.zeros((FRAMES, camera.height, camera.width), np.uint8)
    for i, frames in enumerate(renderer.render([crowd(red) for red in range(COUNT)], camera)):
        for frame, picture in zip(ids, frames, strict=True):
            components, _ = label(np.ptp(picture, axis=-1) > 0.3 * picture.max(axis=-1))
            frame[components == 1 + np.bincount(components.ravel())[1:].argmax()] = i + 1
    return ids


def boxes(ids: NDArray[np.uint8]) -> NDArray[np.float64]:
    """[frames, objects, 4] from id maps."""
    found = np.zeros((len(ids), COUNT, 4))
    for frame, picture in enumerate(ids):
        for i in range(COUNT):
            rows, columns = np.nonzero(picture == i + 1)
            found[frame, i] = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return found


@pytest.mark.blender
@pytest.mark.slow
def test_boxes_agree_within_two_pixels():
    clip, camera = crowd(red=0), Camera()
    traced = boxes(seen(RaytraceRenderer(RaytraceSettings(compile=False, samples=1)), camera))
    with BlenderRenderer(BlenderSettings(samples=2)) as blender:
        ids = seen(blender, camera)
    assert np.abs(boxes(ids) - traced).max() <= 2
    assert np.abs(views(clip, camera).boxes - traced).max() <= 1.01
    masks = np.stack([instance_masks(clip, frame, camera) for frame in range(FRAMES)])
    # A pixel on an outline is either's, and two samples leave a few black pixels.
    off_outlines = maximum_filter(masks, (1, 3, 3)) == minimum_filter(masks, (1, 3, 3))
    assert (masks != ids)[off_outlines].mean() < 0.0002


def colors_of(renderer: Renderer, camera: Camera, material: Material) -> NDArray[np.float64]:
    """[colours, 3]: the mean of the inner half of cubes of all colours, two rows of them on the table."""
    objects = tuple(ObjectSpec(color, Shape.CUBE, material) for color in Color)
    places = np.array([(x, y, 0.2) for y in (-0.9, 0.9) for x in np.linspace(-1.8, 1.8, len(objects) // 2)])
    turned = np.tile([0.0, 0.0, np.sin(0.3), np.cos(0.3)], (len(objects), 1))
    clip = Clip(objects, places[None], turned[None])
    [[frame]] = renderer.render([clip], camera)
    found = []
    for left, top, right, bottom in views(clip, camera).boxes[0]:
        x, y = (right - left) / 4, (bottom - top) / 4
        inner = frame[round(top + y) : round(bottom - y), round(left + x) : round(right - x)]
        found.append(inner.reshape(-1, 3).mean(axis=0))
    return np.array(found)


@pytest.mark.blender
@pytest.mark.slow
@pytest.mark.parametrize("material", Material)
def test_colors_agree(material: Material) -> None:
    """A perceiver takes the one renderer's rubber for the other's metal where one of them is brighter."""
    camera = Camera().resized(240, 160)
    traced = colors_of(RaytraceRenderer(RaytraceSettings(compile=False)), camera, material)
    with BlenderRenderer(BlenderSettings(samples=16)) as blender:
        drawn = colors_of(blender, camera, material)
    assert np.abs((drawn - traced).mean(axis=0)).max() < 6, "of 255, over all colours"
    assert np.abs((drawn - traced).mean(axis=1)).max() < 25, "over the channels of any colour: highlights differ"
