"""A scene as a set of parts, the tokens of `object_network`: each ball and each slab of a bar, jar or sticks is a row.

Shapes: M parts, K balls of the player, B pairs of a scene and an action. Lengths are in scene sides.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.puzzles.phyre.world.actions import LARGEST_RADIUS, SMALLEST_RADIUS
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, Color
from comphy.puzzles.phyre.world.scene import Scene, SceneBody
from comphy.puzzles.phyre.world.shapes import turned


class Column(IntEnum):
    """A part is a rectangle, which may have no extent, with a rim of some radius around it: a slab has no rim, a ball is
    nothing but rim. Directions are doubled angles, so that both ends of a slab are alike."""

    PRESENT = 0  # 0 in rows that fill up a batch
    X = 1
    Y = 2
    COS = 3
    SIN = 4
    HALF_LENGTH = 5
    HALF_THICKNESS = 6
    RIM = 7
    BODY_X = 8  # of the body's centre of mass, seen from the part
    BODY_Y = 9
    FIRST_COLOR = 10


PART_SIZE: Final = Column.FIRST_COLOR + len(Color)
_TO_BALL: Final = ((SCENE_PIXELS - 1.0) / SCENE_PIXELS, (LARGEST_RADIUS - SMALLEST_RADIUS) / SCENE_PIXELS)


def parts_of(scenes: Sequence[Scene]) -> Tensor:
    """[scenes, M, 16], with rows of 0 at the end of scenes that have fewer parts than others."""
    rows = [np.concatenate([_parts(body) for body in scene.bodies]) for scene in scenes]
    table = np.zeros((len(rows), max(map(len, rows)), PART_SIZE), dtype=np.float32)
    for scene, parts in zip(table, rows, strict=True):
        scene[: len(parts)] = parts
    return torch.from_numpy(table)


def balls_of(actions: Tensor) -> Tensor:
    """x, y and radius [B, K, 3] of the balls that actions [B, 3 K] mean, before they are put on whole pixels."""
    place, radius = _TO_BALL
    scale = actions.new_tensor((place, place, radius))
    return actions.unflatten(1, (-1, 3)) * scale + actions.new_tensor((0.0, 0.0, SMALLEST_RADIUS / SCENE_PIXELS))


def seen_from(balls: Tensor, parts: Tensor) -> Tensor:
    """Where balls [B, K, 3] are for parts [B, M, 16]: [B, K, M, 5] of the offset in the scene, the offset along and
    across the part, and the gap between the two, below 0 if they overlap."""
    part = parts[:, None]
    offset = balls[:, :, None, :2] - part[..., Column.X : Column.Y + 1]
    angle = 0.5 * torch.atan2(part[..., Column.SIN], part[..., Column.COS])
    cos, sin = angle.cos(), angle.sin()
    along = cos * offset[..., 0] + sin * offset[..., 1]
    across = cos * offset[..., 1] - sin * offset[..., 0]
    beyond = torch.stack([along.abs() - part[..., Column.HALF_LENGTH], across.abs() - part[..., Column.HALF_THICKNESS]])
    outside = beyond.clamp(min=0.0).square().sum(dim=0).clamp(min=1e-12).sqrt()
    gap = outside + beyond.amax(dim=0).clamp(max=0.0) - part[..., Column.RIM] - balls[:, :, None, 2]
    return torch.cat([offset, torch.stack([along, across, gap], dim=-1)], dim=-1)


def mirrored(parts: Tensor) -> Tensor:
    """Left and right exchanged."""
    turned_over = parts.clone()
    turned_over[..., Column.X] = parts[..., Column.PRESENT] - parts[..., Column.X]
    turned_over[..., Column.SIN] = -parts[..., Column.SIN]
    turned_over[..., Column.BODY_X] = -parts[..., Column.BODY_X]
    return turned_over


def mirrored_actions(actions: Tensor) -> Tensor:
    """The actions [B, 3 K] whose balls are where a mirror shows those of others."""
    balls = actions.unflatten(1, (-1, 3)).clone()
    balls[..., 0] = 1.0 / _TO_BALL[0] - balls[..., 0]
    return balls.flatten(1)


def _parts(body: SceneBody) -> np.ndarray:
    shapes = (
        [(0.0, 0.0, 0.0, 0.0, body.shape.radius, 0.0)]
        if not body.shape.slabs
        else [(slab.x, slab.y, slab.half_length, slab.half_thickness, 0.0, slab.angle) for slab in body.shape.slabs]
    )
    rows = np.zeros((len(shapes), PART_SIZE))
    for row, (x, y, half_length, half_thickness, rim, own_angle) in zip(rows, shapes, strict=True):
        away = turned(np.array((x, y)), body.angle)
        double = 2.0 * (body.angle + own_angle) if body.shape.slabs else 0.0
        row[Column.PRESENT] = 1.0
        row[Column.X : Column.Y + 1] = (np.array((body.x, body.y)) + away) / SCENE_PIXELS
        row[Column.COS : Column.SIN + 1] = np.cos(double), np.sin(double)
        row[Column.HALF_LENGTH : Column.RIM + 1] = np.array((half_length, half_thickness, rim)) / SCENE_PIXELS
        row[Column.BODY_X : Column.BODY_Y + 1] = -away / SCENE_PIXELS
        row[Column.FIRST_COLOR + body.color - 1] = 1.0
    return rows
