"""Contacts of footprints: seen from above, every object is a square with rounded corners (a square swept by a disc).

Its width and rounding are learned for each shape; a disc is all rounding. Of two footprints that overlap little, the
nearest points are a corner of one square and the nearest point of the other square, moved in by the rounding.

Shapes: B scenes, P pairs, C = 8 corners: four of either object.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

_CORNERS: Final = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))
_SOFTNESS: Final = 0.004  # units; temperature of a softmin over corners: when two faces meet, corners share the contact


@dataclass(frozen=True)
class Footprint:
    """One object of each pair: place [B, P, 2], yaw [B, P], core [B, P] (half the width of its square without the
    rounding) and rounding [B, P]."""

    place: Tensor
    yaw: Tensor
    core: Tensor
    rounding: Tensor


@dataclass(frozen=True)
class Contact:
    """gap [B, P] between the footprints, below 0 where they overlap; normal [B, P, 2] from the first to the second;
    arms [B, P, 2]: from the centre of the first, and of the second, to the contact point."""

    gap: Tensor
    normal: Tensor
    arms: tuple[Tensor, Tensor]


def contact(first: Footprint, second: Footprint) -> Contact:
    """How the footprints of pairs are nearest to each other."""
    # Both ways at once: few scenes cost the number of operations, not their size.
    nearness = _corners_against(_side_by_side(first, second), _side_by_side(second, first))
    distances, normals, points = (part.chunk(2, dim=1) for part in nearness)
    distance = torch.cat(distances, dim=-1)
    normal = torch.cat([-normals[0], normals[1]], dim=-2)
    point = torch.cat(points, dim=-2)
    share = torch.softmax(-distance / _SOFTNESS, dim=-1)[..., None]
    mean = (share * normal).sum(dim=-2)
    touch = (share * point).sum(dim=-2)
    return Contact(
        (share[..., 0] * distance).sum(dim=-1) - first.rounding - second.rounding,
        mean / mean.square().sum(dim=-1, keepdim=True).clamp(min=1e-8).sqrt(),
        (touch - first.place, touch - second.place),
    )


def _side_by_side(first: Footprint, second: Footprint) -> Footprint:
    """Twice as many pairs."""
    return Footprint(
        torch.cat([first.place, second.place], dim=1),
        torch.cat([first.yaw, second.yaw], dim=1),
        torch.cat([first.core, second.core], dim=1),
        torch.cat([first.rounding, second.rounding], dim=1),
    )


def _corners_against(mine: Footprint, other: Footprint) -> tuple[Tensor, Tensor, Tensor]:
    """Of each corner of my square [B, P, 4]: its distance from the other's square, below 0 inside it; the direction
    [.., 2] from there to the corner; and the point [.., 2] of my footprint that would touch."""
    corners = mine.place.new_tensor(_CORNERS)
    corner = _rotated(corners * mine.core[..., None, None], mine.yaw)
    seen = _rotated(corner + (mine.place - other.place)[..., None, :], -other.yaw)
    beyond = seen.abs() - other.core[..., None, None]
    outside = beyond.clamp(min=0)
    length = outside.square().sum(dim=-1).clamp(min=1e-12).sqrt()
    deepest = beyond.amax(dim=-1)
    face = (beyond == deepest[..., None]).to(beyond.dtype)
    away = torch.where((deepest < 0)[..., None], face, outside / length[..., None]) * seen.sign()
    direction = _rotated(away, other.yaw)
    reached = mine.place[..., None, :] + corner - direction * mine.rounding[..., None, None]
    return torch.where(deepest < 0, deepest, length), direction, reached


def _rotated(points: Tensor, angle: Tensor) -> Tensor:
    """[B, P, 4, 2] by [B, P]."""
    cos, sin = angle.cos()[..., None], angle.sin()[..., None]
    x, y = points.unbind(dim=-1)
    return torch.stack([cos * x - sin * y, sin * x + cos * y], dim=-1)
