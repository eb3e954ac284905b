"""Events from scores over time: local maxima become slots of events (temporal non-maximum suppression).

Shapes: S sets, T frames, C things that events happen to (objects or pairs), K slots of each.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import max_pool1d


@dataclass(frozen=True)
class Peaks:
    """probability and time [S, C, K]; a slot without a peak has no chance."""

    probability: Tensor
    time: Tensor


def find_peaks(scores: Tensor, possible: Tensor, slots: int, reach: int, first: int = 0) -> Peaks:
    """The highest local maxima of scores [S, T, C] where an event is possible [S, T, C]; `reach` frames to either side
    belong to the same event. `first` is the number of the first frame. The time has no gradient, the probability has."""
    lowest = torch.finfo(scores.dtype).min / 2
    masked = torch.where(possible, scores, lowest).transpose(1, 2)
    tallest = max_pool1d(masked, 2 * reach + 1, stride=1, padding=reach)
    # Of equals, such as those in a row of frames without change, the first is the peak.
    earlier = torch.cat([masked.new_full((*masked.shape[:2], 1), lowest), masked[..., :-1]], dim=-1)
    peak = (masked >= tallest) & (masked > lowest) & (earlier < masked)
    ranked = torch.where(peak, masked, lowest)
    best, frame = ranked.topk(min(slots, ranked.shape[-1]), dim=-1)
    there = best > lowest
    probability = torch.where(there, torch.sigmoid(torch.where(there, best, 0.0)), 0.0)
    return Peaks(probability, (frame + first).to(scores.dtype))
