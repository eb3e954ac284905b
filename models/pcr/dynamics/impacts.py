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


def votes_on(peaks: Peaks, rollouts: int) -> Peaks:
    """From the collisions of B * C rollouts to those of B scenes: the share of the rollouts in which a pair collides, and
    when it does on average. The mean of the rollouts' own probabilities counts as one vote more: it decides a tie, and
    nothing that is possible gets no chance at all."""
    chance, time = (part.unflatten(0, (-1, rollouts)) for part in (peaks.probability, peaks.time))
    votes = (chance > 0.5).to(chance.dtype)
    share = (votes.sum(dim=1) + chance.mean(dim=1)) / (rollouts + 1)
    weight = torch.where(votes.any(dim=1, keepdim=True), votes, torch.ones_like(votes))
    return Peaks(share, (time * weight).sum(dim=1) / weight.sum(dim=1))
