"""Reads the meaning of a program: the inverse of `Meaning.tokens`, for programs that have one."""

from collections.abc import Sequence

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
from comphy.programs.program import GIVEN, Node, Program
from comphy.programs.types import Attribute, Order, Premise, Status, ValueType
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape

_MASSES = {f"filter_{word}": word for word in Mass}
_CHARGES = {f"filter_{word}": word for word in Charge}
_STATUSES = {f"filter_{word}": word for word in Status}
_PASSAGES = {f"filter_{word}": word for word in PASSAGES}
_LOOKS = ("filter_color", "filter_material", "filter_shape")


class NoMeaning(Exception):
    """A program is well-typed, but says nothing that the language has words for."""


def meaning_of(program: Program) -> Meaning | None:
    """What a program means; None where the language has no words for it. Its own program is the same, token by token."""
    try:
        found = _meaning(program.root)
    except NoMeaning:
        return None
    return found if found.tokens == program.tokens else None


def described_by(node: Node) -> Description | EventSelection | None:
    """What a set of objects or events is a description of; None where the language has no words for it."""
    try:
        return _event_selection(node) if node.type is ValueType.EVENTS else _description(node)
    except NoMeaning:
        return None


def _meaning(root: Node) -> Meaning:
    arguments = root.arguments
    match root.token:
        case "exist" | "count":
            if root.token == "exist" and (related := _opposite(arguments[0])) is not None:
                return related
            events = arguments[0].type is ValueType.EVENTS
            what = _event_selection(arguments[0]) if events else _description(arguments[0])
            return Exist(what) if root.token == "exist" else Count(what)
        case "query_color" | "query_shape" | "query_material":
            return Query(Attribute(root.token.removeprefix("query_")), _entity(arguments[0]))
        case "query_direction":
            return Direction(_one(arguments[0]), _frame(arguments[1]))
        case "is_heavier" | "is_lighter":
            first, second = (_one(_under(argument, "filter_mass")) for argument in arguments)
            return Compare(root.token == "is_heavier", first, second)
        case "query_both_color" | "query_both_shape" | "query_both_material":
            return _both(root)
        case "equal_charge":
            return Related(_one(arguments[0]), _one(arguments[1]), opposite=False)
        case "belong_to" | "not":
            return _open(root)
        case "unique" if root.type is ValueType.EVENT:
            return Option(*_pair(arguments[0], "all_events"))
    raise NoMeaning(root.token)


def _description(node: Node) -> Description:
    found: dict[str, object] = {}
    look: dict[str, Color | Material | Shape] = {}
    while node.token != "objects":
        token = node.token
        if token in _MASSES:
            found.setdefault("mass", _MASSES[token])
        elif token in _CHARGES:
            found.setdefault("charge", _CHARGES[token])
        elif token in _STATUSES:
            found.setdefault("status", _STATUSES[token])
            found.setdefault("moment", _frame(node.arguments[1]))
        elif token in _LOOKS and isinstance(node.arguments[1].value, Color | Material | Shape):
            look.setdefault(token.removeprefix("filter_"), node.arguments[1].value)
        else:
            raise NoMeaning(token)
        node = node.arguments[0]
    return Description(Look(**look), **found)  # type: ignore[arg-type]


def _under(node: Node, *tokens: str) -> Node:
    if node.token not in tokens:
        raise NoMeaning(node.token)
    return node.arguments[0]


def _one(node: Node) -> Description:
    return _description(_under(node, "unique"))


def _entity(node: Node) -> Entity:
    if node.token == "query_object":
        event, order = _ordered(node.arguments[0])
        if event.token not in _PASSAGES or event.arguments[0].token != "events":
            raise NoMeaning(event.token)
        return Passing(_description(event.arguments[1]), _PASSAGES[event.token], order)
    if node.token == "query_collision_partner":
        event, order = _ordered(node.arguments[0])
        if _under(event, "filter_collision").token != "events":
            raise NoMeaning(event.token)
        return Partner(_one(event.arguments[1]), order)
    return _one(node)


