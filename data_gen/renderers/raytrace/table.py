"""What the kernels read of each object: one row of numbers, made once per frame and unpacked inside the kernels.

Shape shorthand: F frames, K object slots, L lights, T tiles.
"""

from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor

from comphy.scene.camera import Camera
from comphy.scene.vocabulary import OBJECT_RADIUS
from data_gen.renderers.raytrace.lights import POINT_LIGHTS
from data_gen.renderers.raytrace.scene import SceneBatch, rotations, to_tensor
from data_gen.renderers.raytrace.shapes import Kind, Vec, aspect

# Numbers per object, in the order of the table. Local frame: the object's axes, its half-size as unit.
FIELDS = {
    "camera": 3,  # camera position, local
    "forward": 3,  # the three camera axes, local: a ray is forward + a * right + b * down
    "right": 3,
    "down": 3,
    "lights": 3 * len(POINT_LIGHTS),  # light positions, local
    "aspects": 3 * len(POINT_LIGHTS),  # how the object looks from each light
    "rotation": 9,  # local to world, row by row
    "albedo": 3,
    "cube": 1,
    "cylinder": 1,
    "metal": 1,
}
STARTS = dict(zip(FIELDS, accumulate(FIELDS.values(), initial=0), strict=False))  # first column of each field


class Slot(NamedTuple):
    """One object of each tile, every number [T, 1]; see `FIELDS`."""

    camera: Vec
    forward: Vec
    right: Vec
    down: Vec
    lights: tuple[Vec, ...]
    aspects: tuple[Vec, ...]
    rotation: tuple[Vec, Vec, Vec]
    albedo: Vec
    kind: Kind
    metal: Tensor


def object_table(scene: SceneBatch, camera: Camera) -> Tensor:
    """The rows of all objects [F, K, numbers]."""
    device = scene.positions.device
    rotation = rotations(scene.orientations)
    right, down, forward = camera.axes()
    points = to_tensor([camera.position, *(light.position for light in POINT_LIGHTS)], device)
    vectors = to_tensor([forward, right, down], device)
    offsets = points - scene.positions[:, :, None]  # [F, K, 1 + L, 3]
    local_points = (offsets[..., None, :] * rotation[:, :, None].mT).sum(-1) / OBJECT_RADIUS
    local_vectors = (vectors[:, None, :] * rotation[:, :, None].mT).sum(-1) / OBJECT_RADIUS
    lights = local_points[:, :, 1:]
    kind = Kind(scene.cube[..., None], scene.cylinder[..., None])
    aspects = torch.stack(aspect(kind, (lights[..., 0], lights[..., 1], lights[..., 2])), -1)
    parts = (
        local_points[:, :, 0],
        local_vectors.flatten(2),
        lights.flatten(2),
        aspects.flatten(2),
        rotation.flatten(2),
        scene.albedo,
        torch.stack([scene.cube, scene.cylinder, scene.metal], -1),
    )
    return torch.cat(parts, -1)


def unpack_slot(rows: Tensor) -> Slot:
    """One object per tile, from its rows [T, numbers] of the table."""

    def vec(name: str, index: int = 0) -> Vec:
        at = STARTS[name] + 3 * index
        return rows[:, at, None], rows[:, at + 1, None], rows[:, at + 2, None]

    lights = range(len(POINT_LIGHTS))
    return Slot(
        vec("camera"),
        vec("forward"),
        vec("right"),
        vec("down"),
        tuple(vec("lights", i) for i in lights),
        tuple(vec("aspects", i) for i in lights),
        (vec("rotation", 0), vec("rotation", 1), vec("rotation", 2)),
        vec("albedo"),
        Kind(rows[:, STARTS["cube"], None], rows[:, STARTS["cylinder"], None]),
        rows[:, STARTS["metal"], None],
    )


def camera_lens(camera: Camera, device: torch.device) -> Tensor:
    """Camera position, forward, right, down, and the size of a pixel at distance 1 [5, 3]."""
    right, down, forward = camera.axes()
    return to_tensor([camera.position, forward, right, down, [1 / camera.focal] * 3], device)
