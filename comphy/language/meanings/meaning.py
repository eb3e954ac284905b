"""What a question means, as data. A meaning has one program (`tokens`); `from_program` goes the other way."""

from dataclasses import dataclass

from comphy.language.meanings.descriptions import (
    Charge,
    CounterfactualPremise,
    Description,
    Entity,
    EventSelection,
    Moment,
)
from comphy.programs.types import Attribute
from comphy.questions.model import Tokens


@dataclass(frozen=True)
class Exist:
    """Whether there is such an object or event.

    Attributes:
        what: the objects or events."""

    what: Description | EventSelection

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in yes or no."""
        return (*self.what.tokens, "exist")


@dataclass(frozen=True)
class Count:
    """How many such objects or events there are.

    Attributes:
        what: the objects or events."""

    what: Description | EventSelection

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in a number."""
        return (*self.what.tokens, "count")


@dataclass(frozen=True)
class Query:
    """An attribute of an object.

    Attributes:
        attribute: colour, shape or material.
        of: the object."""

    attribute: Attribute
    of: Entity

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in a word of the attribute."""
        return (*self.of.reference, f"query_{self.attribute}")


@dataclass(frozen=True)
class Direction:
    """Where an object moves.

    Attributes:
        of: the object.
        moment: when; None for in most of the video."""

    of: Description
    moment: Moment | None

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in a direction."""
        frame = ("null",) if self.moment is None else (*self.moment.tokens, "query_frame")
        return (*self.of.reference, *frame, "query_direction")


@dataclass(frozen=True)
class Compare:
    """Whether one object is heavier, or lighter, than another.

    Attributes:
        heavier: asks for heavier, else for lighter.
        first: the one object.
        second: the other."""

    heavier: bool
    first: Description
    second: Description

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in yes or no."""
        masses = (*self.first.reference, "filter_mass", *self.second.reference, "filter_mass")
        return (*masses, "is_heavier" if self.heavier else "is_lighter")


@dataclass(frozen=True)
class Both:
    """An attribute of the two charged objects.

    Attributes:
        attribute: colour, shape or material.
        charge: of the pair, same or opposite."""

    attribute: Attribute
    charge: Charge

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in the words of both."""
        return (*Description(charge=self.charge).tokens, "unique", f"query_both_{self.attribute}")


@dataclass(frozen=True)
class Related:
    """Whether two objects have the same charge, or opposite ones.

    Attributes:
        first: the one object.
        second: the other.
        opposite: asks for opposite charges, else for the same."""

    first: Description
    second: Description
    opposite: bool

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in yes or no."""
        if self.opposite:
            return (*self.first.tokens, *self.second.tokens, "union", "filter_opposite", "exist")
        return (*self.first.reference, *self.second.reference, "equal_charge")


@dataclass(frozen=True)
class Open:
    """A question that takes choices: what will happen or, under a counterfactual premise, what would; or what would not.

    Attributes:
        counterfactual: what is supposed; None for what will happen.
        negated: asks for what will or would not happen."""

    counterfactual: CounterfactualPremise | None
    negated: bool = False

    @property
    def tokens(self) -> Tokens:
        """The program, which takes the event of a choice."""
        if self.counterfactual is None:
            tokens: Tokens = ("unseen_events", "belong_to")
        else:
            tokens = ("all_events", *self.counterfactual.tokens, "filter_counterfact", "belong_to")
        return (*tokens, "not") if self.negated else tokens


@dataclass(frozen=True)
class Option:
    """A choice: a collision of two.

    Attributes:
        first: the one object.
        second: the other."""

    first: Description
    second: Description

    @property
    def tokens(self) -> Tokens:
        """The program, which ends in the event."""
        pair = (token for one in (self.first, self.second) for token in (*one.reference, "filter_collision"))
        return ("all_events", *pair, "unique")


Meaning = Exist | Count | Query | Direction | Compare | Both | Related | Open | Option
