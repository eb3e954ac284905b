"""Exports a dataset set by set. A set that is there is not written again, so that an export can be gone on with."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from comphy.config import build
from comphy.dataset import layout
from comphy.dataset.annotations.annotation import quaternions
from comphy.dataset.media.video import Frames, write_mp4
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import TARGET, reference_number
from comphy.errors import ConfigError, DatasetError
from comphy.files import disk_errors, read_json, write_bytes, write_json
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.temporaries import clear_temporaries
from data_gen.config import DatasetConfig
from data_gen.export.layouts import ExportAs, SetPaths, question_file
from data_gen.export.questions import exported_questions, question_bytes
from data_gen.export.records import exported
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

MARKER: Final = ".comphy-export"  # a folder that an export may go on in
_PICTURE: Final = "frame_{:05d}.png"


@dataclass(frozen=True)
class Exported:
    """What came of it: sets by split, questions, and those that the layout has no place for, by reason."""

    sets: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def export(
    data: Path,
    chosen: ExportAs,
    out: Path,
    sets: int | None = None,
    device: str = "auto",
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Exported:
    """Write the first `sets` sets of a dataset of ours, or all, in another layout.

    A set's number changes with the layout, whose splits are ranges of numbers: the k-th set of a split becomes the k-th of
    the layout's. Raises `ConfigError` if a split has more sets than the layout has numbers for, or if `out` is not empty.
    """
    source = open_source(data)
    if not isinstance(source, GeneratedDataset):
        raise ConfigError(f"{data}: expected a dataset of this toolkit to export (found {source.kind}).")
    plan = _plan(source, chosen, sets)
    with disk_errors(out):
        _claim(out, f"{chosen} {source.fingerprint()}")
    writer = _SetWriter(source, chosen, out, device)
    try:
        for done, (index, paths) in enumerate(plan.items()):
            report(done, len(plan))
            with disk_errors(out):
                writer.write(index, paths)
    finally:
        writer.close()
    with disk_errors(out):
        exported_files = _write_questions(source, chosen, out, plan)
        (out / MARKER).unlink()
    report(len(plan), len(plan))
    return exported_files


def _plan(source: GeneratedDataset, chosen: ExportAs, sets: int | None) -> dict[int, SetPaths]:
    """The paths of every set that is exported."""
    numbers: dict[str, Iterator[int]] = {split: iter(chosen.form.numbers(split)) for split in layout.SPLITS}
    plan = {}
    for index in source.indices()[:sets]:
        split = source.split_of(index)
        number = next(numbers[split], None)
        if number is None:
            most = len(chosen.form.numbers(split))
            raise ConfigError(f"{chosen} has numbers for {most} sets of {split}. Export fewer sets (--sets N).")
        plan[index] = SetPaths(chosen, number, split)
    return plan


def _claim(out: Path, what: str) -> None:
    """Only an empty folder, or one in which the same export was begun, is written to."""
    marker = out / MARKER
    clear_temporaries(out)  # perhaps the marker of an export that was killed at once
    begun = marker.read_text() if marker.is_file() else None
    if begun != what and out.is_dir() and any(out.iterdir()):
        raise ConfigError(f"{out}: expected an empty folder to export to (found files). Choose another --out.")
    for folder, _, _ in os.walk(out):
        clear_temporaries(Path(folder))
    write_bytes(marker, what.encode())


@dataclass
class _SetWriter:
    source: GeneratedDataset
    chosen: ExportAs
    out: Path
    device: str
    _renderer: RaytraceRenderer | None = None

    def write(self, index: int, paths: SetPaths) -> None:
        videos = (TARGET,) if self.chosen is ExportAs.CLEVRER else self.source.lengths.videos
        for video in videos:
            annotation = self.out / paths.annotation(video)
            if annotation.is_file():  # written last
                continue
            self._write_video(index, video, self.out / paths.video(video))
            record = read_json(self.source.root / self._ours(index, video), layout.AGAIN)
            write_json(annotation, exported(record, paths.number, self.chosen))

    def close(self) -> None:
        if self._renderer is not None:
            self._renderer.close()

    def _ours(self, index: int, video: str) -> Path:
        path = layout.target_annotation(index)
        return Path(path if video == TARGET else layout.reference_annotation(index, reference_number(video)))

    def _write_video(self, index: int, video: str, path: Path) -> None:
        if self.chosen is ExportAs.COMPHY_B:
            _write_pictures(path, self._frames(index, video))
        elif self.source.has_videos and self.chosen.frames is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.source.video_path(index, video), path)
        else:
            write_mp4(path, self._frames(index, video))

    def _frames(self, index: int, video: str) -> Frames:
        """Decoded, or drawn where there is no video, or not as long as it has to be."""
        if self.source.has_videos and self.chosen.frames is None:
            return self.source.frames(index, video)
        if self._renderer is None:
            options = build(DatasetConfig, self.source.manifest.recipe.config, str(self.source.root)).raytrace
            settings = RaytraceSettings(device=self.device, samples=options.samples, shadows=options.shadows)
            self._renderer = RaytraceRenderer(settings)
        seen = self.source.annotation(index).video(video)
        count = self.chosen.frames or self.source.lengths.of(video)
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


def _write_questions(source: GeneratedDataset, chosen: ExportAs, out: Path, plan: dict[int, SetPaths]) -> Exported:
    names = {index: (paths.number, paths.video_filename) for index, paths in plan.items()}
    left_out, sets, questions = Counter[str](), Counter(paths.split for paths in plan.values()), 0
    for split in layout.SPLITS:
        if not source.asks(split, answers=False):
            raise DatasetError(f"{source.root}: expected questions of the split '{split}' (found none).")
        scenes = exported_questions(source.questions(split), names, chosen, left_out)
        questions += sum(len(scene.questions) for scene in scenes)
        write_bytes(out / question_file(chosen, split), question_bytes(scenes, split, chosen))
    return Exported(dict(sets), questions, left_out)
