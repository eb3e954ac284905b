"""The op table: every operator of the question language, once.

The parser, the exact and the differentiable executor, the question engine and `docs/programs.md` are all driven by it.
Names are those of ComPhy's published programs; other names of the same operators, CLEVRER's and those of later code,
are aliases.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comphy.programs.types import ValueType as T


class Group(StrEnum):
    SOURCE = "Sources"
    SET = "Sets and truth values"
    LOOK = "Filters by look and motion"
    EVENT = "Filters of events"
    QUERY = "Queries"
    HIDDEN = "Hidden properties"
    COUNTERFACTUAL = "Counterfactuals"


@dataclass(frozen=True)
class Signature:
    """`variant` tells apart signatures of one operator that do different things."""

    params: tuple[T, ...]
    result: T
    variant: str = ""


@dataclass(frozen=True)
class Op:
    """Of signatures that fit, the one that takes the most arguments is meant: the longest stand first."""

    name: str
    group: Group
    signatures: tuple[Signature, ...]
    meaning: str
    aliases: tuple[str, ...] = ()
    narrows: bool = False  # a condition: its result is a part of its first argument


def _op(
    name: str,
    group: Group,
    *signatures: tuple[tuple[T, ...], T] | tuple[tuple[T, ...], T, str],
    meaning: str,
    aliases: tuple[str, ...] = (),
    narrows: bool = False,
) -> Op:
    return Op(name, group, tuple(Signature(*signature) for signature in signatures), meaning, aliases, narrows)


_OBJECTS: Final = ((T.OBJECTS,), T.OBJECTS)

_TABLE: Final = (
    # Sources
    _op("objects", Group.SOURCE, ((), T.OBJECTS), meaning="all objects of the target video", aliases=("scene",)),
    _op(
        "events",
        Group.SOURCE,
        ((), T.EVENTS),
        meaning="start, end, entrances, exits and collisions of the visible video, in order of time",
    ),
    _op(
        "unseen_events",
        Group.SOURCE,
        ((), T.EVENTS),
        meaning="entrances, exits and collisions after the visible video, in order of time",
    ),
    _op("all_events", Group.SOURCE, ((), T.EVENTS), meaning="one collision, at no time, for every pair of objects"),
    _op("start", Group.SOURCE, ((), T.EVENT), meaning="the start of the visible video"),
    _op("end", Group.SOURCE, ((), T.EVENT), meaning="the end of the visible video"),
    # Sets and truth values
    _op(
        "unique",
        Group.SET,
        ((T.OBJECTS,), T.OBJECT),
        ((T.OBJECTS,), T.PAIR, "pair"),
        ((T.EVENTS,), T.EVENT),
        ((T.MASSES,), T.MASS),
        meaning="the only element; where a pair is wanted, the only two objects",
    ),
    _op("count", Group.SET, ((T.OBJECTS,), T.COUNT), ((T.EVENTS,), T.COUNT), meaning="the number of elements"),
    _op("exist", Group.SET, ((T.OBJECTS,), T.BOOL), ((T.EVENTS,), T.BOOL), meaning="whether there is any element"),
    _op("not", Group.SET, ((T.BOOL,), T.BOOL), meaning="yes for no, no for yes", aliases=("negate",)),
    _op(
        "belong_to",
        Group.SET,
        ((T.EVENT, T.EVENTS), T.BOOL),
        ((T.OBJECT, T.EVENTS), T.BOOL),
        meaning="whether an event of the same kind and objects is among the events, or the object takes part in one",
    ),
    _op(
        "intersect",
        Group.SET,
        ((T.OBJECTS, T.OBJECTS), T.OBJECTS),
        ((T.EVENTS, T.EVENTS), T.EVENTS),
        meaning="what is in both",
    ),
    _op(
        "union",
        Group.SET,
        ((T.OBJECTS, T.OBJECTS), T.OBJECTS),
        ((T.EVENTS, T.EVENTS), T.EVENTS),
        meaning="what is in either",
    ),
    # Filters by look and motion
    _op("filter_color", Group.LOOK, ((T.OBJECTS, T.COLOR), T.OBJECTS), meaning="those of the color", narrows=True),
    _op("filter_shape", Group.LOOK, ((T.OBJECTS, T.SHAPE), T.OBJECTS), meaning="those of the shape", narrows=True),
    _op(
        "filter_material",
        Group.LOOK,
        ((T.OBJECTS, T.MATERIAL), T.OBJECTS),
        meaning="those of the material",
        narrows=True,
    ),
    _op(
        "filter",
        Group.LOOK,
        ((T.OBJECTS, T.COLOR), T.OBJECTS),
        ((T.OBJECTS, T.SHAPE), T.OBJECTS),
        ((T.OBJECTS, T.MATERIAL), T.OBJECTS),
        meaning="those of the color, shape or material",
        narrows=True,
    ),
    _op(
        "filter_moving",
        Group.LOOK,
        ((T.OBJECTS, T.FRAME), T.OBJECTS),
        meaning="those in the picture that move at the frame; with null, in any frame that shows them",
        narrows=True,
    ),
    _op(
        "filter_stationary",
        Group.LOOK,
        ((T.OBJECTS, T.FRAME), T.OBJECTS),
        meaning="those in the picture that rest at the frame; with null, in every frame that shows them",
        aliases=("filter_resting",),
        narrows=True,
    ),
    _op(
        "filter_status",
        Group.LOOK,
        ((T.OBJECTS, T.STATUS), T.OBJECTS),
        meaning="those that move in any frame that shows them, or in none",
        aliases=("filter_temporal",),
        narrows=True,
    ),
    # Filters of events
    _op("filter_start", Group.EVENT, ((T.EVENTS,), T.EVENT), meaning="the start of the video among the events"),
    _op("filter_end", Group.EVENT, ((T.EVENTS,), T.EVENT), meaning="the end of the video among the events"),
    _op(
        "filter_in",
        Group.EVENT,
        ((T.EVENTS, T.OBJECTS), T.EVENTS),
        ((T.EVENTS, T.OBJECT), T.EVENTS),
        meaning="entrances of the object or of any of the objects",
        narrows=True,
    ),
    _op(
        "filter_out",
        Group.EVENT,
        ((T.EVENTS, T.OBJECTS), T.EVENTS),
        ((T.EVENTS, T.OBJECT), T.EVENTS),
        meaning="exits of the object or of any of the objects",
        narrows=True,
    ),
    _op(
        "filter_collision",
        Group.EVENT,
        ((T.EVENTS, T.OBJECTS), T.EVENTS),
        ((T.EVENTS, T.OBJECT), T.EVENTS),
        meaning="collisions in which the object, or any of the objects, takes part",
        narrows=True,
    ),
    _op(
        "filter_order",
        Group.EVENT,
        ((T.EVENTS, T.ORDER), T.EVENT),
        meaning="the first, second or last in time",
        narrows=True,
    ),
    _op(
        "filter_before",
        Group.EVENT,
        ((T.EVENTS, T.EVENT), T.EVENTS),
        meaning="events of earlier frames than the event",
        narrows=True,
    ),
    _op(
        "filter_after",
        Group.EVENT,
        ((T.EVENTS, T.EVENT), T.EVENTS),
        meaning="events of later frames than the event",
        narrows=True,
    ),
    _op(
        "filter_ancestor",
        Group.EVENT,
        ((T.EVENTS, T.EVENT), T.EVENTS),
        meaning="those that lead to the event: each shares an object with it, or with a later one that leads to it",
        narrows=True,
    ),
    # Queries
    _op("query_color", Group.QUERY, ((T.OBJECT,), T.COLOR), meaning="its color"),
    _op("query_shape", Group.QUERY, ((T.OBJECT,), T.SHAPE), meaning="its shape"),
    _op("query_material", Group.QUERY, ((T.OBJECT,), T.MATERIAL), meaning="its material"),
    _op("query", Group.QUERY, ((T.OBJECT, T.ATTRIBUTE), T.WORDS), meaning="its color, shape or material"),
    _op(
        "query_direction",
        Group.QUERY,
        ((T.OBJECT, T.FRAME), T.DIRECTION),
        meaning="where it moves in the picture at the frame; with null, in at least half of the frames that show it",
    ),
    _op("query_frame", Group.QUERY, ((T.EVENT,), T.FRAME), meaning="when the event happens", aliases=("get_frame",)),
    _op(
        "query_object",
        Group.QUERY,
        ((T.EVENT,), T.OBJECT),
        meaning="who enters or leaves",
        aliases=("get_object",),
    ),
    _op(
        "query_collision_partner",
        Group.QUERY,
        ((T.EVENT, T.OBJECT), T.OBJECT),
        meaning="the other object of the collision",
        aliases=("get_col_partner",),
    ),
    _op("query_both_color", Group.QUERY, ((T.PAIR,), T.WORDS), meaning="the colors of the two"),
    _op("query_both_shape", Group.QUERY, ((T.PAIR,), T.WORDS), meaning="the shapes of the two"),
    _op("query_both_material", Group.QUERY, ((T.PAIR,), T.WORDS), meaning="the materials of the two"),
    _op("query_both", Group.QUERY, ((T.PAIR, T.ATTRIBUTE), T.WORDS), meaning="the colors, shapes or materials of both"),
    # Hidden properties
    _op("filter_heavy", Group.HIDDEN, _OBJECTS, meaning="those of mass 5", narrows=True),
    _op("filter_light", Group.HIDDEN, _OBJECTS, meaning="those of mass 1", narrows=True),
    _op("filter_charged", Group.HIDDEN, _OBJECTS, meaning="those with a charge", narrows=True),
    _op("filter_uncharged", Group.HIDDEN, _OBJECTS, meaning="those without a charge", narrows=True),
    _op(
        "filter_opposite",
        Group.HIDDEN,
        _OBJECTS,
        meaning="the two charged ones if their charges differ, else none",
        narrows=True,
    ),
    _op(
        "filter_same",
        Group.HIDDEN,
        _OBJECTS,
        meaning="the two charged ones if their charges are the same, else none",
        narrows=True,
    ),
    _op(
        "filter_mass",
        Group.HIDDEN,
        ((T.OBJECT,), T.MASS),
        ((T.OBJECTS,), T.MASS, "set"),
        ((T.OBJECTS,), T.MASSES, "each"),
        meaning="the mass of the object, or of the only object; before `unique`, the masses of all",
    ),
    _op("is_heavier", Group.HIDDEN, ((T.MASS, T.MASS), T.BOOL), meaning="whether the first mass is the greater"),
    _op("is_lighter", Group.HIDDEN, ((T.MASS, T.MASS), T.BOOL), meaning="whether the first mass is the smaller"),
    _op(
        "equal_charge",
        Group.HIDDEN,
        ((T.OBJECT, T.OBJECT), T.BOOL),
        meaning="whether both are charged, with the same sign",
    ),
    # Counterfactuals
    _op(
        "filter_counterfact",
        Group.COUNTERFACTUAL,
        ((T.EVENTS, T.OBJECT, T.PREMISE), T.EVENTS),
        ((T.EVENTS, T.OBJECT), T.EVENTS, "removal"),
        meaning="those of the events that would happen if the premise held for the object; without a premise "
        "(CLEVRER), if the object were not there",
        aliases=("get_counterfact",),
    ),
    _op(
        "counterfact_events",
        Group.COUNTERFACTUAL,
        ((T.OBJECT, T.PREMISE), T.EVENTS),
        ((T.OBJECT,), T.EVENTS, "removal"),
        meaning="the collisions that would happen then, with their times",
    ),
)

OPS: Final[dict[str, Op]] = {op.name: op for op in _TABLE}
ALIASES: Final[dict[str, str]] = {alias: op.name for op in _TABLE for alias in op.aliases}
