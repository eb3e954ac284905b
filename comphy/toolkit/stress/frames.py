"""Frames of a dataset as other cameras, files and players would give them. All but H.264 stays on the frames' device.

Shapes: F frames of a video [F, H, W, 3].
"""

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from comphy.choices import FramesFrom
from comphy.dataset import layout
from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.media.pictures import BLACK, aspect_cut, inside_bars
from comphy.dataset.media.resizing import resized
from comphy.dataset.media.video import resampled, through_h264
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoLengths
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.objects import FPS
from data_gen.config import DatasetConfig
from data_gen.frames import open_frames
from data_gen.renderers.batches import RenderedBatches
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

TOGETHER: Final = 32  # frames that are changed at once: large pictures would fill the memory

Corruption = Callable[[Tensor, torch.Generator], Tensor]  # of frames in float, which need not stay within 0 … 255


@dataclass(frozen=True)
class StressRenderer:
    """Draws a dataset's sets for a perceiver that wants pictures of `size`. What befalls a video befalls it at the size of
    the dataset's pictures; then it is resized."""

    data: Path
    size: tuple[int, int]
    device: str
    config: DatasetConfig

    def drawn(self, camera: Camera = BENCHMARK, moment: Callable[[FrameKey], float] | None = None) -> RenderedBatches:
        """Frames of the dataset's size, through any camera and at any moments."""
        width = self._picture_width
        return RenderedBatches(self._pack, camera.resized(width, width * 2 // 3), self._renderer, moment)

    def plain(self, how: FramesFrom) -> FrameBatches:
        """Frames as perceivers get them everywhere else, at their size."""
        return open_frames(self.data, how, self.size[0], self.device, self.config)

    @cached_property
    def lengths(self) -> VideoLengths:
        return open_source(self.data).lengths

    @cached_property
    def _picture_width(self) -> int:
        return open_source(self.data).picture_width

    @cached_property
    def _pack(self) -> Pack:
        return Pack(self.data / layout.PACK)

    @cached_property
    def _renderer(self) -> RaytraceRenderer:
        options = self.config.raytrace
        return RaytraceRenderer(RaytraceSettings(self.device, samples=options.samples, shadows=options.shadows))


@dataclass(frozen=True)
class CorruptedFrames:
    """Frames of a source with their pixels changed, some frames of a video at a time."""

    source: FrameBatches
    corruption: Corruption
    size: tuple[int, int]

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        return torch.cat([self._video(name, video) for name, video in _videos(keys)])

    def _video(self, name: str, keys: list[FrameKey]) -> Tensor:
        frames = self.source.draw(keys)
        generator = torch.Generator(frames.device).manual_seed(zlib.crc32(name.encode()))
        parts = []
        for part in frames.split(TOGETHER):
            changed = self.corruption(part.float(), generator).round().clamp(0, 255).to(torch.uint8)
            parts.append(resized(changed, self.size, name))
        return torch.cat(parts)


@dataclass(frozen=True)
class CompressedFrames:
    """Frames of a source after H.264. The frames that are asked for of a video are encoded as one video; videos that are
    asked for together are encoded and decoded in threads, side by side."""

    source: FrameBatches
    crf: int
    size: tuple[int, int]
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        videos = list(_videos(keys))
        drawn = self.source.draw(keys)
        parts = drawn.split([len(video) for _, video in videos])
        with ThreadPoolExecutor(self.threads) as pool:
            left = list(pool.map(self._compressed, (part.cpu().numpy() for part in parts)))
        return torch.cat(
            [
                resized(torch.from_numpy(frames).to(drawn.device), self.size, name)
                for (name, _), frames in zip(videos, left, strict=True)
            ]
        )

    def _compressed(self, frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return through_h264(frames, self.crf)


@dataclass(frozen=True)
class FramesByCamera:
    """Frames of which each set is seen through its own camera."""

    renderer: StressRenderer
    camera_of: Callable[[int], Camera]

    @property
    def size(self) -> tuple[int, int]:
        return self.renderer.size

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        return torch.cat(
            [
                resized(self.renderer.drawn(camera).draw(of_camera), self.size, str(self.renderer.data))
                for camera, of_camera in groupby(keys, key=lambda key: self.camera_of(key.index))
            ]
        )


def _videos(keys: Sequence[FrameKey]) -> Iterator[tuple[str, list[FrameKey]]]:
    """Frames of one video that follow each other."""
    for name, of_video in groupby(keys, key=lambda key: key.name):
        yield name, list(of_video)


def at_rate(renderer: StressRenderer, rate: float) -> FrameBatches:
    """Videos of another number of frames a second, of which the nearest ones are taken, as of one's own videos."""

    def moment(key: FrameKey) -> float:
        count = round(renderer.lengths.of(key.video) * rate / FPS)
        return float(resampled(count, rate, FPS)[key.frame]) * FPS / rate

    return CorruptedFrames(renderer.drawn(moment=moment), lambda images, _: images, renderer.size)


def through_size(size: tuple[int, int]) -> Corruption:
    """Videos of another size; where this is no 3:2, with black bars, which are cut off again as of one's own videos."""

    def corruption(images: Tensor, _: torch.Generator) -> Tensor:
        return _without_bars(letterboxed(images, size))

    return corruption


def letterboxed(images: Tensor, size: tuple[int, int]) -> Tensor:
    """Pictures at their largest within a size, with black bars beside or above and below them."""
    width, height = size
    scale = min(width / images.shape[2], height / images.shape[1])
    inner = round(images.shape[1] * scale), round(images.shape[2] * scale)
    channels = images.permute(0, 3, 1, 2)
    fitted = functional.interpolate(channels, inner, mode="bilinear", antialias=True, align_corners=False)
    top, left = (height - inner[0]) // 2, (width - inner[1]) // 2
    bars = (left, width - inner[1] - left, top, height - inner[0] - top)
    return functional.pad(fitted, bars).permute(0, 2, 3, 1).round()


def _without_bars(images: Tensor) -> Tensor:
    """`comphy.dataset.media.pictures`, which frames in main memory go through, for frames on any device."""
    bright = images.amax(dim=(0, 3)) > BLACK
    rows, columns = (inside_bars(bright.any(dim=axis).cpu().numpy()) for axis in (1, 0))
    inside = images[:, rows, columns]
    rows, columns = aspect_cut(inside.shape[1], inside.shape[2])
    return inside[:, rows, columns]
