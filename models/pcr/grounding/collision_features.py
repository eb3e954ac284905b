"""Features by which the collision of two objects in a video is recognised.

Shapes: leading dimensions (...), T frames, N objects, P pairs.
"""

from typing import Final

import torch
from torch import Tensor

from models.pcr.executor.soft_scene import both_of
from models.pcr.tracks.line_fits import REACH, LineFit, fit_lines

_STEPS: Final = tuple(range(-REACH, REACH + 1))
_FAR: Final = 1.5
# Of fitted motion (`FittedMotion.nearness`): frames to either side, factors, for gaps and for speeds.
_NEARNESS: Final = ((6, 20.0), (6, 20.0), (4, 2.0), (4, 2.0))
_MOST: Final = 2.0  # larger values tell nothing more
_NEARNESS_FEATURES: Final = sum(2 * reach + 1 for reach, _ in _NEARNESS)
COLLISION_FEATURES: Final = 2 * len(_STEPS) + 8 + 2 * 3 + _NEARNESS_FEATURES


def collision_features(
    position: Tensor,
    valid: Tensor,
    shape: Tensor,
    pairs: Tensor,
    fits: tuple[LineFit, LineFit] | None = None,
    nearness: Tensor | None = None,
) -> Tensor:
    """[..., T, P, F] from position [..., T, N, 2], valid [..., T, N] and shape [..., N, 3]: distances around the frame,
    their relative velocity before and after it, and the change of velocity of each. The features are symmetric in the pair.

    `fits` are line fits before and after each frame, if the caller has them; nearness [..., T, P, 4]: that of fitted motion,
    if it was fitted."""
    before, after = fits or (fit_lines(position, valid, -REACH, 0), fit_lines(position, valid, 0, REACH))
    first, second = pairs[:, 0], pairs[:, 1]
    apart = position[..., second, :] - position[..., first, :]
    distance = apart.norm(dim=-1)
    along = apart / distance.clamp(min=1e-3)[..., None]
    across = torch.stack([-along[..., 1], along[..., 0]], dim=-1)
    both = both_of(valid, pairs)
    known = both & both_of(before.known, pairs) & both_of(after.known, pairs)
    came = before.velocity[..., second, :] - before.velocity[..., first, :]
    goes = after.velocity[..., second, :] - after.velocity[..., first, :]
    change = after.velocity - before.velocity
    pushed = (change[..., first, :] * along).sum(-1), (change[..., second, :] * along).sum(-1)
    speeds = [
        (came * along).sum(-1),
        (goes * along).sum(-1),
        (came * across).sum(-1).abs(),
        (goes * across).sum(-1).abs(),
    ]
    felt = [
        pushed[1] - pushed[0],
        (pushed[1] + pushed[0]).abs(),
        (change.norm(dim=-1)[..., first] + change.norm(dim=-1)[..., second]),
    ]
    moments = torch.stack([*speeds, *felt], dim=-1) * known[..., None]
    near = torch.where(both, distance.clamp(max=_FAR), _FAR)
    shapes = torch.cat(
        [shape[..., first, :] + shape[..., second, :], shape[..., first, :] * shape[..., second, :]], dim=-1
    )
    shapes = shapes.unsqueeze(-3).expand(*near.shape, -1)
    window = [_shifted(near, step) - 0.4 for step in _STEPS]
    seen = [_shifted(both, step).to(near.dtype) for step in _STEPS]
    parts = [torch.stack([*window, *seen], dim=-1), moments, known[..., None].to(near.dtype), shapes]
    return torch.cat([*parts, _of_nearness(nearness, near)], dim=-1)


def _of_nearness(nearness: Tensor | None, like: Tensor) -> Tensor:
    """[..., T, P, F]; zero where no motion was fitted."""
    if nearness is None:
        return like.new_zeros(*like.shape, _NEARNESS_FEATURES)
    parts = []
    for values, (reach, factor) in zip(nearness.unbind(dim=-1), _NEARNESS, strict=True):
        scaled = (values * factor).clamp(-_MOST, _MOST)
        parts += [_shifted(scaled, step) for step in range(-reach, reach + 1)]
    return torch.stack(parts, dim=-1)


def _shifted(values: Tensor, step: int) -> Tensor:
    """[..., T, P] `step` frames later; the ends are repeated."""
    frames = values.shape[-2]
    index = (torch.arange(frames, device=values.device) + step).clamp(0, frames - 1)
    return values.index_select(-2, index)
