"""What questions speak of, as data: objects, moments, counterfactual premises and selections of events, with programs."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comphy.programs.types import Order, Premise, Status
from comphy.questions.looks import Look
from comphy.questions.model import Tokens


class MomentKind(StrEnum):
    START = "start"
    END = "end"
    IN = "in"
    OUT = "out"
    COLLISION = "collision"


PASSAGES: Final = (MomentKind.IN, MomentKind.OUT)
_ANY: Final = Look()


class Mass(StrEnum):
    HEAVY = "heavy"
    LIGHT = "light"


class Charge(StrEnum):
    CHARGED = "charged"
    UNCHARGED = "uncharged"
    OPPOSITE = "opposite"  # of the two charged objects
    SAME = "same"


@dataclass(frozen=True)
class Moment:
    """An event of the video that tells when: its start or end, an object's entrance or exit, a collision of two."""

    kind: MomentKind
    objects: tuple["Description", ...] = ()

    @property
    def tokens(self) -> Tokens:
        """The event."""
        if self.kind in (MomentKind.START, MomentKind.END):
            return ("events", f"filter_{self.kind}")
        named = (token for one in self.objects for token in (*one.tokens, "unique", f"filter_{self.kind}"))
        return ("events", *named, "unique")


@dataclass(frozen=True)
class Description:
    """Objects of a look, with a motion (at a moment; None: at any time), a mass and a charge."""

    look: Look = _ANY
    status: Status | None = None
    moment: Moment | None = None
    mass: Mass | None = None
    charge: Charge | None = None

    @property
    def tokens(self) -> Tokens:
        """The set of objects."""
        tokens: Tokens = ("objects", *self.look.tokens)
        if self.status is not None:
            frame = ("null",) if self.moment is None else (*self.moment.tokens, "query_frame")
            tokens += (*frame, f"filter_{self.status}")
        hidden = (self.mass, self.charge)
        return (*tokens, *(f"filter_{word}" for word in hidden if word is not None))

    @property
    def reference(self) -> Tokens:
        """The only object of the set."""
        return (*self.tokens, "unique")


@dataclass(frozen=True)
class Passing:
    """The object that enters or leaves, as the first, second or last; without an order, the only one."""

    group: Description
    passage: MomentKind
    order: Order | None

    @property
    def reference(self) -> Tokens:
        which = ("unique",) if self.order is None else (str(self.order), "filter_order")
        return ("events", *self.group.tokens, f"filter_{self.passage}", *which, "query_object")


@dataclass(frozen=True)
class Partner:
    """The object that collides with another."""

    of: Description
    order: Order | None

    @property
    def reference(self) -> Tokens:
        which = ("unique",) if self.order is None else (str(self.order), "filter_order")
        return ("events", *self.of.reference, "filter_collision", *which, *self.of.reference, "query_collision_partner")


Entity = Description | Passing | Partner


@dataclass(frozen=True)
class CounterfactualPremise:
    """What is changed about an object; without a premise it is taken away."""

    about: Description
    premise: Premise | None

    @property
    def tokens(self) -> Tokens:
        return (*self.about.reference, *((str(self.premise),) if self.premise is not None else ()))


class Source(StrEnum):
    VIDEO = "events"
    FUTURE = "unseen_events"


@dataclass(frozen=True)
class EventSelection:
    """Collisions of any, one or two objects, or passages: of the video, the future, or under a counterfactual premise.

    `one` tells passages of one object from those of a group; `after` whether events after or before `moment` are meant.
    """

    kind: MomentKind
    objects: tuple[Description, ...] = ()
    one: bool = True
    source: Source | CounterfactualPremise = Source.VIDEO
    moment: Moment | None = None
    after: bool = False

    @property
    def tokens(self) -> Tokens:
        source = self.source
        tokens: Tokens = (str(source),) if isinstance(source, Source) else (*source.tokens, "counterfact_events")
        for described in self.objects or (Description(),):
            named = described.reference if self.objects and self.one else described.tokens
            tokens += (*named, f"filter_{self.kind}")
        if self.moment is None:
            return tokens
        return (*tokens, *self.moment.tokens, "filter_after" if self.after else "filter_before")
