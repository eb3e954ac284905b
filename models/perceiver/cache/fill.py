"""Fills a feature cache: every set is perceived once, and models that reason about it read the cache."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.dataset.frames import FrameBatches
from comphy.dataset.sources.opening import open_source
from comphy.errors import DatasetError
from models.perceiver.cache.arrays import GiveUp
from models.perceiver.cache.feature_cache import CacheWriter
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.detection.checkpoint import weights_of
from models.perceiver.detection.contract import FEATURES
from models.perceiver.perceive import Perceiver
from models.perceiver.perceived import PerceivedSet
from models.perceiver.tracking.tracker import TrackerSettings

ALL: Final = "all"
Report = Callable[[int, int], None]  # sets that are in the cache, of how many


@dataclass(frozen=True)
class Filled:
    """`made` sets are new, `kept` were found done; the seconds include drawing or decoding frames."""

    made: int
    kept: int
    frames: int
    seconds: float

    @property
    def frames_per_s(self) -> float:
        return self.frames / self.seconds


def cache_key(run: Path, data: Path, tracking: TrackerSettings, frames: str) -> CacheKey:
    """What a cache of a perceiver's run and a dataset is known by. `frames` names how they came about."""
    settings = {"frames": frames, "tracking": tracking.cache_record()}
    return CacheKey.of(weights_of(run), open_source(data).fingerprint(), settings)


def open_cache(
    folder: Path, key: CacheKey, perceiver: Perceiver, data: Path, give_up: GiveUp = lambda done: False
) -> CacheWriter:
    """A cache with room for all sets of the dataset, so that splits may be filled one after the other. While another
    process fills it, `give_up` is asked whether to stop waiting."""
    width, height = perceiver.detector.size
    source, lengths = open_source(data), perceiver.lengths
    shape = CacheShape(
        width=width,
        height=height,
        objects=perceiver.tracking.most_objects,
        frames=lengths.target,
        references=max(1, lengths.references),  # the reasoner's tensors have one reference at least, an empty one
        reference_frames=lengths.reference,
        features=FEATURES,
    )
    return CacheWriter(folder, key, shape, source.indices(), give_up)


def choose_sets(data: Path, split: str, most: int | None = None) -> list[int]:
    """The first `most` sets of a split, or of all."""
    source = open_source(data)
    chosen = [index for index in source.indices() if split in (ALL, source.split_of(index))]
    if not chosen:
        raise DatasetError(f"{data}: expected sets of the split '{split}' (found none). Generate more sets.")
    return chosen[:most]


def fill(
    writer: CacheWriter,
    perceiver: Perceiver,
    frames: FrameBatches,
    sets: Iterable[int],
    report: Report = lambda done, total: None,
) -> Filled:
    """Perceive those of the sets that the cache lacks."""
    return fill_by(writer, lambda todo: perceiver.sets(frames, todo), sets, report)


def fill_by(
    writer: CacheWriter,
    perceive: Callable[[Sequence[int]], Iterable[PerceivedSet]],
    sets: Iterable[int],
    report: Report = lambda done, total: None,
) -> Filled:
    """The same by anything that perceives sets, in whatever order."""
    asked = set(sets)
    todo = sorted(asked & set(writer.missing()))
    kept = len(asked) - len(todo)
    looked_at, start = 0, time.perf_counter()
    report(kept, len(asked))
    for made, perceived in enumerate(perceive(todo), start=1):
        writer.add(perceived)
        looked_at += sum(len(video.boxes) for video in (perceived.target, *perceived.references))
        report(kept + made, len(asked))
    return Filled(len(todo), kept, looked_at, time.perf_counter() - start)
