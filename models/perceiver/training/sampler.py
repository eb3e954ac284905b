"""Which frames a training step sees, with their boxes: drawn or decoded ones, and stills of another renderer among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from comphy.dataset.frame_sampling import random_keys, reused_keys
from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.media.resizing import resized
from comphy.dataset.stills import Stills
from comphy.errors import DatasetError
from models.perceiver.truth import TrueBoxes, video_numbers

_FRAME_DRAWS, _STILL_DRAWS = 1, 4  # streams of random numbers


@dataclass(frozen=True)
class StillsSettings:
    """Domain adaptation: frames of train sets that another renderer has drawn, for the detector to learn its look from. In
    `video_fraction` of a batch's videos all frames but one are stills, so that the contrastive loss meets the same object in
    both looks. Embeddings of stills are to reconstruct the same frame in the usual look, in which attributes are learned."""

    RENAMED: ClassVar[Mapping[str, str]] = {"share": "video_fraction"}

    folder: str = ""  # of `comphy stills`; "": none
    video_fraction: float = 0.5  # of the videos in a batch

    def __post_init__(self) -> None:
        if not 0 < self.video_fraction <= 1:
            raise ValueError(f"expected a video_fraction of stills above 0 and at most 1 (got {self.video_fraction})")

    def read(self, truth: TrueBoxes) -> Stills | None:
        """The stills, if a folder is named. Raises DatasetError unless they are of the train sets, and large enough."""
        if not self.folder:
            return None
        stills = Stills.read(Path(self.folder))
        stills.check(truth.source.fingerprint(), truth.sets("train"), truth.lengths)
        if stills.width < truth.width:
            raise DatasetError(
                f"{self.folder}: expected stills at least as wide as the detector's pictures, {truth.width} pixels (got "
                f"{stills.width}). Draw them with `comphy stills --width {truth.width}`."
            )
        return stills


@dataclass(frozen=True)
class FrameBatch:
    """`frames` [B, H, W, 3] 8-bit, `boxes` [B, G, 4], and `videos` [B], which numbers the video of each frame. `stills` [B]
    says which frames are stills, and `originals` are all frames in the usual look; None where there are no stills."""

    frames: Tensor
    boxes: Tensor
    videos: Tensor
    stills: Tensor | None = None
    originals: Tensor | None = None


@dataclass(frozen=True)
class BatchSize:
    """`per_video` frames of each video; a video stays in batches for `reuse` steps."""

    frames: int
    per_video: int
    reuse: int = 1


class FrameSampler:
    """What a step sees depends on the seed and the step alone, so that a resumed run sees the same frames."""

    def __init__(
        self,
        frames: FrameBatches,
        truth: TrueBoxes,
        size: BatchSize,
        seed: int,
        stills: Stills | None = None,
        video_fraction: float = 0.0,
    ) -> None:
        self._frames, self._truth, self._size, self._seed = frames, truth, size, seed
        self._sets = truth.sets("train")
        self._stills = _LoadedStills(stills, frames.size) if stills is not None else None
        self._still_videos = max(1, round(video_fraction * size.frames / size.per_video)) if stills is not None else 0

    def batch(self, step: int) -> FrameBatch:
        drawn, stills = self.keys(step)
        keys = [*drawn, *stills]
        originals, boxes, videos = self._frames.draw(keys), self._truth.batch(keys), video_numbers(keys)
        if self._stills is None:
            return FrameBatch(originals, boxes, videos)
        frames = torch.cat([originals[: len(drawn)], self._stills.draw(stills).to(originals.device)])
        return FrameBatch(frames, boxes, videos, torch.arange(len(keys)) >= len(drawn), originals)

    def keys(self, step: int) -> tuple[list[FrameKey], list[FrameKey]]:
        """Frames that are drawn or decoded, and those that are stills."""
        size, lengths = self._size, self._truth.lengths
        others, stills = self._with_stills(step)
        count = size.frames - len(others) - len(stills)

        def draws(of_step: int) -> np.random.Generator:
            return np.random.default_rng((self._seed, _FRAME_DRAWS, of_step))

        if size.reuse == 1:
            keys = random_keys(self._sets, count, draws(step), size.per_video, lengths)
        else:
            keys = reused_keys(self._sets, count, draws, step, size.reuse, size.per_video, lengths)
        return keys + others, stills

    def _with_stills(self, step: int) -> tuple[list[FrameKey], list[FrameKey]]:
        """Of some videos that have stills: frames to draw, and stills."""
        if self._stills is None:
            return [], []
        rng = np.random.default_rng((self._seed, _STILL_DRAWS, step))
        known = self._stills.stills.by_video
        names = list(known)
        drawn: list[FrameKey] = []
        stills: list[FrameKey] = []
        for name in rng.choice(len(names), size=min(self._still_videos, len(names)), replace=False):
            of_video = known[names[name]]
            wanted = min(max(1, self._size.per_video - 1), len(of_video))
            stills += [of_video[place] for place in rng.choice(len(of_video), size=wanted, replace=False)]
            index, video = of_video[0].index, of_video[0].video
            moments = rng.integers(self._truth.lengths.of(video), size=self._size.per_video - wanted)
            drawn += [FrameKey(index, video, int(frame)) for frame in moments]
        return drawn, stills


class _LoadedStills:
    """All stills in memory, at the detector's size."""

    def __init__(self, stills: Stills, size: tuple[int, int]) -> None:
        self.stills = stills
        self._places = {key: place for place, key in enumerate(stills.keys)}
        pictures = torch.from_numpy(np.stack([stills.picture(key) for key in stills.keys]))
        self._pictures = resized(pictures, size, str(stills.folder))

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        return self._pictures[[self._places[key] for key in keys]]
