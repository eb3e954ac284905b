"""Writes the videos and annotations of sets in another layout, in one process or in several."""

import shutil
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from comphy.choices import ExportAs
from comphy.config import build
from comphy.dataset import layout
from comphy.dataset.annotations.annotation import quaternions
from comphy.dataset.media.video import Frames, write_mp4
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import TARGET, reference_number
from comphy.errors import DatasetError
from comphy.files import disk_errors, read_json, write_json
from comphy.processes import as_finished, process_pool
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from data_gen.config import DatasetConfig
from data_gen.export.layouts import SetPaths, target_frames
from data_gen.export.records import exported
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

_PICTURE: Final = "frame_{:05d}.png"


@dataclass(frozen=True)
class ExportJob:
    """Which dataset is written, how, and where; frames that have no video yet are drawn on `device`."""

    data: Path
    chosen: ExportAs
    out: Path
    device: str


@dataclass
class SetWriter:
    """Writes sets. A video whose annotation is there is not written again."""

    source: GeneratedDataset
    job: ExportJob
    _renderer: RaytraceRenderer | None = None

    @staticmethod
    def of(job: ExportJob) -> "SetWriter":
        source = open_source(job.data)
        assert isinstance(source, GeneratedDataset), "the job's maker has looked"
        return SetWriter(source, job)

    def write(self, index: int, paths: SetPaths) -> None:
        with disk_errors(self.job.out):
            self._write(index, paths)

    def _write(self, index: int, paths: SetPaths) -> None:
        videos = (TARGET,) if self.job.chosen is ExportAs.CLEVRER else self.source.lengths.videos
        for video in videos:
            annotation = self.job.out / paths.annotation(video)
            if annotation.is_file():  # written last
                continue
            self._write_video(index, video, self.job.out / paths.video(video))
            record = read_json(self.source.root / self._ours(index, video), layout.AGAIN)
            write_json(annotation, exported(record, paths.number, self.job.chosen))

    def close(self) -> None:
        if self._renderer is not None:
            self._renderer.close()

    def _ours(self, index: int, video: str) -> Path:
        path = layout.target_annotation(index)
        return Path(path if video == TARGET else layout.reference_annotation(index, reference_number(video)))

    def _write_video(self, index: int, video: str, path: Path) -> None:
        if self.job.chosen is ExportAs.COMPHY_B:
            _write_pictures(path, self._frames(index, video))
        elif self.source.has_videos and target_frames(self.job.chosen) is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.source.video_path(index, video), path)
        else:
            write_mp4(path, self._frames(index, video))

    def _frames(self, index: int, video: str) -> Frames:
        """Decoded, or drawn where there is no video, or not as long as it has to be."""
        if self.source.has_videos and target_frames(self.job.chosen) is None:
            return self.source.frames(index, video)
        if self._renderer is None:
            options = build(DatasetConfig, self.source.manifest.recipe.config, str(self.source.root)).raytrace
            settings = RaytraceSettings(device=self.job.device, samples=options.samples, shadows=options.shadows)
            self._renderer = RaytraceRenderer(settings)
        seen = self.source.annotation(index).video(video)
        count = target_frames(self.job.chosen) or self.source.lengths.of(video)
        if seen.orientations is None:
            raise DatasetError(f"{self.source.root}: set {index}: expected annotated orientations (found none).")
        clip = Clip(seen.objects, seen.locations[:count], quaternions(seen.orientations[:count]))
        width = self.source.picture_width
        return next(iter(self._renderer.render([clip], Camera().resized(width, width * 2 // 3))))


def _write_pictures(folder: Path, frames: Frames) -> None:
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    for number, frame in enumerate(frames):
        Image.fromarray(np.ascontiguousarray(frame)).save(folder / _PICTURE.format(number))


_writer: SetWriter | None = None  # one per worker process, opened by the pool's initialiser


def _open_writer(job: ExportJob) -> None:
    global _writer
    torch.set_num_threads(1)
    _writer = SetWriter.of(job)


def _write(one: tuple[int, SetPaths]) -> int:
    assert _writer is not None, "the pool's initialiser has not run"
    index, paths = one
    _writer.write(index, paths)
    return index


def write_sets(job: ExportJob, sets: Sequence[tuple[int, SetPaths]], workers: int) -> Generator[int, None, None]:
    """Write the sets, and yield the index of each when it is done."""
    if workers == 1:
        writer = SetWriter.of(job)
        try:
            for index, paths in sets:
                writer.write(index, paths)
                yield index
        finally:
            writer.close()
        return
    yield from as_finished(process_pool(workers, _open_writer, job), _write, sets, "Finished sets are kept")
