"""Orientation (yaw) of objects from the widths of their boxes: a hidden Markov model over discretised yaw, solved by the
forward-backward algorithm.

A cube's box is the wider the more the cube shows an edge. One width leaves two yaws, mirrored at the line of sight; but as
the cube moves the line of sight turns, and only one of the two explains the widths that follow. Yaw is known up to a
quarter turn, the symmetry of a cube. For round objects the result means nothing, and nothing depends on it.

Shapes: leading dimensions (...), T frames, N objects, K discrete yaws.
"""

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import Camera
from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS

_YAWS: Final = 24  # discrete yaws of a quarter turn
_QUARTER: Final = math.pi / 2
_NOISE: Final = 1 / 480  # standard deviation of a measured width, in image widths
_NEAREST: Final = 0.5  # units of depth; nothing nearer is in the image
_STAY: Final = 0.9  # transition probability: the discrete yaw stays the same from one frame to the next
_OUTLIER: Final = 1e-3  # floor of the likelihood: a width may be an outlier
_REACH: Final = 3  # frames before and after, between which a spin is measured


@dataclass(frozen=True)
class YawTrack:
    """yaw [..., T, N] in radians, up to a quarter turn, and spin [..., T, N] in radians per second."""

    yaw: Tensor
    spin: Tensor


def track_yaw(extent: Tensor, place: Tensor, seen: Tensor, width: int) -> YawTrack:
    """Smoothed yaw and spin. extent [..., T, N]: box widths in pixels of an image of this width; place [..., T, N, 2] on
    the ground; seen [..., T, N]: where the extent can be trusted."""
    yaws = torch.arange(_YAWS, device=extent.device) * (_QUARTER / _YAWS)
    misfit = (extent[..., None] - _extents(place, yaws, width)) / (_NOISE * width)
    likelihood = torch.where(seen[..., None], torch.exp(-misfit.square() / 2) + _OUTLIER, 1.0)
    posterior = _filtered(likelihood) * _filtered(likelihood.flip(-3)).flip(-3) / likelihood
    yaw = _mean_near_mode(posterior, yaws)
    return YawTrack(yaw, _spin(yaw))


def _extents(place: Tensor, yaws: Tensor, width: int) -> Tensor:
    """[..., T, N, K]: predicted box width of a cube at each yaw, in pixels: from its leftmost to its rightmost corner."""
    full = Camera()
    camera = full.resized(width, width * full.height // full.width)
    right, _, forward = (torch.as_tensor(axis, dtype=place.dtype, device=place.device) for axis in camera.axes())
    camera_position = torch.tensor(camera.position, dtype=place.dtype, device=place.device)
    columns = []
    for height in (0.0, 2 * OBJECT_RADIUS):
        middle = torch.cat([place, torch.full_like(place[..., :1], height)], dim=-1) - camera_position
        for quarter in range(4):
            angle = yaws + (quarter + 0.5) * _QUARTER
            corner = torch.stack([angle.cos(), angle.sin()], dim=-1) * OBJECT_RADIUS * 2**0.5
            depth = (middle @ forward)[..., None] + corner @ forward[:2]
            columns.append(((middle @ right)[..., None] + corner @ right[:2]) / depth.clamp(min=_NEAREST))
    most, least = columns[0], columns[0]
    for column in columns[1:]:
        most, least = torch.maximum(most, column), torch.minimum(least, column)
    return camera.focal * (most - least)


def _filtered(likelihood: Tensor) -> Tensor:
    """The forward pass: chances [..., T, N, K] of yaws given all frames up to each. In reverse: the backward pass."""
    chance = likelihood[..., 0, :, :]
    chances = [chance]
    for now in likelihood.unbind(dim=-3)[1:]:
        aside = (chance.roll(1, dims=-1) + chance.roll(-1, dims=-1)) / 2
        chance = (_STAY * chance + (1 - _STAY) * aside) * now
        chance = chance / chance.sum(dim=-1, keepdim=True)
        chances.append(chance)
    return torch.stack(chances, dim=-3)


def _mean_near_mode(chance: Tensor, yaws: Tensor) -> Tensor:
    """The mean yaw near the mode: of two mirrored yaws that are equally likely one must be taken, not their mean."""
    best = chance.argmax(dim=-1, keepdim=True)
    near = best + torch.arange(-2, 3, device=best.device)
    weight = chance.gather(-1, near % _YAWS)
    return ((weight * near).sum(dim=-1) / weight.sum(dim=-1)) * (yaws[1] - yaws[0])


def _spin(yaw: Tensor) -> Tensor:
    """Central differences of yaw, modulo a quarter turn."""
    frames = torch.arange(yaw.shape[-2], device=yaw.device)
    before, after = (frames - _REACH).clamp(min=0), (frames + _REACH).clamp(max=len(frames) - 1)
    change = yaw.index_select(-2, after) - yaw.index_select(-2, before)
    change = torch.remainder(change + _QUARTER / 2, _QUARTER) - _QUARTER / 2
    return change * FPS / (after - before)[:, None]