def _ordered(node: Node) -> tuple[Node, Order | None]:
    if node.token == "filter_order" and isinstance(node.arguments[1].value, Order):
        return node.arguments[0], node.arguments[1].value
    return _under(node, "unique"), None


def _frame(node: Node) -> Moment | None:
    return None if node.token == "null" else _moment(_under(node, "query_frame"))


def _moment(node: Node) -> Moment:
    if node.token in ("filter_start", "filter_end"):
        return Moment(MomentKind(node.token.removeprefix("filter_")))
    event = _under(node, "unique")
    if event.token in _PASSAGES and event.arguments[0].token == "events":
        return Moment(_PASSAGES[event.token], (_one(event.arguments[1]),))
    return Moment(MomentKind.COLLISION, _pair(event, "events"))


def _pair(node: Node, source: str) -> tuple[Description, Description]:
    """The two objects of collisions among the events of a source."""
    if node.token != "filter_collision" or node.arguments[0].token != "filter_collision":
        raise NoMeaning(node.token)
    inner = node.arguments[0]
    if inner.arguments[0].token != source:
        raise NoMeaning(inner.token)
    return _one(inner.arguments[1]), _one(node.arguments[1])


def _event_selection(node: Node) -> EventSelection:
    if node.token in ("filter_before", "filter_after"):
        among = _event_selection(node.arguments[0])
        return EventSelection(
            among.kind, among.objects, among.one, among.source, _moment(node.arguments[1]), node.token == "filter_after"
        )
    chain: list[Node] = []
    while node.token in _PASSAGES or node.token == "filter_collision":
        chain.insert(0, node)
        node = node.arguments[0]
    if not chain or len({link.token for link in chain}) > 1 or len(chain) > 2:
        raise NoMeaning(node.token)
    kind = MomentKind(chain[0].token.removeprefix("filter_"))
    named = [link.arguments[1] for link in chain]
    one = named[0].type is ValueType.OBJECT
    objects = tuple(_one(name) if one else _description(name) for name in named)
    if kind is MomentKind.COLLISION and not one and objects == (Description(),):
        return EventSelection(kind, source=_source(node))
    return EventSelection(kind, objects, one, _source(node))


def _source(node: Node) -> Source | CounterfactualPremise:
    if node.token == "counterfact_events":
        return _counterfactual_premise(node.arguments)
    if node.token not in tuple(Source):
        raise NoMeaning(node.token)
    return Source(node.token)


def _counterfactual_premise(arguments: Sequence[Node]) -> CounterfactualPremise:
    premise = arguments[1].value if len(arguments) > 1 else None
    return CounterfactualPremise(_one(arguments[0]), premise if isinstance(premise, Premise) else None)


def _opposite(node: Node) -> Related | None:
    if node.token != "filter_opposite" or node.arguments[0].token != "union":
        return None
    first, second = map(_description, node.arguments[0].arguments)
    return Related(first, second, opposite=True)


def _both(root: Node) -> Both:
    among = _description(_under(root.arguments[0], "unique"))
    if among.charge is None or among.charge is Charge.UNCHARGED or among != Description(charge=among.charge):
        raise NoMeaning(root.token)
    return Both(Attribute(root.token.removeprefix("query_both_")), among.charge)


def _open(root: Node) -> Open:
    negated = root.token == "not"
    node = root.arguments[0] if negated else root
    if node.token != "belong_to" or node.arguments[0].token != GIVEN:
        raise NoMeaning(node.token)
    events = node.arguments[1]
    if events.token == "unseen_events":
        return Open(None, negated)
    if events.token != "filter_counterfact" or events.arguments[0].token != "all_events":
        raise NoMeaning(events.token)
    return Open(_counterfactual_premise(events.arguments[1:]), negated)
