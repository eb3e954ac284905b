"""Draws chosen frames of many videos at once from a pack of trajectories; frames stay on the renderer's device."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import torch
from torch import Tensor

from comphy.dataset.frames import FrameKey
from comphy.dataset.packs.rollouts import Pack
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from data_gen.renderers.contract import Renderer
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings
from data_gen.renderers.raytrace.scene import pack_clips


@dataclass
class RenderedBatches:
    """No video need exist on disk: trajectories of all sets, about 4 KB each, are drawn when they are asked for.

    `moment` says what moment of its trajectory a frame shows, counted in frames of it; by default its own."""

    pack: Pack
    camera: Camera
    renderer: RaytraceRenderer
    moment: Callable[[FrameKey], float] | None = None
    _clips: dict[str, Clip] = field(default_factory=dict)

    @staticmethod
    def open(path: Path, width: int, settings: RaytraceSettings) -> "RenderedBatches":
        return RenderedBatches(Pack(path), Camera().resized(width, width * 2 // 3), RaytraceRenderer(settings))

    @property
    def size(self) -> tuple[int, int]:
        return self.camera.width, self.camera.height

    def draw(self, keys: Iterable[FrameKey]) -> Tensor:
        """[F, height, width, 3], 8-bit; frames of one video that follow each other are drawn as one clip."""
        clips = [
            self._shown(self._clip(name), list(of_video)) for name, of_video in groupby(keys, key=lambda key: key.name)
        ]
        return self.renderer.render_batch(pack_clips(clips), self.camera)

    def close(self) -> None:
        self.renderer.close()

    def _shown(self, clip: Clip, keys: list[FrameKey]) -> Clip:
        if self.moment is None:
            return clip.frames([key.frame for key in keys])
        return clip.at([self.moment(key) for key in keys])

    def _clip(self, name: str) -> Clip:
        if name not in self._clips:
            self._clips[name] = self.pack.video(name).clip()
        return self._clips[name]


@dataclass
class DrawnBatches:
    """The same with any renderer, through frames in main memory; Blender's look for those who can wait."""

    pack: Pack
    camera: Camera
    renderer: Renderer

    @property
    def size(self) -> tuple[int, int]:
        return self.camera.width, self.camera.height

    def draw(self, keys: Iterable[FrameKey]) -> Tensor:
        clips = [
            self.pack.video(name).clip().frames([key.frame for key in of_video])
            for name, of_video in groupby(keys, key=lambda key: key.name)
        ]
        return torch.cat([torch.from_numpy(frames) for frames in self.renderer.render(clips, self.camera)])

    def close(self) -> None:
        self.renderer.close()
