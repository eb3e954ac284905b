"""Draws stills of a dataset: some frames of some videos, in one process or in several."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from PIL import Image

from comphy.choices import RendererName
from comphy.config import build
from comphy.dataset import layout
from comphy.dataset.frame_sampling import random_keys
from comphy.dataset.frames import FrameKey
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.stills import INDEX, Stills, picture_path
from comphy.errors import DatasetError
from comphy.files import disk_errors, write_bytes
from comphy.processes import as_finished, process_pool
from comphy.scene.camera import Camera
from data_gen.config import DatasetConfig
from data_gen.renderers.build import build_renderer, check_renderer
from data_gen.renderers.contract import Renderer
from data_gen.renderers.look import LOOK_VERSION

_KEYS: Final = 4  # a stream of random numbers
_ROUND: Final = 300  # videos that are chosen at a time, so that more of them add to those of fewer
Report = Callable[[int, int], None]  # frames done, of how many


@dataclass(frozen=True)
class StillsJob:
    """Which frames are drawn, by what, and where they are written: `frames` of each of `videos` videos of a split."""

    data: Path
    out: Path
    renderer: RendererName = RendererName.BLENDER
    width: int = 240
    split: str = "train"
    videos: int = 300
    frames: int = 4
    seed: int = 0

    def run(self, workers: int = 1, report: Report = lambda done, total: None) -> Stills:
        """Draw what is missing. Raises DatasetError for anything but a dataset of this toolkit, or other stills in `out`."""
        source = _generated(self.data)
        check_renderer(self.renderer, _options(source))
        wanted = self._wanted(source)
        with disk_errors(self.out):
            _check_folder(wanted)
            missing = {
                name: [key for key in keys if not picture_path(self.out, key).is_file()]
                for name, keys in wanted.by_video.items()
            }
            videos = [keys for keys in missing.values() if keys]
            done = len(wanted.keys) - sum(map(len, videos))
            report(done, len(wanted.keys))
            wanted.write()  # first: a folder that was left unfinished is not gone on with by other settings
            for drawn in self._draw(videos, workers):
                done += drawn
                report(done, len(wanted.keys))
        return wanted

    def _wanted(self, source: GeneratedDataset) -> Stills:
        sets = [index for index in source.indices() if source.split_of(index) == self.split]
        if not sets:
            raise DatasetError(f"{self.data}: expected sets of the split '{self.split}' (found none).")
        keys: list[FrameKey] = []
        for number, first in enumerate(range(0, self.videos, _ROUND)):
            rng = np.random.default_rng((self.seed, _KEYS, number))
            videos = min(_ROUND, self.videos - first)
            keys += random_keys(sets, videos * self.frames, rng, self.frames, source.lengths)
        camera = self.camera
        return Stills(
            self.out,
            source.fingerprint(),
            self.renderer.value,
            LOOK_VERSION,
            camera.width,
            camera.height,
            tuple(sorted(set(keys), key=lambda key: (key.name, key.frame))),
        )

    @property
    def camera(self) -> Camera:
        return Camera().resized(self.width, self.width * 2 // 3)

    def _draw(self, videos: Sequence[Sequence[FrameKey]], workers: int) -> Iterator[int]:
        if workers > 1:
            kept = "Finished frames are kept"
            yield from as_finished(process_pool(workers, _open_drawing, self, workers), _draw_video, videos, kept)
            return
        drawing = Drawing.of(self, workers)
        try:
            for keys in videos:
                yield drawing.draw(keys)
        finally:
            drawing.renderer.close()


@dataclass
class Drawing:
    """A renderer at work in one process."""

    job: StillsJob
    pack: Pack
    renderer: Renderer

    @staticmethod
    def of(job: StillsJob, workers: int) -> "Drawing":
        threads = max(1, torch.get_num_threads() // workers)
        renderer = build_renderer(job.renderer, _options(_generated(job.data)), threads)
        assert renderer is not None, "only the renderer 'none' draws nothing"
        return Drawing(job, Pack(job.data / layout.PACK), renderer)

    def draw(self, keys: Sequence[FrameKey]) -> int:
        """Frames of one video."""
        clip = self.pack.video(keys[0].name).clip().frames([key.frame for key in keys])
        [frames] = self.renderer.render([clip], self.job.camera)
        for key, frame in zip(keys, frames, strict=True):
            content = io.BytesIO()
            Image.fromarray(frame).save(content, "PNG")
            write_bytes(picture_path(self.job.out, key), content.getvalue())
        return len(keys)


_drawing: Drawing | None = None  # one per worker process, opened by the pool's initialiser


def _open_drawing(job: StillsJob, workers: int) -> None:
    global _drawing
    _drawing = Drawing.of(job, workers)


def _draw_video(keys: Sequence[FrameKey]) -> int:
    assert _drawing is not None, "the pool's initialiser has not run"
    with disk_errors(_drawing.job.out):
        return _drawing.draw(keys)


def _generated(data: Path) -> GeneratedDataset:
    source = open_source(data)
    if not isinstance(source, GeneratedDataset):
        raise DatasetError(
            f"{data}: expected a dataset of `comphy generate`, whose trajectories frames are drawn from."
        )
    return source


def _options(source: GeneratedDataset) -> DatasetConfig:
    return build(DatasetConfig, source.manifest.recipe.config, str(source.root))


def _check_folder(wanted: Stills) -> None:
    """Refuse a folder of other stills, whose pictures would be mixed with these; fewer of the same ones are added to."""
    if not (wanted.folder / INDEX).is_file():
        return
    found = Stills.read(wanted.folder)
    if not set(found.keys) <= set(wanted.keys) or replace(found, keys=wanted.keys) != wanted:
        raise DatasetError(
            f"{wanted.folder}: other stills are there ({len(found.keys)} frames, {found.width} pixels wide, drawn by "
            f"{found.renderer} in look {found.look}; now look {wanted.look}). Choose another --out, or delete the folder."
        )
