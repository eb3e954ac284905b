"""Motion as a predictor sees it whose steps are several frames long: every so many frames, velocities from one to the next.

Shapes: V videos, T frames, T' every so many of them, N objects.
"""

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.dynamics.trajectories import Trajectories


def every(recorded: Trajectories, stride: int) -> tuple[Trajectories, Tensor]:
    """Every `stride`-th frame of recorded motion, without orientations, and whole [V, T', N]: where the places of a step and
    of the two before are known. Where the place of a step before is not known, the recorded velocity stands in for the
    difference."""
    parts = (recorded.position, recorded.velocity, recorded.known[..., None])
    position, velocity, known = (values[:, ::stride] for values in parts)
    both = known & _before(known)
    moved = (position - _before(position)) * (FPS / stride)
    velocity = torch.where(both, moved, velocity)
    three = both & _before(both)
    earlier = torch.where(three, _before(velocity), velocity)
    return Trajectories(position, velocity, known[..., 0], earlier=earlier), three[..., 0]


def densely(values: Tensor, stride: int, first: int, count: int) -> Tensor:
    """[B, count, ...]: frames from the number `first` on of values [B, T', ...] of every `stride`-th frame, by linear
    interpolation; the first and the last value hold before and after."""
    place = torch.arange(first, first + count, device=values.device)
    step = (place // stride).clamp(0, values.shape[1] - 2)
    share = ((place - step * stride) / stride).clamp(0, 1).to(values.dtype).reshape(-1, *[1] * (values.dim() - 2))
    return values[:, step] * (1 - share) + values[:, step + 1] * share


def _before(values: Tensor) -> Tensor:
    """A step before; at the first step nothing is known: zeros."""
    return torch.cat([torch.zeros_like(values[:, :1]), values[:, :-1]], dim=1)
