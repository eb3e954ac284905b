"""Types of the question language, and the words that stand for values of them."""

from enum import StrEnum
from typing import Final

from comphy.scene.vocabulary import Color, Material, Shape


class ValueType(StrEnum):
    OBJECT = "object"
    OBJECTS = "objects"
    PAIR = "pair"  # exactly two objects, in no order
    EVENT = "event"
    EVENTS = "events"
    FRAME = "frame"  # a frame of the video, or null: at any time
    MASS = "mass"
    MASSES = "masses"
    BOOL = "yes/no"
    COUNT = "count"
    COLOR = "color"
    SHAPE = "shape"
    MATERIAL = "material"
    DIRECTION = "direction"
    WORDS = "words"  # one word of an attribute, or two in no order
    ORDER = "order"
    PREMISE = "premise"
    STATUS = "status"
    ATTRIBUTE = "attribute"


# What a factual question may end in.
ANSWER_TYPES: Final = frozenset(
    {
        ValueType.BOOL,
        ValueType.COUNT,
        ValueType.COLOR,
        ValueType.SHAPE,
        ValueType.MATERIAL,
        ValueType.DIRECTION,
        ValueType.WORDS,
    }
)


class Undefined(Exception):
    """An operator has no result for its arguments. The executor adds which token of the program it was."""


class Order(StrEnum):
    FIRST = "first"
    SECOND = "second"
    LAST = "last"


class Premise(StrEnum):
    """What a counterfactual question changes about one object."""

    HEAVIER = "counterfact_heavier"
    LIGHTER = "counterfact_lighter"
    UNCHARGED = "counterfact_uncharged"
    OPPOSITE = "counterfact_opposite"


class Status(StrEnum):
    MOVING = "moving"
    STATIONARY = "stationary"


class Attribute(StrEnum):
    COLOR = "color"
    SHAPE = "shape"
    MATERIAL = "material"


Literal = StrEnum | None

_CLOSED: Final[dict[ValueType, type[StrEnum]]] = {
    ValueType.COLOR: Color,
    ValueType.SHAPE: Shape,
    ValueType.MATERIAL: Material,
    ValueType.ORDER: Order,
    ValueType.PREMISE: Premise,
    ValueType.STATUS: Status,
    ValueType.ATTRIBUTE: Attribute,
}

# Every literal token: its type and its value. `null` is the frame that is no frame.
LITERALS: Final[dict[str, tuple[ValueType, Literal]]] = {
    **{str(word): (kind, word) for kind, words in _CLOSED.items() for word in words},
    "null": (ValueType.FRAME, None),
}
LITERAL_ALIASES: Final = {"resting": "stationary"}

COUNTS: Final = tuple(str(n) for n in range(6))
