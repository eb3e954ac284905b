"""A set of the shared small dataset, filmed at 96x64 pixels by the uncompiled ray tracer."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.choices import RendererName
from comphy.dataset import layout
from comphy.dataset.manifest import FileEntry, Manifest, SetEntry
from comphy.dataset.media.masks import write_masks
from comphy.dataset.media.video import write_mp4
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.opening import open_source
from data_gen.preview.loading import load_set
from data_gen.preview.pictures.frames import WholeVideos
from data_gen.preview.pictures.write import FramesInMemory, Preview, write_preview
from data_gen.preview.scene import PreviewSet
from data_gen.renderers.batches import RenderedBatches
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings
from tests.support.made_once import made_once
from tests.support.preview_clips import small_preview_clips

FILMED = 3  # this set is about charge: two objects collide, and are seen to attract each other


@pytest.fixture(scope="session")
def scene(small_dataset: Path) -> PreviewSet:
    return load_set(open_source(small_dataset), FILMED)


@pytest.fixture(scope="session")
def frames(small_dataset: Path, scene: PreviewSet, tmp_path_factory: pytest.TempPathFactory) -> FramesInMemory:
    def make(folder: Path) -> None:
        renderer = RaytraceRenderer(RaytraceSettings(compile=False, samples=1, shadows=False))
        batches = RenderedBatches(Pack(small_dataset / layout.PACK), scene.camera.resized(96, 64), renderer)
        drawn = WholeVideos(batches)
        folder.mkdir()
        for video in scene.videos():
            np.save(folder / f"{video.name}.npy", drawn.frames(FILMED, video.name))

    folder = made_once(tmp_path_factory, "frames_of_preview", make)
    return FramesInMemory({video.name: np.load(folder / f"{video.name}.npy") for video in scene.videos()})


@pytest.fixture(scope="session")
def filmed_dataset(
    small_dataset: Path, scene: PreviewSet, frames: FramesInMemory, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The one set with videos, masks and preview, in a folder with spaces in its name."""

    def make(root: Path) -> None:
        shutil.copytree(small_dataset, root)
        _film(root, scene, frames)
        with small_preview_clips():
            write_preview(scene, frames, _folder(root))

    return made_once(tmp_path_factory, "filmed sets & more", make)


def _film(root: Path, scene: PreviewSet, frames: FramesInMemory) -> None:
    write_mp4(root / layout.target_video(FILMED), frames.frames(FILMED, "target"))
    for k in range(len(scene.references)):
        write_mp4(root / layout.reference_video(FILMED, k), frames.frames(FILMED, f"reference_{k}"))
    pack = Pack(root / layout.rollouts(FILMED))
    clips = {video.name: pack.video(f"{FILMED:05d}/{video.name}").clip() for video in scene.videos()}
    write_masks(root / layout.masks(FILMED), clips, scene.camera)
    manifest = Manifest.read(root)
    files = {str(path): FileEntry.of(root / path) for path in layout.set_files(FILMED, rendered=True)}
    recipe = replace(manifest.recipe, renderer=str(RendererName.RAYTRACE))
    replace(manifest, recipe=recipe, sets={FILMED: SetEntry(FILMED, files)}).write(root)


def _folder(root: Path) -> Path:
    return root / "preview" / f"{FILMED:05d}"


@pytest.fixture(scope="session")
def preview(filmed_dataset: Path, scene: PreviewSet) -> Preview:
    return Preview(scene, _folder(filmed_dataset))
