"""The free motion that a frame is part of: fitted to as many frames as one motion without a touch explains.

Between two touches an object goes nearly straight and slows down evenly. The more frames a fit spans the better it knows
the velocity, as long as no touch lies among them. So many spans are tried, around each frame, back from it and on from
it; the one is taken that promises the surest velocity, given how well the motion fits there.

Shapes: leading dimensions (...), T frames, N objects, W steps around a frame, K spans.
"""

from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS

_REACHES: Final = (3, 4, 6, 9, 14)  # frames
_SPANS: Final = tuple(span for reach in _REACHES for span in ((-reach, reach), (-reach, 0), (0, reach)))
_FARTHEST: Final = max(_REACHES)
_NOISE: Final = 0.0015  # units by which the place in one frame is off
_SLOWING: Final = 0.4  # units per second squared, as what slides or is charged has them
_HALF_HIDDEN: Final = 0.3  # weight of a frame in which an edge is hidden
_LEAST_FRAMES: Final = 3


def fit_free_motion(position: Tensor, valid: Tensor, whole: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """place and velocity [..., T, N, 2] at each frame, and where they are known [..., T, N], from places that are valid
    and better known where the object is seen whole."""
    steps = torch.arange(-_FARTHEST, _FARTHEST + 1, device=position.device)
    weight = torch.where(whole, 1.0, _HALF_HIDDEN).to(position.dtype) * valid
    offset, weights = _around(position, weight, steps)
    times = steps.to(position.dtype) / _FARTHEST
    spans = torch.stack([((steps >= first) & (steps <= last)).to(times.dtype) for first, last in _SPANS])
    powers = torch.stack([times**power for power in range(5)])
    kernel = (spans[:, None] * powers).flatten(0, 1).T  # [W, K * 5]
    shape = len(_SPANS), len(powers)
    moments = (weights @ kernel).unflatten(-1, shape)
    products = ((weights[..., None, :] * offset) @ kernel).unflatten(-1, shape)[..., :3]  # [..., 2, K, 3]
    squares = (weights * offset.square().sum(dim=-2)) @ spans.T
    inverse = _inverse(moments)
    parabola = (inverse[..., None, :, :, :] @ products[..., None])[..., 0]
    unexplained = (squares - (parabola * products).sum(dim=(-1, -3))).clamp(min=0)
    misfit = unexplained / (2 * moments[..., 0] - 4).clamp(min=1) / _NOISE**2
    enough = ((weights > 0).to(spans.dtype) @ spans.T) >= _LEAST_FRAMES
    doubt = torch.where(enough, inverse[..., 1, 1] * misfit.clamp(min=1).square(), torch.inf)
    best = doubt.argmin(dim=-1)[..., None, None, None].expand(*doubt.shape[:-1], 2, 1, 3)
    chosen = parabola.gather(-2, best)[..., 0, :]
    known = enough.any(dim=-1) & valid
    place = (position + chosen[..., 0]) * known[..., None]
    return place, chosen[..., 1] * (FPS / _FARTHEST) * known[..., None], known


def _around(position: Tensor, weight: Tensor, steps: Tensor) -> tuple[Tensor, Tensor]:
    """offset [..., T, N, 2, W] from where the object is, and weight [..., T, N, W], of the frames around each."""
    frames = position.shape[-3]
    index = torch.arange(frames, device=position.device)[:, None] + steps
    inside = (index >= 0) & (index < frames)
    index = index.clamp(0, frames - 1)
    offset = position[..., index, :, :] - position[..., :, None, :, :]
    weights = weight[..., index, :] * inside[..., None]
    return offset.movedim(-3, -1), weights.movedim(-2, -1)


def _inverse(moments: Tensor) -> Tensor:
    """[..., K, 3, 3]: of the normal equations of parabolas whose bend is expected to be as weak as slowing makes it."""
    bend = _SLOWING / 2 * (_FARTHEST / FPS) ** 2
    s0, s1, s2, s3, s4 = moments.unbind(dim=-1)
    s0, s2_, s4 = s0 + 1e-6, s2 + 1e-6, s4 + (_NOISE / bend) ** 2
    rows = (s2_ * s4 - s3 * s3, s2 * s3 - s1 * s4, s1 * s3 - s2 * s2_)
    middle, mixed, last = s0 * s4 - s2 * s2, s1 * s2 - s0 * s3, s0 * s2_ - s1 * s1
    determinant = s0 * rows[0] + s1 * rows[1] + s2 * rows[2]
    adjugate = torch.stack([*rows, rows[1], middle, mixed, rows[2], mixed, last], dim=-1)
    return (adjugate / determinant.clamp(min=1e-12)[..., None]).unflatten(-1, (3, 3))
