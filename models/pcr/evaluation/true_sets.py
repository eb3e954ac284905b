"""What is true of perceived sets, numbered as their tracks are. For scoring alone: nothing that learns may look at it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from comphy.dataset.dataset import open_dataset
from comphy.dataset.sources.opening import open_source
from comphy.programs.facts import Events, SceneFacts
from comphy.scene.objects import Change, HiddenProperty
from comphy.scene.vocabulary import CHARGES, HEAVY_MASS, LIGHT_MASS
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.truth import TrueBoxes

_VALUES: Final = {HiddenProperty.MASS: (LIGHT_MASS, HEAVY_MASS), HiddenProperty.CHARGE: CHARGES}
Identities = tuple[int | None, ...]  # None where a track lies on no object


@dataclass(frozen=True)
class TrueSet:
    """`facts` number objects as the annotation does; `identities` are the objects that the target's tracks lie on,
    `reference_identities` those of each reference's tracks."""

    index: int
    facts: SceneFacts
    identities: Identities
    reference_identities: tuple[Identities, ...]

    @property
    def matched(self) -> bool:
        """Whether tracks and objects belong together one to one."""
        return sorted(-1 if one is None else one for one in self.identities) == list(range(len(self.facts.objects)))

    @cached_property
    def tracks(self) -> tuple[int | None, ...]:
        """The track of each object, None where there is none. Of several the first counts."""
        objects = range(len(self.facts.objects))
        return tuple(self.identities.index(i) if i in self.identities else None for i in objects)

    @cached_property
    def order(self) -> list[int]:
        """The objects of a matched set in the order of its tracks."""
        if not self.matched:
            raise ValueError(
                f"Expected tracks that are objects one to one (got {self.identities} in set {self.index})."
            )
        return [one for one in self.identities if one is not None]

    @cached_property
    def facts_of_tracks(self) -> SceneFacts:
        """The facts of a matched set, objects numbered as its tracks."""
        return in_order(self.facts, self.order)


def read_true_sets(root: Path, sets: Sequence[int], cache: FeatureCache) -> list[TrueSet]:
    """The facts of some sets of a dataset, and what their tracks in the cache lie on."""
    boxes = TrueBoxes(open_source(root), cache.shape.width)
    names = boxes.lengths.videos

    def true_set(index: int) -> TrueSet:
        perceived = cache.read(index)
        videos = (perceived.target, *perceived.references)
        target, *references = (
            tuple(boxes.identities(video.boxes, index, name)) for name, video in zip(names, videos, strict=True)
        )
        return TrueSet(index, read_facts(root, index), target, tuple(references))

    return [true_set(index) for index in sets]


def read_facts(root: Path, index: int) -> SceneFacts:
    return open_dataset(root)[index].facts


def in_order(facts: SceneFacts, order: Sequence[int]) -> SceneFacts:
    """The same facts where object k is the one that was `order[k]`."""
    place = {old: new for new, old in enumerate(order)}

    def renumbered(events: Events) -> Events:
        return tuple(replace(event, objects=tuple(sorted(place[i] for i in event.objects))) for event in events)

    changes = [Change(i, hidden, value) for i in order for hidden, values in _VALUES.items() for value in values]
    keys = {change.key: replace(change, object=place[change.object]).key for change in changes}
    columns = list(order)
    return replace(
        facts,
        objects=tuple(facts.objects[i] for i in order),
        visible=renumbered(facts.visible),
        unseen=renumbered(facts.unseen),
        moving=facts.moving[:, columns],
        direction=facts.direction[:, columns],
        inside=facts.inside[:, columns],
        counterfactual={keys[key]: renumbered(events) for key, events in facts.counterfactual.items()},
        removal=facts.removal and {place[i]: renumbered(events) for i, events in facts.removal.items()},
    )
