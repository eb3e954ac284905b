"""Sets of a dataset as a perfect perceiver would see them, their tracks in some other order than the annotation's. Looks
stand a little blurred in the features."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from comphy.dataset import layout
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.reasoner.settings import ReasonerSettings
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from models.perceiver.truth import TrueBoxes, asked_for

FEATURES = 32  # enough to tell all looks apart
WIDTH, HEIGHT = 480, 320
WORDS = [*map(str, Color), *map(str, Shape), *map(str, Material)]
_BLUR = 0.05


def perceive_truth(
    root: Path,
    folder: Path,
    sets: Sequence[int],
    orders: Mapping[int, Sequence[int]] | None = None,
    features: int = ReasonerSettings().features,
) -> FeatureCache:
    """A cache of true boxes. `orders` are the true objects of the target's tracks; otherwise they are reversed."""
    boxes = TrueBoxes(open_source(root), WIDTH)
    key = CacheKey("made up", (root / layout.MANIFEST).name, {})
    shape = CacheShape(width=WIDTH, height=HEIGHT, features=features)
    with CacheWriter(folder, key, shape, sets) as writer:
        for index in sets:
            writer.add(_perceived(root, boxes, index, (orders or {}).get(index), features))
    return FeatureCache(folder)


def _perceived(root: Path, boxes: TrueBoxes, index: int, order: Sequence[int] | None, features: int) -> PerceivedSet:
    annotation = open_source(root).annotation(index)
    rng = np.random.default_rng(index)
    shown = (annotation.target.objects, *(video.objects for video in annotation.references))
    order = list(order or reversed(range(len(shown[0]))))
    orders = [order, *(range(len(objects)) for objects in shown[1:])]
    target, *references = (
        _video(boxes.video(index, name), [objects[place] for place in places], list(places), features, rng)
        for name, objects, places in zip(STANDARD.videos, shown, orders, strict=True)
    )
    owners = np.full((len(references), max(map(len, references))), -1)
    for row, name in zip(owners, STANDARD.videos[1:], strict=True):
        ids = boxes.object_ids(index, name)
        row[: len(ids)] = [order.index(one) if one in order else -1 for one in ids]
    return PerceivedSet(index, WIDTH, HEIGHT, target, tuple(references), owners)


def _video(
    video: VideoBoxes,
    objects: Sequence[ObjectSpec],
    order: list[int],
    features: int,
    rng: np.random.Generator,
) -> PerceivedVideo:
    seen = asked_for(video, WIDTH)[:, order]
    looks = np.stack([_look(spec, features) for spec in objects])
    blurred = looks + _BLUR * rng.standard_normal(looks.shape)
    return PerceivedVideo(video.boxes[:, order] * seen[..., None], seen, blurred.astype(np.float32))


def _look(spec: ObjectSpec, features: int) -> np.ndarray:
    """Each word has a direction of its own."""
    directions = np.random.default_rng(0).standard_normal((len(WORDS), features))
    return sum(directions[WORDS.index(str(word))] for word in spec.appearance)
