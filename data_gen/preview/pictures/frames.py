"""Frames for previews: the dataset's own videos, or frames drawn from its trajectories."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from comphy.dataset.frames import FrameSource, VideoFiles
from comphy.dataset.manifest import Manifest
from comphy.dataset.media.video import Frames
from comphy.errors import ConfigError
from comphy.scene.camera import Camera
from data_gen.preview.scene import dataset_config, open_pack
from data_gen.renderers.build import RendererName, build_renderer
from data_gen.renderers.contract import Renderer


@dataclass(frozen=True)
class DrawnFrames:
    """Draws a set's videos when they are asked for; a dataset without video files has all that this needs."""

    root: Path
    renderer: Renderer
    camera: Camera

    def frames(self, index: int, name: str) -> Frames:
        clip = open_pack(self.root, index).video(f"{index:05d}/{name}").clip()
        return next(iter(self.renderer.render([clip], self.camera)))


def has_videos(manifest: Manifest) -> bool:
    return manifest.recipe.renderer != RendererName.NONE


@contextmanager
def open_frames(root: Path, manifest: Manifest, render: RendererName | None) -> Iterator[FrameSource]:
    """The dataset's videos; with `render` given, or where there are none, frames that a renderer draws (raytrace)."""
    if render is None and has_videos(manifest):
        yield VideoFiles(root)
        return
    config = dataset_config(root, manifest)
    renderer = build_renderer(render or RendererName.RAYTRACE, config, threads=os.cpu_count() or 1)
    if renderer is None:
        raise ConfigError("A preview shows frames, and the renderer 'none' draws none. Choose raytrace or blender.")
    try:
        yield DrawnFrames(root, renderer, config.camera())
    finally:
        renderer.close()
