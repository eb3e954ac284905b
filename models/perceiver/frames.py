"""Frames to learn from and to look at: whatever draws or decodes them, the perceiver sees this protocol.

Renderers live elsewhere (`data_gen`), which models do not import: a tool hands over something that draws.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from comphy.dataset.frames import VideoFiles
from comphy.errors import DatasetError


@dataclass(frozen=True)
class FrameKey:
    """One frame of one video of a set: `target`, `reference_0` … `reference_3`."""

    index: int
    video: str
    frame: int

    @property
    def name(self) -> str:
        """The video's name in packs."""
        return f"{self.index:05d}/{self.video}"


class FrameBatches(Protocol):
    """Draws chosen frames of many videos at once."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        ...

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        """[len(keys), height, width, 3], 8-bit RGB, on the device of its choice."""
        ...


@dataclass
class VideoBatches:
    """Frames from a dataset's mp4 files, made smaller or larger where the perceiver wants another size."""

    root: Path
    size: tuple[int, int]
    most_videos: int = 64  # kept decoded
    _decoded: OrderedDict[tuple[int, str], Tensor] = field(default_factory=OrderedDict)

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        return torch.stack([self._video(key)[key.frame] for key in keys])

    def _video(self, key: FrameKey) -> Tensor:
        name = (key.index, key.video)
        if name not in self._decoded:
            frames = torch.from_numpy(np.asarray(VideoFiles(self.root).frames(key.index, key.video)))
            self._decoded[name] = resized(frames, self.size)
            while len(self._decoded) > self.most_videos:
                self._decoded.popitem(last=False)
        self._decoded.move_to_end(name)
        video = self._decoded[name]
        if key.frame >= len(video):
            raise DatasetError(
                f"{self.root}: set {key.index}, {key.video}: expected more than {key.frame} frames (the video has "
                f"{len(video)}). It is cut off; generate the set again."
            )
        return video


def resized(frames: Tensor, size: tuple[int, int]) -> Tensor:
    """8-bit frames [F, H, W, 3] at another size of the same shape."""
    width, height = size
    if frames.shape[2] * height != frames.shape[1] * width:
        raise DatasetError(
            f"Expected frames of the shape {width}:{height} (got {frames.shape[2]}x{frames.shape[1]}). "
            "The perceiver knows the benchmark's 3:2 pictures only."
        )
    if frames.shape[1:3] == (height, width):
        return frames
    images = frames.permute(0, 3, 1, 2).float()
    smaller = functional.interpolate(images, (height, width), mode="bilinear", antialias=True, align_corners=False)
    return smaller.round().clamp(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous()
