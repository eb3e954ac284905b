"""Makes a dataset: decides what is left to do, has it done, and closes the folder when everything is there."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from comphy.cluster import run_on_ray
from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.manifest import FileEntry, Manifest, SetEntry
from comphy.dataset.metadata.card import card_text
from comphy.dataset.metadata.croissant import croissant_record
from comphy.dataset.packs.boxes import write_box_table
from comphy.dataset.packs.rollouts import Pack, reference_name, target_name, write_pack
from comphy.dataset.whole_files import whole_files
from comphy.errors import ConfigError
from comphy.files import disk_errors, write_bytes, write_json
from comphy.scene.objects import REFERENCES_PER_SET, TARGET_VISIBLE_FRAMES
from data_gen.jobs.ask import ask_dataset
from data_gen.jobs.folder import DatasetFolder
from data_gen.jobs.local import run_local
from data_gen.jobs.worker import Job, SetWorker
from data_gen.renderers.build import check_renderer

_NUMBER: Final = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Shard:
    """Part `index` of `count`; sets are dealt out in turn."""

    index: int = 0
    count: int = 1

    @staticmethod
    def parse(text: str) -> "Shard":
        """From `i/n`, counted from 0."""
        index, slash, count = text.partition("/")
        if not (slash and _NUMBER.fullmatch(index) and _NUMBER.fullmatch(count) and int(index) < int(count)):
            raise ConfigError(f"--shard: expected i/n with 0 <= i < n, such as 0/3, 1/3, 2/3 (got '{text}').")
        return Shard(int(index), int(count))

    def deal(self, sets: int) -> list[int]:
        return list(range(self.index, sets, self.count))


@dataclass(frozen=True)
class GenerationOutcome:
    """How a job ended. `shared` sets were made by other processes at the same time. `manifest` is None while other shards
    are still to come, or other processes still at work: the last one completes the dataset."""

    made: int
    kept: int
    missing: int
    manifest: Manifest | None
    shared: int = 0


def generate(
    job: Job,
    sets: int,
    workers: int = 1,
    shard: Shard | None = None,
    ray_address: str | None = None,
    report: Callable[[int, int], None] | None = None,
    report_questions: Callable[[int, int], None] | None = None,
) -> GenerationOutcome:
    """Make what is missing of sets 0 … `sets` - 1, then the questions about all of them.

    `report(done, total)` is called as sets of this shard are finished, `report_questions` as questions are chosen.
    """
    if sets < 1 or workers < 1:
        raise ConfigError(f"Expected --sets and --workers of at least 1 (got {sets} and {workers}).")
    if job.seed < 0:
        raise ConfigError(f"Expected --seed of at least 0 (got {job.seed}).")
    job.config.scene.check()
    check_renderer(job.renderer, job.config)
    folder = job.folder()
    with folder.enter() as lock:
        mine = (shard or Shard()).deal(sets)
        done = folder.done()
        left = [index for index in mine if index not in done]
        kept, made = len(mine) - len(left), 0
        if report:
            report(kept, len(mine))
        for number, entry in enumerate(_run(job, left, min(workers, max(1, len(left))), ray_address), start=1):
            if entry is not None:
                done[entry.index] = entry
                made += 1
            if report:
                report(kept + number, len(mine))
        shared = len(left) - made
        done = folder.done() if shared or (shard and shard.count > 1) else done
        missing = sum(index not in done for index in range(sets))
        manifest = None
        if not missing:
            with lock.completing():
                manifest = complete_dataset(folder, done, workers, report_questions)
        return GenerationOutcome(made, kept, missing, manifest, shared)


def _run(job: Job, indices: list[int], workers: int, ray_address: str | None) -> Iterable[SetEntry | None]:
    if not indices:
        return ()
    if ray_address is not None:
        return run_on_ray(SetWorker, (job,), indices, workers, ray_address)
    return run_local(job, indices, workers)


def complete_dataset(
    folder: DatasetFolder,
    entries: dict[int, SetEntry],
    workers: int = 1,
    report_questions: Callable[[int, int], None] | None = None,
) -> Manifest:
    """Ask the questions and write what describes the dataset as a whole; the manifest comes last and completes it.

    A dataset that is complete already is left as it is."""
    root, recipe = folder.root, folder.recipe
    whole = whole_files()
    finished = folder.finished()
    if finished is not None and finished.sets == entries and set(finished.files) == {str(path) for path in whole}:
        return finished
    with disk_errors(root):
        ask_dataset(root, recipe.seed, sorted(entries), workers, report_questions)
        _write_pack(folder, sorted(entries))
        extras = (read_extras(root / layout.extras(index)) for index in sorted(entries))
        write_box_table(root / layout.BOXES, extras, TARGET_VISIBLE_FRAMES)
        write_bytes(root / layout.CARD, card_text(recipe, len(entries)).encode())
        write_json(root / layout.CROISSANT, croissant_record(recipe), indent=1)
        manifest = Manifest(recipe, folder.versions(), entries, {str(p): FileEntry.of(root / p) for p in whole})
        manifest.write(root)
    return manifest


def _write_pack(folder: DatasetFolder, indices: list[int]) -> None:
    """One small file from which another machine can render every video."""
    blobs = {}
    for index in indices:
        pack = Pack(folder.root / layout.rollouts(index))
        for name in (target_name(index), *(reference_name(index, k) for k in range(REFERENCES_PER_SET))):
            blobs[name] = pack[name]
    write_pack(folder.root / layout.PACK, blobs)
