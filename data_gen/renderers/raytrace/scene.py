"""Scenes as tensors: clips packed into a batch of frames.

Shape shorthand: F frames, K object slots (the last one always empty).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import Tensor

from comphy.scene.clip import NOWHERE, Clip
from comphy.scene.vocabulary import RGB, Material, Shape


@dataclass(frozen=True)
class SceneBatch:
    """Frames to draw, packed: appearances and poses of objects, on one device.

    Shapes: positions [F, K, 3]; orientations [F, K, 4] (x, y, z, w); albedo [F, K, 3] linear RGB; cube, cylinder and
    metal [F, K] as 0 or 1 (neither cube nor cylinder is a sphere). An empty slot lies at height
    `NOWHERE`; the last slot is always empty, to fill up lists of objects.
    """

    positions: Tensor
    orientations: Tensor
    albedo: Tensor
    cube: Tensor
    cylinder: Tensor
    metal: Tensor

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, frames: slice) -> "SceneBatch":
        return SceneBatch(*(getattr(self, f.name)[frames] for f in fields(self)))

    def to(self, device: torch.device | str) -> "SceneBatch":
        """The same batch on another device."""
        return SceneBatch(*(getattr(self, f.name).to(device, non_blocking=True) for f in fields(self)))


def srgb_to_linear(color: tuple[int, int, int]) -> list[float]:
    """An 8-bit sRGB colour in linear light, 0 to 1."""
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in color)]


def pack_clips(clips: Sequence[Clip]) -> SceneBatch:
    """All frames of the clips, one after the other."""
    slots = max((len(clip.objects) for clip in clips), default=0) + 1
    packed = [_pack_clip(clip, slots) for clip in clips]
    return SceneBatch(*(torch.from_numpy(np.concatenate(parts)) for parts in zip(*packed, strict=True)))


def _pack_clip(clip: Clip, slots: int) -> tuple[np.ndarray, ...]:
    count, frames = len(clip.objects), len(clip)
    positions = np.full((frames, slots, 3), (0.0, 0.0, NOWHERE), np.float32)
    orientations = np.full((frames, slots, 4), (0.0, 0.0, 0.0, 1.0), np.float32)
    positions[:, :count] = clip.positions
    orientations[:, :count] = clip.orientations
    looks = np.zeros((frames, slots, 6), np.float32)
    for i, spec in enumerate(clip.objects):
        flags = (spec.shape == Shape.CUBE, spec.shape == Shape.CYLINDER, spec.material == Material.METAL)
        looks[:, i] = (*srgb_to_linear(RGB[spec.color]), *flags)
    return positions, orientations, looks[..., :3], looks[..., 3], looks[..., 4], looks[..., 5]


def to_tensor(values: Any, device: torch.device) -> Tensor:
    """Numbers as a 32-bit tensor, whatever precision they came in: one 64-bit input would make everything 64-bit."""
    return torch.as_tensor(np.asarray(values, np.float32), device=device)


def rotations(quaternions: Tensor) -> Tensor:
    """Rotation matrices [..., 3, 3], local to world, of quaternions [..., 4] of any length but zero."""
    x, y, z, w = torch.nn.functional.normalize(quaternions, dim=-1).unbind(-1)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return torch.stack([torch.stack(row, -1) for row in rows], -2)
