"""All that a reasoner knows of one set: chances, and names for its objects."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import torch

from comphy.errors import DatasetError
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.properties.refinement import studied
from models.pcr.reasoner.imagination import Mind
from models.pcr.reasoner.question_batches import observe
from models.pcr.reasoner.reasoner import Reasoner
from models.perceiver.cache.feature_cache import FeatureCache

Pair = tuple[int, int]


@dataclass(frozen=True)
class Seen:
    """An object as it looks: the likeliest color, material and shape, and how likely all three are right."""

    spec: ObjectSpec
    chance: float


@dataclass(frozen=True)
class KnownSet:
    """`scene` has one row: the set."""

    index: int
    scene: SoftScene

    @cached_property
    def objects(self) -> tuple[Seen, ...]:
        return tuple(self._seen(number) for number in range(int(self.scene.objects[0].sum())))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Such as 'red metal cube'; numbered where two objects look the same."""
        looks = [str(seen.spec) for seen in self.objects]
        count = Counter(looks)
        return tuple(look if count[look] == 1 else f"{look} #{k + 1}" for k, look in enumerate(looks))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Of the objects that there are, in the scene's order of pairs."""
        count = len(self.objects)
        return tuple((i, j) for i, j in self.scene.pairs.tolist() if j < count)

    def charge(self, pair: Pair) -> tuple[float, float]:
        """The chances that the two have charges of the same sign, and of opposite signs."""
        i, j = pair
        return float(self.scene.same_matrix[0, i, j]), float(self.scene.opposite_matrix[0, i, j])

    @property
    def mind(self) -> Mind | None:
        """Who imagines motion; a scene of exact facts has nobody."""
        return self.scene.imagination if isinstance(self.scene.imagination, Mind) else None

    def _seen(self, number: int) -> Seen:
        tables = (self.scene.color, self.scene.shape, self.scene.material)
        chances, places = zip(*(table[0, number].max(dim=0) for table in tables), strict=True)
        color, shape, material = (int(place) for place in places)
        spec = ObjectSpec(tuple(Color)[color], tuple(Shape)[shape], tuple(Material)[material])
        return Seen(spec, float(torch.stack(chances).prod()))


@torch.no_grad()
def know(reasoner: Reasoner, cache: FeatureCache, index: int) -> KnownSet:
    """What the reasoner makes of a perceived set. What it imagines is based on the likeliest properties."""
    observed = studied(reasoner, observe(cache, [index]))
    if not observed.objects.any():
        raise DatasetError(
            f"set {index}: the perceiver saw no object in the target video, so nothing can be asked about it. "
            "Check the video, or perceive it with another --perceiver."
        )
    return KnownSet(index, reasoner.scene(observed, hard=True))
