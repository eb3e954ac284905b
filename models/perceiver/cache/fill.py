"""Fills a feature cache: every set is perceived once, and models that reason about it read the cache."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.config import to_plain
from comphy.dataset import layout
from comphy.dataset.frames import FrameBatches
from comphy.dataset.manifest import Manifest
from comphy.errors import DatasetError
from comphy.scene.objects import REFERENCE_FRAMES, REFERENCES_PER_SET, TARGET_VISIBLE_FRAMES
from models.perceiver.cache.feature_cache import CacheWriter
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.detection.checkpoint import weights_of
from models.perceiver.detection.contract import FEATURES
from models.perceiver.perceive import Perceiver
from models.perceiver.tracking.tracker import TrackerSettings

ALL: Final = "all"


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
    settings = {"frames": frames, "tracking": to_plain(tracking)}
    return CacheKey.of(weights_of(run), data / layout.MANIFEST, settings)


def open_cache(folder: Path, key: CacheKey, perceiver: Perceiver, data: Path) -> CacheWriter:
    """A cache with room for all sets of the dataset, so that splits may be filled one after the other."""
    width, height = perceiver.detector.size
    shape = CacheShape(
        width=width,
        height=height,
        objects=perceiver.tracking.most_objects,
        frames=TARGET_VISIBLE_FRAMES,
        references=REFERENCES_PER_SET,
        reference_frames=REFERENCE_FRAMES,
        features=FEATURES,
    )
    return CacheWriter(folder, key, shape, list(Manifest.read(data).sets))


def choose_sets(data: Path, split: str, most: int | None = None) -> list[int]:
    """The first `most` sets of a split, or of all."""
    chosen = [index for index in sorted(Manifest.read(data).sets) if split in (ALL, layout.split_of(index))]
    if not chosen:
        raise DatasetError(f"{data}: expected sets of the split '{split}' (found none). Generate more sets.")
    return chosen[:most]


def fill(
    writer: CacheWriter,
    perceiver: Perceiver,
    frames: FrameBatches,
    sets: Iterable[int],
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Filled:
    """Perceive those of the sets that the cache lacks."""
    asked = set(sets)
    todo = sorted(asked & set(writer.missing()))
    kept = len(asked) - len(todo)
    looked_at, start = 0, time.perf_counter()
    report(kept, len(asked))
    for made, perceived in enumerate(perceiver.sets(frames, todo), start=1):
        writer.add(perceived)
        looked_at += sum(len(video.boxes) for video in (perceived.target, *perceived.references))
        report(kept + made, len(asked))
    return Filled(len(todo), kept, looked_at, time.perf_counter() - start)
