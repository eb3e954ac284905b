"""Exports a dataset set by set. A set that is there is not written again, so that an export can be gone on with."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from comphy.choices import ExportAs
from comphy.dataset import layout
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.errors import ConfigError, DatasetError
from comphy.files import disk_errors, write_bytes
from comphy.temporaries import clear_temporaries
from data_gen.export.layouts import SetPaths, question_file, release_form
from data_gen.export.questions import exported_questions, question_bytes
from data_gen.export.writer import ExportJob, write_sets

MARKER: Final = ".comphy-export"  # a folder that an export may go on in


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
    workers: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Exported:
    """Write the first `sets` sets of a dataset of ours, or all, in another layout; `workers` processes encode videos.

    A set's number changes with the layout, whose splits are ranges of numbers: the k-th set of a split becomes the k-th of
    the layout's. Raises `ConfigError` if a split has more sets than the layout has numbers for, or if `out` is not empty.
    """
    source = open_source(data)
    if not isinstance(source, GeneratedDataset):
        raise ConfigError(f"{data}: expected a dataset of this toolkit to export (found {source.kind}).")
    plan = _plan(source, chosen, sets)
    with disk_errors(out):
        _claim(out, f"{chosen} {source.fingerprint()}")
    job = ExportJob(data, chosen, out, device)
    with closing(write_sets(job, list(plan.items()), workers)) as written:
        report(0, len(plan))
        for done, _ in enumerate(written, start=1):
            report(done, len(plan))
    with disk_errors(out):
        exported_files = _write_questions(source, chosen, out, plan)
        (out / MARKER).unlink()
    return exported_files


def _plan(source: GeneratedDataset, chosen: ExportAs, sets: int | None) -> dict[int, SetPaths]:
    """The paths of every set that is exported."""
    numbers: dict[str, Iterator[int]] = {split: iter(release_form(chosen).numbers(split)) for split in layout.SPLITS}
    plan = {}
    for index in source.indices()[:sets]:
        split = source.split_of(index)
        number = next(numbers[split], None)
        if number is None:
            most = len(release_form(chosen).numbers(split))
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
