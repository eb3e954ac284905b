"""Writes the three pictures of a set: sheet.png, clip.mp4, top.png."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from comphy.dataset.frames import FrameSource
from comphy.dataset.media.video import Frames
from comphy.drawing.files import png, write_film
from comphy.files import disk_errors, write_bytes
from data_gen.preview.pictures.clip import clip_frames
from data_gen.preview.pictures.sheet import draw_sheet
from data_gen.preview.pictures.top_view import draw_top
from data_gen.preview.scene import PreviewSet

FOLDER = "preview"  # below a dataset's root: the one place for files that its manifest does not list


@dataclass(frozen=True)
class Preview:
    """The finished pictures of one set."""

    scene: PreviewSet
    folder: Path

    @property
    def sheet(self) -> Path:
        return self.folder / "sheet.png"

    @property
    def clip(self) -> Path:
        return self.folder / "clip.mp4"

    @property
    def top(self) -> Path:
        return self.folder / "top.png"


@dataclass(frozen=True)
class FramesInMemory:
    """The frames of one set, drawn or decoded once for all its pictures."""

    by_name: dict[str, Frames]

    def frames(self, index: int, name: str) -> Frames:
        return self.by_name[name]


def prepare_folder(folder: Path) -> None:
    """Find out that a folder cannot be written before minutes are spent on drawing."""
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass


def write_preview(scene: PreviewSet, source: FrameSource, folder: Path) -> Preview:
    """Draw a set's pictures into `folder`."""
    prepare_folder(folder)
    frames = FramesInMemory({video.name: source.frames(scene.index, video.name) for video in scene.videos()})
    preview = Preview(scene, folder)
    with disk_errors(folder):
        write_bytes(preview.sheet, png(draw_sheet(scene, frames)))
        write_bytes(preview.top, draw_top(scene))
        write_film(preview.clip, clip_frames(scene, frames))
    return preview
