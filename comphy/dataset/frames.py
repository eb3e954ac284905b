"""Where frames come from: one protocol for video files and for frames rendered on the fly from packs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from comphy.dataset import layout
from comphy.dataset.media.video import Frames, read_mp4


class FrameSource(Protocol):
    """Gives the frames of a set's videos by name: `target`, `reference_0` … `reference_3`."""

    def frames(self, index: int, name: str) -> Frames:
        """[frames, height, width, 3], 8-bit RGB."""
        ...


@dataclass(frozen=True)
class VideoFiles:
    """Frames decoded from a dataset's mp4 files."""

    root: Path

    def frames(self, index: int, name: str) -> Frames:
        path = (
            layout.target_video(index) if name == "target" else layout.reference_video(index, int(name.split("_")[1]))
        )
        return read_mp4(self.root / path)[0]
