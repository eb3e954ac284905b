"""Draws previews of sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from comphy.choices import Frames, RendererName
from comphy.command import console, working
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from data_gen.preview.loading import load_set
from data_gen.preview.pictures.frames import open_videos
from data_gen.preview.pictures.write import FOLDER, write_preview
from data_gen.preview.questions import SetQuestions, show_questions
from data_gen.preview.scene import PreviewSet


@dataclass(frozen=True)
class Previewed:
    """Sets of a dataset with their questions."""

    source: VideoSource
    scenes: Sequence[PreviewSet]
    asked: Mapping[int, SetQuestions]

    @staticmethod
    def load(root: Path, index: int | None, most: int) -> "Previewed":
        """One set, or the first sets."""
        source = open_source(root)
        chosen = [index] if index is not None else source.indices()[:most]
        return Previewed(source, [load_set(source, one) for one in chosen], show_questions(source, chosen))

    def draw(self, out: Path | None, frames: Frames) -> None:
        """Draw the sets, each into its folder, or one into `out`, and print where the pictures are."""
        render = None if frames in (Frames.AUTO, Frames.VIDEOS) else RendererName(frames)
        with open_videos(self.source, render) as source:
            for scene in self.scenes:
                with working(f"drawing set {scene.index}"):
                    preview = write_preview(scene, source, out or self._base / f"{scene.index:05d}")
                for path in (preview.sheet, preview.clip, preview.top):
                    console.print(str(path))

    @property
    def _base(self) -> Path:
        """Where pictures go: into a dataset of ours, and nowhere into other people's folders."""
        ours = isinstance(self.source, GeneratedDataset)
        return self.source.root / FOLDER if ours else Path(f"{self.source.root.resolve().name}-{FOLDER}")
