"""Perceived sets without a perceiver: true boxes, and features in which looks stand a little blurred."""

from pathlib import Path

import numpy as np

from comphy.dataset.manifest import Manifest
from comphy.dataset.reader import open_annotations, read_set
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from models.perceiver.align import align_tracks
from models.perceiver.cache import CacheWriter, FeatureCache
from models.perceiver.cache_index import CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, assemble
from models.perceiver.tracker import Tracks
from models.perceiver.truth import VIDEOS, TrueBoxes, asked_for

FEATURES = 32
WIDTH, HEIGHT = 480, 320
WORDS = [*map(str, Color), *map(str, Shape), *map(str, Material)]


def fill_truly(root: Path, folder: Path) -> FeatureCache:
    """A feature cache of all sets of a dataset."""
    truth = TrueBoxes(root, WIDTH, WIDTH)
    sets = sorted(Manifest.read(root).sets)
    shape = CacheShape(width=WIDTH, height=HEIGHT, features=FEATURES)
    with CacheWriter(folder, CacheKey("true boxes", "true", {}), shape, sets) as writer:
        for index in sets:
            writer.add(truly_perceived(root, truth, index))
    return FeatureCache(folder)


def truly_perceived(root: Path, truth: TrueBoxes, index: int) -> PerceivedSet:
    annotation = read_set(open_annotations(root), index)
    rng = np.random.default_rng(index)
    videos = {
        name: _tracks(truth, f"{index:05d}/{name}", video.objects, rng)
        for name, video in zip(VIDEOS, (annotation.target, *annotation.references), strict=True)
    }
    target, references = videos["target"], [videos[name] for name in VIDEOS[1:]]
    return assemble(index, (WIDTH, HEIGHT), target, references, align_tracks(target, references))


def _tracks(truth: TrueBoxes, name: str, objects: tuple[ObjectSpec, ...], rng: np.random.Generator) -> Tracks:
    video = truth.video(name)
    seen = asked_for(video, WIDTH)
    looks = np.stack([_look(spec) for spec in objects]) + 0.05 * rng.standard_normal((len(objects), FEATURES))
    return Tracks(video.boxes * seen[..., None], seen.astype(np.float32), seen, looks.astype(np.float32))


def _look(spec: ObjectSpec) -> np.ndarray:
    """Each word has a direction of its own."""
    directions = np.random.default_rng(0).standard_normal((len(WORDS), FEATURES))
    return sum(directions[WORDS.index(str(word))] for word in spec.appearance)
