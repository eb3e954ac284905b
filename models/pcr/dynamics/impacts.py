"""Collisions of imagined motion, read off the impacts of the dynamics predictor itself.

Shapes: B scenes, F frames, P pairs, C rollouts of a scene.
"""

from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.grounding.peaks import Peaks

_SOFTNESS: Final = 0.01  # units of clearance that change the odds of a collision by a factor of e
_RELEASE: Final = round(0.2 * FPS)  # frames: contacts of a pair that are closer together in time are one collision


def collisions_of(clearance: Tensor, start: int, first: int) -> Peaks:
    """The likeliest collision of each pair that begins at frame `first` or later, in one slot, from clearances [B, F, P]
    whose first frame has the number `start`.

    A collision begins where a pair touches that has not touched shortly before: two objects that stay in touch collide
    once. The probability has a gradient, the time has none."""
    touching = -clearance / _SOFTNESS
    lowest = torch.finfo(touching.dtype).min / 2
    before = torch.nn.functional.pad(touching, (0, 0, _RELEASE, 0), value=lowest)
    touched = torch.stack([before[:, k : k + touching.shape[1]] for k in range(_RELEASE)]).amax(dim=0)
    begins = torch.minimum(touching, -touched)
    number = torch.arange(touching.shape[1], device=clearance.device) + start
    begins = torch.where((number >= first)[:, None], begins, lowest)
    best, frame = begins.max(dim=1)
    return Peaks(torch.sigmoid(best)[..., None], (frame + start)[..., None].to(clearance.dtype))


def as_sure_as_agreed(best: Peaks, others: Peaks, rollouts: int) -> Peaks:
    """The collisions of B scenes in their best rollouts, each as sure as many of B * C other rollouts agree on whether there
    is one. The best ones decide alone: a probability stays on their side of a half. Two votes more, one of each kind, keep
    it from being certain."""
    collides = best.probability > 0.5
    also = (others.probability.unflatten(0, (-1, rollouts)) > 0.5).to(best.probability.dtype).sum(dim=1)
    agreed = (torch.where(collides, also, rollouts - also) + 1) / (rollouts + 2)
    return Peaks(torch.where(collides, 0.5 + agreed / 2, 0.5 - agreed / 2), best.time)
