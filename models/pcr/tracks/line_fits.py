"""How objects move: velocities from least-squares line fits to a few frames of their tracks, accelerations from parabolas.

Shapes: leading dimensions (...), T frames, N objects.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.tracks.ground_plane import GroundTracks

REACH: Final = 4  # frames that a fit looks ahead or back: 0.16 s, in which a free object hardly slows down
WIDE_REACH: Final = 8  # for accelerations: of charged objects they are weak and last long


@dataclass(frozen=True)
class LineFit:
    """place and velocity [..., T, N, 2] at each frame, in units and units per second; known [..., T, N] where there were
    enough valid frames for a fit."""

    place: Tensor
    velocity: Tensor
    known: Tensor


@dataclass(frozen=True)
class Motion:
    """Fits around each frame, to the frames before it and to those after it (both with the frame itself), and the
    acceleration [..., T, N, 2] around it."""

    around: LineFit
    before: LineFit
    after: LineFit
    acceleration: Tensor
    accelerated: Tensor  # [..., T, N]: where the acceleration is known


def motion_of(tracks: GroundTracks) -> Motion:
    """All fits to the tracks of videos."""
    position, valid = tracks.position, tracks.valid
    acceleration, accelerated = fit_acceleration(position, valid, WIDE_REACH)
    return Motion(
        fit_lines(position, valid, -REACH, REACH),
        fit_lines(position, valid, -REACH, 0),
        fit_lines(position, valid, 0, REACH),
        acceleration,
        accelerated,
    )


def fit_lines(position: Tensor, valid: Tensor, first: int, last: int) -> LineFit:
    """Least-squares lines through the valid frames among t + first ... t + last, for every frame t."""
    values, weights, steps = _windows(position, valid, first, last)
    total = weights.sum(dim=-1)
    mean_step = (weights * steps).sum(dim=-1) / total.clamp(min=1)
    mean = (weights[..., None, :] * values).sum(dim=-1) / total.clamp(min=1)[..., None]
    offsets = steps - mean_step[..., None]
    variance = (weights * offsets**2).sum(dim=-1)
    slope = (weights * offsets).unsqueeze(-2).mul(values).sum(dim=-1) / variance.clamp(min=1e-6)[..., None]
    known = (total >= 3) & valid
    place = (mean - slope * mean_step[..., None]) * known[..., None]
    return LineFit(place, slope * FPS * known[..., None], known)


def fit_acceleration(position: Tensor, valid: Tensor, reach: int) -> tuple[Tensor, Tensor]:
    """From least-squares parabolas over 2 * reach + 1 frames; known only where nearly all of these frames are valid."""
    values, weights, steps = _windows(position, valid, -reach, reach)
    known = weights.sum(dim=-1) >= 2 * reach
    line = steps - steps.mean()
    parabola = steps**2 - (steps**2).mean()
    line, parabola = line / line.norm(), parabola / parabola.norm()
    mean = (weights[..., None, :] * values).sum(dim=-1, keepdim=True) / weights.sum(dim=-1).clamp(min=1)[
        ..., None, None
    ]
    filled = torch.where(weights[..., None, :] > 0, values, mean)
    curvature = (filled * parabola).sum(dim=-1) / (steps**2 - (steps**2).mean()).norm()
    return 2 * curvature * FPS**2 * known[..., None], known


def _windows(position: Tensor, valid: Tensor, first: int, last: int) -> tuple[Tensor, Tensor, Tensor]:
    """values [..., T, N, 2, W], weights [..., T, N, W] and steps [W] of the frames around each frame."""
    frames = position.shape[-3]
    steps = torch.arange(first, last + 1, device=position.device)
    index = torch.arange(frames, device=position.device)[:, None] + steps
    inside = (index >= 0) & (index < frames)
    index = index.clamp(0, frames - 1)
    values = position[..., index, :, :]  # [..., T, W, N, 2]
    weights = (valid[..., index, :] & inside[..., None]).to(position.dtype)
    return values.movedim(-3, -1), weights.movedim(-2, -1), steps.to(position.dtype)
