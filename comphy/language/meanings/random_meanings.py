"""Random meanings, as people might ask: what the questions of the dataset ask, and recombinations of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from comphy.language.meanings.descriptions import (
    PASSAGES,
    Charge,
    CounterfactualPremise,
    Description,
    Entity,
    EventSelection,
    Mass,
    Moment,
    MomentKind,
    Partner,
    Passing,
    Source,
)
from comphy.language.meanings.meaning import (
    Both,
    Compare,
    Count,
    Direction,
    Exist,
    Meaning,
    Open,
    Option,
    Query,
    Related,
)
from comphy.programs.types import Attribute, Order, Premise, Status
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape

# Shares of looks with (color, material, shape).
_LOOKS: Final = (
    ((True, False, False), 0.25),
    ((False, True, False), 0.12),
    ((False, False, True), 0.2),
    ((True, False, True), 0.17),
    ((True, True, False), 0.08),
    ((False, True, True), 0.1),
    ((True, True, True), 0.08),
)
_MOMENTS: Final = (0.3, 0.3, 0.15, 0.15, 0.1)  # shares of the kinds of moments
_PAIR_SIGNS: Final = (Charge.CHARGED, Charge.OPPOSITE, Charge.SAME)
_PLAIN_CHARGES: Final = (Charge.CHARGED, Charge.UNCHARGED)
T = TypeVar("T")


class RandomMeanings:
    """Draws meanings."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def factual(self) -> Meaning:
        kinds = (
            (self._exist, 0.15),
            (self._count, 0.15),
            (self._query, 0.24),
            (self._direction, 0.07),
            (lambda: Exist(self._event_selection()), 0.13),
            (lambda: Count(self._event_selection()), 0.1),
            (self._compare, 0.07),
            (self._both, 0.05),
            (self._related, 0.04),
        )
        makers, shares = zip(*kinds, strict=True)
        made: Meaning = makers[int(self._rng.choice(len(makers), p=shares))]()
        return made

    def open(self) -> Open:
        if self._chance(0.25):
            return Open(None, negated=self._chance(0.15))
        return Open(self._counterfactual_premise(), negated=self._chance(0.5))

    def option(self) -> Option:
        return Option(*self._two())

    def _exist(self) -> Exist:
        return Exist(self._group(signs=True))

    def _count(self) -> Count:
        return Count(self._group(signs=False))

    def _query(self) -> Query:
        attribute = self._any(list(Attribute))
        entity: Entity
        if self._chance(0.25):
            entity = Passing(self._plain_group(0.5), self._any(PASSAGES), self._order())
        elif self._chance(0.3):
            entity = Partner(self._object(), self._order())
        else:
            entity = self._group(signs=False)
        return Query(attribute, without(entity, attribute))

    def _order(self) -> Order | None:
        return None if self._chance(0.15) else self._any(list(Order))

    def _direction(self) -> Direction:
        return Direction(self._object(), self._moment() if self._chance(0.65) else None)

    def _compare(self) -> Compare:
        return Compare(self._chance(0.5), *self._two())

    def _both(self) -> Both:
        return Both(self._any(list(Attribute)), self._any(_PAIR_SIGNS))

    def _related(self) -> Related:
        return Related(*self._two(), opposite=self._chance(0.4))

    def _event_selection(self) -> EventSelection:
        source: Source | CounterfactualPremise = Source.VIDEO
        if self._chance(0.3):
            source = Source.FUTURE if self._chance(0.45) else self._counterfactual_premise()
        if source is Source.VIDEO and self._chance(0.35):
            one = self._chance(0.4)
            who = self._object() if one else self._plain_group(0.4)
            return self._timed(EventSelection(self._any(PASSAGES), (who,), one), 0.15)
        count = int(self._rng.choice(3, p=(0.25, 0.25, 0.5)))
        objects = self._two()[:count] if count else ()
        if isinstance(source, CounterfactualPremise) and count and self._chance(0.3):
            objects = (source.about, *objects[1:]) if source.about not in objects[1:] else objects
        return self._timed(EventSelection(MomentKind.COLLISION, objects, source=source), 0.6 if not count else 0.15)

    def _timed(self, selection: EventSelection, share: float) -> EventSelection:
        if selection.source is not Source.VIDEO or not self._chance(share):
            return selection
        if self._chance(0.8):
            moment = Moment(self._any(PASSAGES), (self._object(),))
        else:
            moment = Moment(MomentKind.COLLISION, self._two())
        return replace(selection, moment=moment, after=self._chance(0.5))

    def _counterfactual_premise(self) -> CounterfactualPremise:
        premise = None if self._chance(0.1) else self._any(list(Premise))
        return CounterfactualPremise(self._object(), premise)

    def _moment(self) -> Moment:
        kind = tuple(MomentKind)[int(self._rng.choice(len(MomentKind), p=_MOMENTS))]
        if kind in PASSAGES:
            return Moment(kind, (self._object(),))
        return Moment(kind, self._two() if kind is MomentKind.COLLISION else ())

    def _group(self, signs: bool) -> Description:
        """Objects of any description; a pair of charges only without other conditions than a look."""
        described = Description(self._look() if self._chance(0.7) else Look())
        if signs and self._chance(0.12):
            return replace(described, charge=self._any((Charge.OPPOSITE, Charge.SAME)))
        kind = int(self._rng.choice(5, p=(0.24, 0.3, 0.18, 0.18, 0.1)))
        if kind in (1, 4):
            moment = self._moment() if self._chance(0.65) else None
            described = replace(described, status=self._any(list(Status)), moment=moment)
        if kind == 2 or (kind == 4 and self._chance(0.5)):
            described = replace(described, mass=self._any(list(Mass)))
        elif kind in (3, 4):
            described = replace(described, charge=self._any(_PLAIN_CHARGES))
        return described

    def _plain_group(self, bare: float) -> Description:
        described = Description(Look() if self._chance(bare) else self._look())
        return replace(described, charge=self._any(_PLAIN_CHARGES)) if self._chance(0.2) else described

    def _object(self) -> Description:
        described = Description(self._look())
        if self._chance(0.95):
            return described
        if self._chance(0.5):
            return replace(described, mass=self._any(list(Mass)))
        return replace(described, charge=self._any(_PLAIN_CHARGES))

    def _two(self) -> tuple[Description, Description]:
        first = second = self._object()
        while second == first:
            second = self._object()
        return first, second

    def _look(self) -> Look:
        kinds, shares = zip(*_LOOKS, strict=True)
        color, material, shape = kinds[int(self._rng.choice(len(kinds), p=shares))]
        return Look(
            self._any(list(Color)) if color else None,
            self._any(list(Material)) if material else None,
            self._any(list(Shape)) if shape else None,
        )

    def _any(self, values: Sequence[T]) -> T:
        return values[int(self._rng.integers(len(values)))]

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)


def without(entity: Entity, attribute: Attribute) -> Entity:
    """An entity that is not described by the attribute that is asked for."""
    if isinstance(entity, Passing):
        return replace(entity, group=_blind(entity.group, attribute))
    return _blind(entity, attribute) if isinstance(entity, Description) else entity


def _blind(described: Description, attribute: Attribute) -> Description:
    return replace(described, look=replace(described.look, **{str(attribute): None}))
