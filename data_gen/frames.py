"""Frames of a dataset as tensors, for training and evaluation: decoded from its videos, or drawn from its trajectories."""

import os
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from comphy.choices import FramesFrom, RendererName
from comphy.dataset import layout
from comphy.dataset.frames import FrameKey
from comphy.dataset.media.resizing import resized
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from comphy.errors import ConfigError, DatasetError, did_you_mean
from comphy.scene.camera import Camera
from data_gen.config import DatasetConfig
from data_gen.renderers.batches import DrawnBatches, RenderedBatches
from data_gen.renderers.build import build_renderer
from data_gen.renderers.raytrace.renderer import RaytraceSettings


def open_frames(
    data: Path, how: str, width: int, device: str, config: DatasetConfig | None = None
) -> "VideoBatches | DrawnBatches | RenderedBatches":
    """Frames of a dataset, drawn or decoded as `FramesFrom` says. Only `videos` needs a dataset that was rendered.

    Args:
        data: the dataset's folder.
        how: one of `FramesFrom`.
        width: of the frames, in pixels; their height is two thirds of it.
        device: where the ray tracer runs and its frames stay.
        config: options of the renderers; by default the benchmark's.
    """
    if how not in set(FramesFrom):
        raise ConfigError(f"unknown kind of frames '{how}'; {did_you_mean(how, set(FramesFrom))}")
    pack, config = data / layout.PACK, config or DatasetConfig()
    if how == FramesFrom.VIDEOS:
        return VideoBatches(open_source(data), (width, width * 2 // 3), device)
    if not pack.is_file():
        raise DatasetError(
            f"{pack}: the file is missing, from which frames are drawn. Of a release or of your own videos, take the frames "
            "of the videos (frames=videos, --frames videos); of a dataset, run comphy generate to the end."
        )
    if how == FramesFrom.RAYTRACE:
        options = config.raytrace
        settings = RaytraceSettings(device=device, samples=options.samples, shadows=options.shadows)
        return RenderedBatches.open(pack, width, settings)
    blender = build_renderer(RendererName.BLENDER, config, threads=os.cpu_count() or 1)
    assert blender is not None, "only the renderer 'none' draws nothing"
    return DrawnBatches(Pack(pack), Camera().resized(width, width * 2 // 3), blender)


@dataclass
class VideoBatches:
    """Frames from a source's videos, made smaller or larger where the perceiver wants another size, on a device. Videos that
    are asked for together are decoded in threads, side by side."""

    source: VideoSource
    size: tuple[int, int]
    device: str = "cpu"
    most_videos: int = 64  # kept decoded
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    _decoded: OrderedDict[str, Tensor] = field(default_factory=OrderedDict)

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        asked: dict[str, list[FrameKey]] = defaultdict(list)
        for key in keys:
            asked[key.name].append(key)
        found: dict[FrameKey, Tensor] = {}
        names = list(asked)
        for start in range(0, len(names), self.most_videos):
            together = names[start : start + self.most_videos]
            self._decode_all([asked[name][0] for name in together])
            for name in together:
                frames = torch.stack([self._frame(key) for key in asked[name]]).to(self.device)
                where = str(self.source.video_path(asked[name][0].index, asked[name][0].video))
                found |= dict(zip(asked[name], resized(frames, self.size, where), strict=True))
        return torch.stack([found[key] for key in keys])

    def _decode_all(self, keys: Sequence[FrameKey]) -> None:
        missing = [key for key in keys if key.name not in self._decoded]
        with ThreadPoolExecutor(self.threads) as pool:
            for key, video in zip(missing, pool.map(self._decode, missing), strict=True):
                self._decoded[key.name] = video
        for key in keys:
            self._decoded.move_to_end(key.name)
        while len(self._decoded) > self.most_videos:
            self._decoded.popitem(last=False)

    def close(self) -> None:
        self._decoded.clear()

    def _frame(self, key: FrameKey) -> Tensor:
        video = self._decoded[key.name]
        if key.frame >= len(video):
            raise DatasetError(
                f"{self.source.video_path(key.index, key.video)}: expected more than {key.frame} frames (the video has "
                f"{len(video)}). It is cut off; make or download it again."
            )
        return video[key.frame]

    def _decode(self, key: FrameKey) -> Tensor:
        return torch.from_numpy(self.source.frames(key.index, key.video))
