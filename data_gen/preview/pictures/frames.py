"""Whole videos for previews: the dataset's own files, or frames that are drawn from its trajectories."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from comphy.choices import RendererName
from comphy.dataset.frames import FrameBatches, FrameKey, FrameSource
from comphy.dataset.media.video import Frames
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from comphy.errors import ConfigError
from comphy.scene.objects import REFERENCE_FRAMES, TARGET_VISIBLE_FRAMES
from data_gen.config import DatasetConfig
from data_gen.frames import open_frames
from data_gen.preview.scene import dataset_config


@dataclass(frozen=True)
class WholeVideos:
    """All frames of a video, from a source of single ones."""

    batches: FrameBatches

    def frames(self, index: int, name: str) -> Frames:
        count = TARGET_VISIBLE_FRAMES if name == "target" else REFERENCE_FRAMES
        return self.batches.draw([FrameKey(index, name, frame) for frame in range(count)]).cpu().numpy()


@contextmanager
def open_videos(source: VideoSource, render: RendererName | None) -> Iterator[FrameSource]:
    """The dataset's videos; with `render` given, or where there are none, frames that a renderer draws (raytrace)."""
    if render is RendererName.NONE:
        raise ConfigError("A preview shows frames, and the renderer 'none' draws none. Choose raytrace or blender.")
    if render is None and source.has_videos:
        yield source
        return
    config = dataset_config(source) if isinstance(source, GeneratedDataset) else DatasetConfig()
    how = str(render or RendererName.RAYTRACE)
    batches = open_frames(source.root, how, config.picture.width, config.raytrace.device, config)
    try:
        yield WholeVideos(batches)
    finally:
        batches.close()
