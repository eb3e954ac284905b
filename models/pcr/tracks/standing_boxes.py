"""Boxes from which a camera can be told: of objects that are whole in the picture, each place in it once.

Shapes: B boxes. Boxes are x0, y0, x1, y1 in image widths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from models.pcr.tracks.ground_plane import unhidden_edges
from models.perceiver.perceived import PerceivedSet

_MOVED: Final = 6 / 480  # widths: as far as an edge must have moved for a box to tell something new
_MOST_OF_TRACK: Final = 12
_MOST: Final = 240  # boxes of all tracks together


@dataclass(frozen=True)
class StandingBoxes:
    """boxes [B, 4]; track [B]: which of the tracks each is of, numbered from 0 without gaps."""

    boxes: Tensor
    track: Tensor

    def __len__(self) -> int:
        return len(self.boxes)

    @property
    def tracks(self) -> int:
        return int(self.track.max()) + 1 if len(self) else 0

    def thinned(self, most: int) -> "StandingBoxes":
        """At most so many boxes of every track."""
        numbers = [(self.track == track).nonzero().flatten() for track in range(self.tracks)]
        kept = torch.cat([of_track[_spread(len(of_track), most)] for of_track in numbers])
        return StandingBoxes(self.boxes[kept], self.track[kept])


def standing_boxes(sets: Sequence[PerceivedSet]) -> StandingBoxes:
    """Of all videos of sets that were filmed with one camera. Frames in which an object hardly moves are averaged: they are
    one view of it, and an object that rests must not outweigh those that move."""
    chosen = [views for one in sets for views in _tracks(one)]
    room = max(2, min(_MOST_OF_TRACK, _MOST // max(len(chosen), 1)))
    chosen = [views[_spread(len(views), room)] for views in chosen]
    if not chosen:
        return StandingBoxes(torch.zeros(0, 4, dtype=torch.float64), torch.zeros(0, dtype=torch.long))
    sizes = torch.tensor([len(views) for views in chosen])
    return StandingBoxes(torch.cat(chosen), torch.repeat_interleave(torch.arange(len(chosen)), sizes))


def _tracks(perceived: PerceivedSet) -> Iterator[Tensor]:
    """Of every track, the boxes [K, 4] of its distinct views."""
    for video in (perceived.target, *perceived.references):
        boxes = torch.as_tensor(np.array(video.boxes), dtype=torch.float64)
        whole = unhidden_edges(boxes, perceived.width, perceived.height).all(dim=-1) & torch.as_tensor(
            np.array(video.seen)
        )
        for number in range(len(video)):
            if whole[:, number].any():
                yield _distinct(boxes[whole[:, number], number] / perceived.width)


def _distinct(boxes: Tensor) -> Tensor:
    """The means of runs of boxes [T, 4] in which no edge moves far."""
    starts = [0]
    for frame in range(1, len(boxes)):
        if (boxes[frame] - boxes[starts[-1]]).abs().max() > _MOVED:
            starts.append(frame)
    ends = [*starts[1:], len(boxes)]
    return torch.stack([boxes[start:end].mean(dim=0) for start, end in zip(starts, ends, strict=True)])


def _spread(count: int, most: int) -> Tensor:
    """At most so many of `count` numbers, evenly spread."""
    return torch.linspace(0, count - 1, min(count, most)).round().long()
