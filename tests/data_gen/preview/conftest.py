"""A set of the shared small dataset, filmed at 96x64 pixels by the uncompiled ray tracer."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from comphy.dataset import layout
from comphy.dataset.manifest import FileEntry, Manifest, SetEntry
from comphy.dataset.media.masks import write_masks
from comphy.dataset.media.video import write_mp4
from comphy.dataset.packs.rollouts import Pack
from data_gen.preview.pages.page import write_page
from data_gen.preview.pictures.frames import WholeVideos
from data_gen.preview.pictures.write import FramesInMemory, Preview, write_preview
from data_gen.preview.questions import show_questions
from data_gen.preview.scene import PreviewSet, load_set
from data_gen.renderers.batches import RenderedBatches
from data_gen.renderers.build import RendererName
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

FILMED = 3  # this set is about charge: two objects collide, and are seen to attract each other


@pytest.fixture(scope="session")
def scene(small_dataset: Path) -> PreviewSet:
    return load_set(small_dataset, Manifest.read(small_dataset), FILMED)


@pytest.fixture(scope="session")
def frames(small_dataset: Path, scene: PreviewSet) -> FramesInMemory:
    renderer = RaytraceRenderer(RaytraceSettings(compile=False, samples=1, shadows=False))
    batches = RenderedBatches(Pack(small_dataset / layout.PACK), scene.camera.resized(96, 64), renderer)
    drawn = WholeVideos(batches)
    return FramesInMemory({video.name: drawn.frames(FILMED, video.name) for video in scene.videos()})


@pytest.fixture(scope="session")
def filmed_dataset(
    small_dataset: Path, scene: PreviewSet, frames: FramesInMemory, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The one set with videos and masks, in a folder whose name needs quoting in links."""
    root = Path(shutil.copytree(small_dataset, tmp_path_factory.mktemp("preview") / "filmed sets & more"))
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
    return root


@pytest.fixture(scope="session")
def preview(filmed_dataset: Path, scene: PreviewSet, frames: FramesInMemory) -> Preview:
    return write_preview(scene, frames, filmed_dataset / "preview" / f"{FILMED:05d}")


@pytest.fixture(scope="session")
def page(filmed_dataset: Path, preview: Preview) -> Path:
    return write_page(filmed_dataset, filmed_dataset / "preview", [preview], show_questions(filmed_dataset, [FILMED]))
