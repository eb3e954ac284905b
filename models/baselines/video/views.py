"""What a model is shown of a set: features of its videos, all of them or a part.

Shapes: B sets, T frames of the target, R references with T' frames each, C cells of a frame, D features of a cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
import torch
from torch import Tensor

from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import Cue, Shown
from models.perceiver.cache.index import CacheKey

_TOGETHER: Final = 64  # sets that are read at once


class SetFeatures(Protocol):
    """Features of sets, by the number of the set; the key tells what they were made of."""

    @property
    def key(self) -> CacheKey: ...

    @property
    def shape(self) -> FrameFeatureShape: ...

    def indices(self) -> list[int]: ...

    def rows(self, numbers: Sequence[int]) -> dict[str, Tensor]:
        """Of several sets: `target` [S, T, C, D] and `references` [S, R, T', C, D]."""
        ...


@dataclass(frozen=True)
class VisualFeatures:
    """Features of sets, and in words what they are of. `of_objects`: cells are objects, in no order, rather than places.
    The last `place` features of a cell tell where it is in the picture."""

    features: SetFeatures
    described: str
    of_objects: bool = False
    place: int = 0


class Views:
    """What a model is shown of sets, by their numbers: features of the target [B, T, C, D] and of the references
    [B, R, T', C, D], or None for what it is not shown. They lie on the device, in half precision."""

    def __init__(self, features: SetFeatures, sets: Sequence[int], shown: Shown, device: torch.device) -> None:
        self._device = device
        targets, references = list[Tensor](), list[Tensor]()
        for start in range(0, len(sets), _TOGETHER):  # all at once would not fit beside other runs in main memory
            some = sets[start : start + _TOGETHER]
            rows = features.rows(some)
            if shown.target:
                targets.append(_cued(rows["target"][:, None], some, shown.cue)[:, 0].to(device))
            if shown.references:
                references.append(_cued(rows["references"], some, shown.cue).to(device))
        self._target = torch.cat(targets) if targets else None
        self._references = torch.cat(references) if references else None
        self._rows = torch.full((max(sets, default=-1) + 1,), -1)
        self._rows[torch.tensor(list(sets), dtype=torch.long)] = torch.arange(len(sets))

    def __call__(self, scenes: Tensor) -> tuple[Tensor | None, Tensor | None]:
        rows = self._rows[scenes].to(self._device)
        target, references = (None if one is None else one[rows].float() for one in (self._target, self._references))
        return target, references

    def statistics(self, scenes: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Mean and standard deviation [D] of each feature over the frames of these sets: of their targets if those are
        shown, else of their references."""
        shown = self._target if self._target is not None else self._references
        assert shown is not None, "a model is shown something"
        rows = self._rows[torch.tensor(sorted(set(scenes)))].to(self._device)
        totals = torch.zeros(2, shown.shape[-1], dtype=torch.float64, device=self._device)
        for row in rows:
            one = shown[row].flatten(0, -2).double()
            totals += torch.stack([one.mean(0), one.square().mean(0)])
        mean, square = totals / len(rows)
        return mean.float(), (square - mean.square()).clamp(min=0).sqrt().float()


def shown_shape(shape: FrameFeatureShape, shown: Shown) -> FrameFeatureShape:
    """The shape that a model's view of a set has."""
    return replace(shape, target=1, reference=1) if shown.cue == Cue.SINGLE_FRAME else shape


def _cued(videos: Tensor, sets: Sequence[int], cue: str) -> Tensor:
    """Of videos [S, V, T, C, D] the frames that a cue leaves, in its order. The order that is drawn for a video depends on
    the numbers of its set and of the video alone: training and test see the same."""
    frames = videos.shape[2]
    if cue == Cue.SINGLE_FRAME:
        return videos[:, :, frames // 2 : frames // 2 + 1]
    if cue == Cue.SHUFFLED_FRAMES:
        shuffled = torch.empty_like(videos)
        for row, number in enumerate(sets):
            for video in range(videos.shape[1]):
                order = np.random.default_rng((number, video)).permutation(frames)
                shuffled[row, video] = videos[row, video, torch.from_numpy(order)]
        return shuffled
    return videos
