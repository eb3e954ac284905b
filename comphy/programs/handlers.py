"""What each operator does, on exact facts: one short function per signature of the op table.

Objects are indices, sets of them ascending tuples, events stand in order of time. A function that cannot answer raises
`Undefined` with the reason; the executor adds which token of the program it was. The operators on events have a file of
their own.
"""

from collections.abc import Callable
from typing import Any, Final

from comphy.programs import event_handlers as on_events
from comphy.programs.event_handlers import premised_change
from comphy.programs.facts import Frame, Objects, SceneFacts
from comphy.programs.types import Attribute, Status, Undefined
from comphy.scene.events import Event
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Direction, Material, Shape

__all__ = ["HANDLERS", "Undefined", "premised_change"]


def objects(facts: SceneFacts) -> Objects:
    return tuple(range(len(facts.objects)))


def unique(facts: SceneFacts, items: tuple[Any, ...]) -> Any:
    if len(items) != 1:
        raise Undefined(f"expected exactly one (found {len(items)})")
    return items[0]


def unique_pair(facts: SceneFacts, items: Objects) -> Objects:
    if len(items) != 2:
        raise Undefined(f"expected exactly two objects (found {len(items)})")
    return items


def count(facts: SceneFacts, items: tuple[Any, ...]) -> int:
    return len(items)


def exist(facts: SceneFacts, items: tuple[Any, ...]) -> bool:
    return bool(items)


def negate(facts: SceneFacts, truth: bool) -> bool:
    return not truth


def intersect(facts: SceneFacts, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for item in a if item in b)


def union(facts: SceneFacts, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    both = dict.fromkeys((*a, *b))
    return tuple(sorted(both, key=lambda item: item.frame if isinstance(item, Event) else item))


def filter_color(facts: SceneFacts, among: Objects, color: Color) -> Objects:
    return tuple(i for i in among if facts.objects[i].color == color)


def filter_shape(facts: SceneFacts, among: Objects, shape: Shape) -> Objects:
    return tuple(i for i in among if facts.objects[i].shape == shape)


def filter_material(facts: SceneFacts, among: Objects, material: Material) -> Objects:
    return tuple(i for i in among if facts.objects[i].material == material)


def filter_look(facts: SceneFacts, among: Objects, word: Color | Shape | Material) -> Objects:
    return tuple(i for i in among if word in facts.objects[i].appearance)


def filter_moving(facts: SceneFacts, among: Objects, frame: Frame) -> Objects:
    moves = facts.movement(frame)
    return tuple(i for i in among if moves[i] is True)


def filter_stationary(facts: SceneFacts, among: Objects, frame: Frame) -> Objects:
    moves = facts.movement(frame)
    return tuple(i for i in among if moves[i] is False)


def filter_status(facts: SceneFacts, among: Objects, status: Status) -> Objects:
    wanted = filter_moving if status is Status.MOVING else filter_stationary
    return wanted(facts, among, None)


def query_color(facts: SceneFacts, which: int) -> Color:
    return facts.objects[which].color


def query_shape(facts: SceneFacts, which: int) -> Shape:
    return facts.objects[which].shape


def query_material(facts: SceneFacts, which: int) -> Material:
    return facts.objects[which].material


def query(facts: SceneFacts, which: int, attribute: Attribute) -> tuple[str, ...]:
    return (_word(facts, which, attribute),)


def query_direction(facts: SceneFacts, which: int, frame: Frame) -> Direction:
    direction = facts.main_direction(which, frame)
    if direction is None:
        raise Undefined(f"the {facts.objects[which]} has no main direction in the picture then")
    return direction


def query_both(facts: SceneFacts, pair: Objects, attribute: Attribute) -> tuple[str, ...]:
    return tuple(sorted(_word(facts, i, attribute) for i in pair))


def query_both_color(facts: SceneFacts, pair: Objects) -> tuple[str, ...]:
    return query_both(facts, pair, Attribute.COLOR)


def query_both_shape(facts: SceneFacts, pair: Objects) -> tuple[str, ...]:
    return query_both(facts, pair, Attribute.SHAPE)


def query_both_material(facts: SceneFacts, pair: Objects) -> tuple[str, ...]:
    return query_both(facts, pair, Attribute.MATERIAL)


def filter_heavy(facts: SceneFacts, among: Objects) -> Objects:
    return tuple(i for i in among if facts.objects[i].mass == HEAVY_MASS)


def filter_light(facts: SceneFacts, among: Objects) -> Objects:
    return tuple(i for i in among if facts.objects[i].mass == LIGHT_MASS)


def filter_charged(facts: SceneFacts, among: Objects) -> Objects:
    return tuple(i for i in among if facts.objects[i].charge != 0)


def filter_uncharged(facts: SceneFacts, among: Objects) -> Objects:
    return tuple(i for i in among if facts.objects[i].charge == 0)


def filter_opposite(facts: SceneFacts, among: Objects) -> Objects:
    return _charged_pair(facts, among, sign=-1)


def filter_same(facts: SceneFacts, among: Objects) -> Objects:
    return _charged_pair(facts, among, sign=1)


def filter_mass(facts: SceneFacts, which: int) -> float:
    return facts.objects[which].mass


def filter_mass_set(facts: SceneFacts, among: Objects) -> float:
    return facts.objects[unique(facts, among)].mass


def filter_mass_each(facts: SceneFacts, among: Objects) -> tuple[float, ...]:
    return tuple(facts.objects[i].mass for i in among)


def is_heavier(facts: SceneFacts, a: float, b: float) -> bool:
    return a > b


def is_lighter(facts: SceneFacts, a: float, b: float) -> bool:
    return a < b


def equal_charge(facts: SceneFacts, a: int, b: int) -> bool:
    return facts.objects[a].charge == facts.objects[b].charge != 0


def _word(facts: SceneFacts, which: int, attribute: Attribute) -> str:
    return str(getattr(facts.objects[which], attribute))


def _charged_pair(facts: SceneFacts, among: Objects, sign: int) -> Objects:
    charged = filter_charged(facts, among)
    if len(charged) != 2:
        return ()
    product = facts.objects[charged[0]].charge * facts.objects[charged[1]].charge
    return charged if product * sign > 0 else ()


_NAMED: Final[tuple[Callable[..., Any], ...]] = (
    objects, unique, unique_pair, count, exist, intersect, union,
    filter_color, filter_shape, filter_material, filter_moving, filter_stationary, filter_status,
    query_color, query_shape, query_material, query, query_direction,
    query_both, query_both_color, query_both_shape, query_both_material,
    filter_heavy, filter_light, filter_charged, filter_uncharged, filter_opposite, filter_same,
    filter_mass, filter_mass_set, filter_mass_each, is_heavier, is_lighter, equal_charge,
    on_events.events, on_events.unseen_events, on_events.all_events, on_events.start, on_events.end, on_events.belong_to,
    on_events.filter_start, on_events.filter_end, on_events.filter_in, on_events.filter_out, on_events.filter_collision,
    on_events.filter_order, on_events.filter_before, on_events.filter_after, on_events.filter_ancestor,
    on_events.query_frame, on_events.query_object, on_events.query_collision_partner,
    on_events.filter_counterfact, on_events.filter_counterfact_removal,
    on_events.counterfact_events, on_events.counterfact_events_removal,
)  # fmt: skip

# By operator, with the variant of the signature where it has one.
HANDLERS: Final[dict[str, Callable[..., Any]]] = {
    **{handler.__name__: handler for handler in _NAMED},
    "not": negate,
    "filter": filter_look,
}
