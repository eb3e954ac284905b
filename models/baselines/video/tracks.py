"""Objects as the cells of a frame: what a perceiver has tracked, read from the cache that `comphy perceive` fills.

Shapes: S sets, T frames that are looked at, N objects, D features of an object's appearance.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import TARGET, VideoLengths, reference
from comphy.errors import ConfigError, DatasetError
from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import FrameSettings
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.index import CacheKey
from models.perceiver.perceived import PerceivedBatch, aligned_references
from models.perceiver.tracking.alignment import NOBODY

PLACE: Final = 6  # features of where an object is: centre, width and height, whether it was seen, whether it is there


class TrackFeatures:
    """An object is described by its appearance, averaged over the video, and by its box in the frame; all is zero where it
    is absent. Objects of references stand in the order of the target's; those that the target lacks are left out."""

    def __init__(self, cache: FeatureCache, settings: FrameSettings) -> None:
        shape = cache.shape
        lengths = VideoLengths(shape.frames, shape.references, shape.reference_frames)
        self._cache = cache
        self._target = settings.numbers(TARGET, lengths)
        self._reference = settings.numbers(reference(0), lengths)
        self.key = CacheKey(
            cache.key.checkpoint,
            cache.key.dataset,
            {**cache.key.settings, "target": settings.target, "reference": settings.reference},
        )
        self.shape = FrameFeatureShape(
            settings.target, shape.references, settings.reference, shape.objects, shape.features + PLACE
        )

    def indices(self) -> list[int]:
        return self._cache.indices()

    def rows(self, numbers: Sequence[int]) -> dict[str, Tensor]:
        """`target` [S, T, N, D + PLACE] and `references` [S, R, T', N, D + PLACE], in half precision."""
        parts = [self._part(self._cache.batch(numbers[i : i + 64])) for i in range(0, len(numbers), 64)]
        return {name: torch.cat([part[name] for part in parts]) for name in ("target", "references")}

    def _part(self, batch: PerceivedBatch) -> dict[str, Tensor]:
        boxes, seen = aligned_references(batch)
        size = (batch.width, batch.height)
        target = _slots(
            batch.target[:, self._target], batch.target_seen[:, self._target], batch.target_features[:, None], size
        )
        references = _slots(
            boxes[:, :, self._reference], seen[:, :, self._reference], _aligned_features(batch)[:, :, None], size
        )
        return {"target": target, "references": references}


def open_tracks(folder: str | None, settings: FrameSettings, data: Path) -> TrackFeatures:
    """The tracks of all sets of a dataset.

    Raises:
        ConfigError: no folder is named.
        DatasetError: a cache of something else or of another dataset, or one that is not full.
    """
    if folder is None:
        raise ConfigError(
            "cache=null: expected the folder of perceived sets with frames.network=tracks. Make it with `comphy perceive "
            f"pcr/perceiver {data} --out FOLDER` and name it with cache=FOLDER."
        )
    cache, source = FeatureCache(Path(folder)), open_source(data)
    if cache.key.dataset != source.fingerprint():
        raise DatasetError(
            f"{folder}: expected the perceived sets of {data} (found those of another dataset, or of one that has changed). "
            f"Run comphy perceive on {data} into another folder."
        )
    missing = set(source.indices()) - set(cache.indices())
    if missing:
        raise DatasetError(
            f"{folder}: expected all {len(source.indices())} sets of {data} (missing: {len(missing)}; the first is set "
            f"{min(missing)}). Run comphy perceive again to go on."
        )
    return TrackFeatures(cache, settings)


def _slots(boxes: Tensor, seen: Tensor, appearance: Tensor, size: tuple[int, int]) -> Tensor:
    """Boxes [..., T, N, 4] in pixels, seen [..., T, N] and appearance [..., 1, N, D] as [..., T, N, D + PLACE]."""
    there = (boxes[..., 2:] > boxes[..., :2]).all(-1, keepdim=True)
    corners = boxes / torch.tensor([*size, *size])
    place = torch.cat([(corners[..., :2] + corners[..., 2:]) / 2, corners[..., 2:] - corners[..., :2]], dim=-1)
    looks = appearance.expand(*boxes.shape[:-1], appearance.shape[-1])
    return (torch.cat([looks, place, seen[..., None], there], dim=-1) * there).half()


def _aligned_features(batch: PerceivedBatch) -> Tensor:
    """Appearance [S, R, N, D] of the references' tracks in the order of the target's objects."""
    objects = batch.owners.shape[-1]
    # Tracks of nobody go to one place more, which is cut off.
    place = batch.owners.masked_fill(batch.owners == NOBODY, objects)[..., None].expand(batch.reference_features.shape)
    features = batch.reference_features.new_zeros(*place.shape[:2], objects + 1, place.shape[-1])
    return features.scatter_(2, place, batch.reference_features)[:, :, :objects]
