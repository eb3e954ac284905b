"""The reasoner's interpretation of one set: a soft scene, and names for its objects."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import torch

from comphy.errors import DatasetError
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.asking.kept_fits import fit_once
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.recalibration import Recalibrations
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.observed import observe
from models.perceiver.cache.feature_cache import FeatureCache

Pair = tuple[int, int]


@dataclass(frozen=True)
class SeenObject:
    """An object's most likely color, material and shape, and the probability that all three are right."""

    spec: ObjectSpec
    chance: float


@dataclass(frozen=True)
class InterpretedSet:
    """`scene` has one row: the set. `recalibrations` are the reasoner's, for how sure answers about it are."""

    index: int
    scene: SoftScene
    recalibrations: Recalibrations = field(default_factory=dict)

    @cached_property
    def objects(self) -> tuple[SeenObject, ...]:
        return tuple(self._seen(number) for number in range(int(self.scene.objects[0].sum())))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Such as 'red metal cube'; numbered where two objects have the same attributes."""
        names = [str(seen.spec) for seen in self.objects]
        count = Counter(names)
        return tuple(name if count[name] == 1 else f"{name} #{k + 1}" for k, name in enumerate(names))

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """Such as 'red cube', where no other object is called so; the whole name otherwise."""
        short = [f"{seen.spec.color} {seen.spec.shape}" for seen in self.objects]
        count = Counter(short)
        return tuple(one if count[one] == 1 else name for one, name in zip(short, self.names, strict=True))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of the set's objects (padding left out), in the scene's order of pairs."""
        count = len(self.objects)
        return tuple((i, j) for i, j in self.scene.pairs.tolist() if j < count)

    def charge(self, pair: Pair) -> tuple[float, float]:
        """The probabilities that the two have charges of the same sign, and of opposite signs."""
        i, j = pair
        return float(self.scene.same_matrix[0, i, j]), float(self.scene.opposite_matrix[0, i, j])

    @property
    def imagination(self) -> LearnedImagination | None:
        """The learned dynamics; None for a scene built from ground truth."""
        return self.scene.imagination if isinstance(self.scene.imagination, LearnedImagination) else None

    def _seen(self, number: int) -> SeenObject:
        tables = (self.scene.color, self.scene.shape, self.scene.material)
        chances, places = zip(*(table[0, number].max(dim=0) for table in tables), strict=True)
        color, shape, material = (int(place) for place in places)
        spec = ObjectSpec(tuple(Color)[color], tuple(Shape)[shape], tuple(Material)[material])
        return SeenObject(spec, float(torch.stack(chances).prod()))


@torch.no_grad()
def interpret_set(
    reasoner: Reasoner, cache: FeatureCache, index: int, camera: Camera = BENCHMARK, fits: Path | None = None
) -> InterpretedSet:
    """Interpret a set of a feature cache: alignment across videos, refinement, and the most likely (argmax) mass and charge
    for imagined motion. The fit, which takes longest, is kept in the folder `fits`. Raises `DatasetError` if no object was
    detected in the target video."""
    seen = observe(cache, [index], camera)
    observed = align_and_refine(reasoner, seen) if fits is None else fit_once(reasoner, seen, fits)
    if not observed.objects.any():
        raise DatasetError(
            f"set {index}: the perceiver saw no object in the target video, so nothing can be asked about it. "
            "Check the video, or perceive it with another --perceiver."
        )
    return InterpretedSet(index, reasoner.scene(observed, hard=True), reasoner.recalibrations)
