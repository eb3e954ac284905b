"""Which way objects are turned, from how wide they look.

A cube looks wider the more it shows an edge. That tells how far it is turned from the line of sight, not to which side;
but as it moves, the line of sight turns, and only one of the two explains the widths that follow. So all turns are kept
in mind and followed through the video, forwards and back. A quarter of a full turn changes nothing.

For what is round the result means nothing, and nothing depends on it.

Shapes: leading dimensions (...), T frames, N objects, K turns.
"""

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import Camera
from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS

_TURNS: Final = 24  # of a quarter turn
_QUARTER: Final = math.pi / 2
_NOISE: Final = 1 / 480  # of the picture's width, by which an extent is off
_NEAREST: Final = 0.5  # units of depth; nothing nearer is in the picture
_STEADY: Final = 0.9  # chance that an object does not turn from one frame to the next by a whole step
_DOUBT: Final = 1e-3  # chance of a width that tells nothing
_REACH: Final = 3  # frames before and after, over which a spin is measured


@dataclass(frozen=True)
class Turning:
    """yaw [..., T, N] in radians, up to a quarter turn, and spin [..., T, N] in radians per second."""

    yaw: Tensor
    spin: Tensor


def turning_of(extent: Tensor, place: Tensor, seen: Tensor, width: int) -> Turning:
    """extent [..., T, N]: how wide objects are, in pixels of a picture of this width; place [..., T, N, 2] on the ground;
    seen [..., T, N]: where the extent can be trusted."""
    turns = torch.arange(_TURNS, device=extent.device) * (_QUARTER / _TURNS)
    misfit = (extent[..., None] - _extents(place, turns, width)) / (_NOISE * width)
    told = torch.where(seen[..., None], torch.exp(-misfit.square() / 2) + _DOUBT, 1.0)
    chance = _followed(told) * _followed(told.flip(-3)).flip(-3) / told
    yaw = _mean_turn(chance, turns)
    return Turning(yaw, _spin(yaw))


def _extents(place: Tensor, turns: Tensor, width: int) -> Tensor:
    """[..., T, N, K]: how wide a cube looks at each turn, in pixels: from its leftmost to its rightmost corner."""
    full = Camera()
    camera = full.resized(width, width * full.height // full.width)
    right, _, forward = (torch.as_tensor(axis, dtype=place.dtype, device=place.device) for axis in camera.axes())
    seen_from = torch.tensor(camera.position, dtype=place.dtype, device=place.device)
    columns = []
    for height in (0.0, 2 * OBJECT_RADIUS):
        middle = torch.cat([place, torch.full_like(place[..., :1], height)], dim=-1) - seen_from
        for quarter in range(4):
            angle = turns + (quarter + 0.5) * _QUARTER
            corner = torch.stack([angle.cos(), angle.sin()], dim=-1) * OBJECT_RADIUS * 2**0.5
            depth = (middle @ forward)[..., None] + corner @ forward[:2]
            columns.append(((middle @ right)[..., None] + corner @ right[:2]) / depth.clamp(min=_NEAREST))
    most, least = columns[0], columns[0]
    for column in columns[1:]:
        most, least = torch.maximum(most, column), torch.minimum(least, column)
    return camera.focal * (most - least)


def _followed(told: Tensor) -> Tensor:
    """Chances [..., T, N, K] of turns, from all frames up to each."""
    chance = told[..., 0, :, :]
    chances = [chance]
    for now in told.unbind(dim=-3)[1:]:
        aside = (chance.roll(1, dims=-1) + chance.roll(-1, dims=-1)) / 2
        chance = (_STEADY * chance + (1 - _STEADY) * aside) * now
        chance = chance / chance.sum(dim=-1, keepdim=True)
        chances.append(chance)
    return torch.stack(chances, dim=-3)


def _mean_turn(chance: Tensor, turns: Tensor) -> Tensor:
    """The mean turn near the likeliest: of two sides that are as likely one has to be taken, not the middle."""
    best = chance.argmax(dim=-1, keepdim=True)
    near = best + torch.arange(-2, 3, device=best.device)
    weight = chance.gather(-1, near % _TURNS)
    return ((weight * near).sum(dim=-1) / weight.sum(dim=-1)) * (turns[1] - turns[0])


def _spin(yaw: Tensor) -> Tensor:
    frames = torch.arange(yaw.shape[-2], device=yaw.device)
    before, after = (frames - _REACH).clamp(min=0), (frames + _REACH).clamp(max=len(frames) - 1)
    change = yaw.index_select(-2, after) - yaw.index_select(-2, before)
    change = torch.remainder(change + _QUARTER / 2, _QUARTER) - _QUARTER / 2
    return change * FPS / (after - before)[:, None]
