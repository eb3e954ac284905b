"""Draws previews of sets and the page that shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from comphy.choices import Frames
from comphy.command import console, progress_bar
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from data_gen.preview.loading import load_set
from data_gen.preview.pages.page import write_page
from data_gen.preview.pictures.frames import open_videos
from data_gen.preview.pictures.write import FOLDER, Preview, prepare_folder, write_preview
from data_gen.preview.questions import SetQuestions, show_questions
from data_gen.preview.scene import PreviewSet
from data_gen.renderers.build import RendererName


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

    def base(self, out: Path | None) -> Path:
        """Where pictures go: into a dataset of ours, and nowhere into other people's folders."""
        ours = isinstance(self.source, GeneratedDataset)
        return out or (self.source.root / FOLDER if ours else Path(f"{self.source.root.resolve().name}-{FOLDER}"))


def draw(previewed: Previewed, base: Path, folders: Sequence[Path], frames: Frames) -> list[Preview]:
    """Draw the sets, each into its folder, and print where the pictures are."""
    prepare_folder(base)
    render = None if frames in (Frames.AUTO, Frames.VIDEOS) else RendererName(frames)
    previews = []
    with open_videos(previewed.source, render) as source, progress_bar() as progress:
        task = progress.add_task("previews of sets", total=len(folders))
        for scene, folder in zip(previewed.scenes, folders, strict=True):
            previews.append(write_preview(scene, source, folder))
            progress.advance(task)
    for preview in previews:
        for path in (preview.sheet, preview.clip, preview.top):
            console.print(str(path))
    return previews


def write_page_of(previewed: Previewed, base: Path, previews: Sequence[Preview]) -> Path:
    return write_page(previewed.source, base, previews, previewed.asked)
