"""Draws previews of sets and the page that shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from comphy.choices import Frames
from comphy.command import console, progress_bar
from comphy.dataset.manifest import Manifest
from data_gen.preview.pages.page import write_page
from data_gen.preview.pictures.frames import open_videos
from data_gen.preview.pictures.write import FOLDER, Preview, prepare_folder, write_preview
from data_gen.preview.questions import SetQuestions, show_questions
from data_gen.preview.scene import PreviewSet, load_set, open_dataset
from data_gen.renderers.build import RendererName


@dataclass(frozen=True)
class Previewed:
    """Sets of a dataset with their questions."""

    root: Path
    manifest: Manifest
    scenes: Sequence[PreviewSet]
    asked: Mapping[int, SetQuestions]

    @staticmethod
    def load(root: Path, index: int | None, most: int) -> "Previewed":
        """One set, or the first sets."""
        manifest = open_dataset(root)
        chosen = [index] if index is not None else sorted(manifest.sets)[:most]
        scenes = [load_set(root, manifest, one) for one in chosen]
        return Previewed(root, manifest, scenes, show_questions(root, chosen))

    def base(self, out: Path | None) -> Path:
        return out or self.root / FOLDER


def draw(previewed: Previewed, base: Path, folders: Sequence[Path], frames: Frames) -> list[Preview]:
    """Draw the sets, each into its folder, and print where the pictures are."""
    prepare_folder(base)
    render = None if frames in (Frames.AUTO, Frames.VIDEOS) else RendererName(frames)
    previews = []
    with open_videos(previewed.root, previewed.manifest, render) as source, progress_bar() as progress:
        task = progress.add_task("previews of sets", total=len(folders))
        for scene, folder in zip(previewed.scenes, folders, strict=True):
            previews.append(write_preview(scene, source, folder))
            progress.advance(task)
    for preview in previews:
        for path in (preview.sheet, preview.clip, preview.top):
            console.print(str(path))
    return previews


def write_page_of(previewed: Previewed, base: Path, previews: Sequence[Preview]) -> Path:
    return write_page(previewed.root, base, previews, previewed.asked)
