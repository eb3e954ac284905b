"""Features of frames on disk, in a cache of the same make as that of perceived sets: computed once, read by every model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from comphy.config import to_plain
from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoLengths
from comphy.errors import ComphyError
from models.baselines.video.network import FrameNetwork
from models.baselines.video.settings import FrameSettings
from models.perceiver.cache.arrays import ArrayReader, ArrayWriter, CacheInUse
from models.perceiver.cache.index import Arrays, CacheKey
from models.train.precision import autocast, memory_errors
from models.train.run import Run

OUT_OF_MEMORY = "What was finished is kept; run the same command again in another --out with a smaller frames.batch."


@dataclass(frozen=True)
class FrameFeatureShape:
    """How many of everything one set's frame features have."""

    KIND: ClassVar[str] = "comphy frame feature cache"
    MADE_BY: ClassVar[str] = "comphy train with the config of a video baseline"

    target: int
    references: int
    reference: int
    cells: int
    features: int

    def arrays(self) -> Arrays:
        half, cell = np.dtype("<f2"), (self.cells, self.features)
        return {
            "target": ((self.target, *cell), half),
            "references": ((self.references, self.reference, *cell), half),
        }


def frame_key(settings: FrameSettings, network: FrameNetwork, data: Path) -> CacheKey:
    """What a cache of frame features is known by. How many frames are looked at together changes nothing."""
    plain = {name: value for name, value in to_plain(settings).items() if name not in ("batch", "weights")}
    return CacheKey(network.checkpoint, open_source(data).fingerprint(), plain)


def fill_features(
    folder: Path, settings: FrameSettings, network: FrameNetwork, run: Run, device: torch.device
) -> ArrayReader[FrameFeatureShape] | None:
    """The cache in a folder, with all sets of the run's dataset; None if the run must stop before it is full.

    Raises:
        DatasetError: the folder has a cache of other frames, another network or another dataset.
    """
    source = open_source(run.data)
    lengths, sets = source.lengths, source.indices()
    key = frame_key(settings, network, run.data)
    shape = FrameFeatureShape(
        settings.target, max(1, lengths.references), settings.reference, network.cells, network.features
    )

    def out_of_time(done: int) -> bool:
        run.report(done, len(sets))
        return run.should_stop()

    try:
        with run.stop.listening(), ArrayWriter(folder, key, shape, sets, out_of_time) as writer:
            missing = writer.missing()
            kept = len(sets) - len(missing)
            if missing:
                frames = run.frames(settings.source, settings.width, str(device))
                for number in describe_sets(writer, missing, settings, network.to(device), frames, lengths):
                    if out_of_time(kept + number) and number < len(missing):
                        return None
    except CacheInUse:
        return None
    return ArrayReader(folder, FrameFeatureShape, key)


def describe_sets(
    writer: ArrayWriter[FrameFeatureShape],
    sets: Sequence[int],
    settings: FrameSettings,
    network: FrameNetwork,
    frames: FrameBatches,
    lengths: VideoLengths,
) -> Iterator[int]:
    """Add sets to a cache, as many at a time as `settings.batch` has frames of: a GPU is idle while it draws few. Gives
    how many are done after each time."""
    chosen = [(video, n) for video in lengths.videos for n in settings.numbers(video, lengths)]
    together = max(1, settings.batch // len(chosen))
    for start in range(0, len(sets), together):
        some = sets[start : start + together]
        keys = [FrameKey(index, video, n) for index in some for video, n in chosen]
        for index, features in zip(some, _described(keys, settings, network, frames).split(len(chosen)), strict=True):
            _add(writer, index, features, lengths)
        yield start + len(some)


def _described(
    keys: Sequence[FrameKey], settings: FrameSettings, network: FrameNetwork, frames: FrameBatches
) -> Tensor:
    """[F, C, D], in single precision, on the CPU."""
    device = network.get_buffer("mean").device
    with torch.no_grad(), autocast(device, bf16=True), memory_errors(settings.batch, OUT_OF_MEMORY):
        return torch.cat([network(part.to(device)).cpu() for part in frames.draw(keys).split(settings.batch)])


def _add(writer: ArrayWriter[FrameFeatureShape], index: int, found: Tensor, lengths: VideoLengths) -> None:
    features = found.half()
    if not torch.isfinite(features).all():
        raise ComphyError(
            f"The features of set {index} do not fit into half precision (largest: {found.abs().max():.3g}). Use other "
            "frames.weights."
        )
    shape = writer.shape
    references = np.zeros(*shape.arrays()["references"])
    references[: lengths.references] = features[shape.target :].numpy().reshape(-1, *references.shape[1:])
    writer.add_row(index, {"target": features[: shape.target].numpy(), "references": references})
