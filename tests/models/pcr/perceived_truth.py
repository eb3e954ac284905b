"""Sets of a dataset as a perfect perceiver would see them, their tracks in some other order than the annotation's."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from comphy.dataset import layout
from models.perceiver.cache import CacheWriter, FeatureCache
from models.perceiver.cache_index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from models.perceiver.truth import VIDEOS, TrueBoxes

FEATURES = 512
WIDTH = 480


def perceive_truth(
    root: Path, folder: Path, sets: Sequence[int], orders: Mapping[int, Sequence[int]] | None = None
) -> FeatureCache:
    """A cache of true boxes. `orders` are the true objects of the target's tracks; otherwise they are reversed."""
    boxes = TrueBoxes(root, WIDTH, WIDTH)
    key = CacheKey("made up", (root / layout.MANIFEST).name, {})
    with CacheWriter(folder, key, CacheShape(features=FEATURES), sets) as writer:
        for index in sets:
            writer.add(_perceived(boxes, index, (orders or {}).get(index)))
    return FeatureCache(folder)


def _perceived(boxes: TrueBoxes, index: int, order: Sequence[int] | None) -> PerceivedSet:
    target, *references = (boxes.video(f"{index:05d}/{name}").boxes for name in VIDEOS)
    order = list(order or reversed(range(target.shape[1])))
    owners = np.full((len(references), max(video.shape[1] for video in references)), -1)
    for row, name in zip(owners, VIDEOS[1:], strict=True):
        ids = boxes.object_ids(index, name)
        row[: len(ids)] = [order.index(one) if one in order else -1 for one in ids]
    videos = tuple(_video(video, index) for video in references)
    return PerceivedSet(index, WIDTH, 320, _video(target[:, order], index), videos, owners)


def _video(boxes: np.ndarray, seed: int) -> PerceivedVideo:
    features = np.random.default_rng(seed).random((boxes.shape[1], FEATURES)).astype(np.float32)
    return PerceivedVideo(boxes, (boxes != 0).any(axis=-1), features)
