"""Boxes of objects that stand on the table, by the exact outlines that the datasets' boxes are made from."""

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import outline_boxes
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape

Array = NDArray[np.float64]


def boxes_of(shape: Shape, places: Array, yaws: Array, camera: Camera) -> Array:
    """[K, 4] in pixels, of one object at places [K, 2] with yaws [K]."""
    centres = np.concatenate([places, np.full((len(places), 1), OBJECT_RADIUS)], axis=-1)
    turns = np.stack([0 * yaws, 0 * yaws, np.sin(yaws / 2), np.cos(yaws / 2)], axis=-1)
    clip = Clip((ObjectSpec(Color.RED, shape, Material.METAL),), centres[:, None], turns[:, None])
    return outline_boxes(clip, camera)[:, 0]
