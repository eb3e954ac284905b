"""Accuracy of what a model takes objects to be: the concepts of the ComPhy paper's Table 7 that belong to objects.

Colour, shape, material and mass are counted per object; an object that the model did not find counts as wrong. The
charges of a set are relations of pairs (same signs, opposite signs, none), and most pairs have none: "none" for all of
them would be right nine times in ten. The paper's 45 % for a model without references can therefore be no plain share of
pairs, and `charge` is the mean of the recalls of the three relations, over the pairs of sets that hold charges.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any, Final

from comphy.evaluation.intervals import Accuracy, grouped_accuracy, wilson
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS


class ChargeRelation(StrEnum):
    NONE = "none"
    SAME = "same"
    OPPOSITE = "opposite"


# One relation of each pair i < j, in lexical order; None where an object of the pair was not found.
Relations = tuple[ChargeRelation | None, ...]

_ATTRIBUTES: Final[dict[str, Callable[[ObjectSpec], object]]] = {
    "color": lambda spec: spec.color,
    "shape": lambda spec: spec.shape,
    "material": lambda spec: spec.material,
    "mass": lambda spec: spec.mass == HEAVY_MASS,
}


@dataclass(frozen=True)
class ConceptReading:
    """The objects of a set, and what is said of each; None: it was not found. `relations` are said of its pairs."""

    objects: tuple[ObjectSpec, ...]
    said: tuple[ObjectSpec | None, ...]
    relations: Relations

    def __post_init__(self) -> None:
        count = len(self.objects)
        if len(self.said) != count or len(self.relations) != count * (count - 1) // 2:
            raise ValueError(
                f"Expected a reading of {count} objects and of every pair (got {len(self.said)} objects and "
                f"{len(self.relations)} pairs)."
            )

    @property
    def true_relations(self) -> tuple[ChargeRelation, ...]:
        return tuple(relation(a, b) for a, b in combinations(self.objects, 2))


@dataclass(frozen=True)
class BalancedAccuracy:
    """The mean of several recalls, so that rare cases count as much as frequent ones."""

    recalls: dict[str, Accuracy]
    low: float
    high: float

    @property
    def value(self) -> float:
        return sum(recall.value for recall in self.recalls.values()) / len(self.recalls)

    def record(self) -> dict[str, Any]:
        recalls = {name: recall.record() for name, recall in self.recalls.items()}
        return {"accuracy": self.value, "low": self.low, "high": self.high, "recalls": recalls}


@dataclass(frozen=True)
class ConceptScores:
    """`attributes` per object: color, shape, material and mass. `charge` as the module says; `mass_of_sets` and
    `charge_of_sets`: the whole set right. None where there is nothing to count."""

    attributes: dict[str, Accuracy | None]
    charge: BalancedAccuracy | None
    mass_of_sets: Accuracy | None
    charge_of_sets: Accuracy | None

    def record(self) -> dict[str, Any]:
        parts = {**self.attributes, "charge": self.charge}
        parts |= {"mass_of_sets": self.mass_of_sets, "charge_of_sets": self.charge_of_sets}
        return {name: part and part.record() for name, part in parts.items()}


def relation(a: ObjectSpec, b: ObjectSpec) -> ChargeRelation:
    if not a.charge * b.charge:
        return ChargeRelation.NONE
    return ChargeRelation.SAME if a.charge * b.charge > 0 else ChargeRelation.OPPOSITE


def score_concepts(readings: Sequence[ConceptReading]) -> ConceptScores:
    """Objects and pairs of one set count as not independent."""
    return ConceptScores(
        {name: grouped_accuracy([_tally(_rights(one, of)) for one in readings]) for name, of in _ATTRIBUTES.items()},
        _charge([one for one in readings if set(one.true_relations) != {ChargeRelation.NONE}]),
        grouped_accuracy([(int(all(_rights(one, _ATTRIBUTES["mass"]))), 1) for one in readings]),
        grouped_accuracy([(int(one.relations == one.true_relations), 1) for one in readings]),
    )


def _rights(reading: ConceptReading, of: Callable[[ObjectSpec], object]) -> list[bool]:
    pairs = zip(reading.objects, reading.said, strict=True)
    return [said is not None and of(said) == of(true) for true, said in pairs]


def _charge(charged: Sequence[ConceptReading]) -> BalancedAccuracy | None:
    recalls = {str(kind): grouped_accuracy([_tally(_found(one, kind)) for one in charged]) for kind in ChargeRelation}
    known = {name: recall for name, recall in recalls.items() if recall is not None}
    return _balanced(known) if known else None


def _found(reading: ConceptReading, kind: ChargeRelation) -> list[bool]:
    """Of the pairs that truly have the relation: whether they are said to have it."""
    return [said is kind for true, said in zip(reading.true_relations, reading.relations, strict=True) if true is kind]


def _balanced(recalls: dict[str, Accuracy]) -> BalancedAccuracy:
    """Wilson's interval for as many independent answers as have the variance of the mean of the recalls."""
    share = sum(recall.value for recall in recalls.values()) / len(recalls)
    spread = sum(recall.value * (1 - recall.value) / recall.count for recall in recalls.values()) / len(recalls) ** 2
    count = share * (1 - share) / spread if spread else min(recall.count for recall in recalls.values())
    return BalancedAccuracy(recalls, *wilson(share, count))


def _tally(rights: Iterable[bool]) -> tuple[int, int]:
    counted = list(rights)
    return sum(counted), len(counted)
