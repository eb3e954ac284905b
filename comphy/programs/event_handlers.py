"""What each operator on events does, on exact facts: those of the video, those after it, and those that only could be."""

from comphy.programs.facts import NO_TIME, Events, Frame, Objects, SceneFacts
from comphy.programs.types import Order, Premise, Undefined
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import Change, HiddenProperty
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS


def events(facts: SceneFacts) -> Events:
    return facts.video_events


def unseen_events(facts: SceneFacts) -> Events:
    if not facts.unseen_known:
        raise Undefined("it is not known what happens after the video")
    return facts.unseen


def all_events(facts: SceneFacts) -> Events:
    return facts.all_pairs


def start(facts: SceneFacts) -> Event:
    return facts.video_events[0]


def end(facts: SceneFacts) -> Event:
    return facts.video_events[-1]


def belong_to(facts: SceneFacts, item: Event | int, among: Events) -> bool:
    if isinstance(item, Event):
        return any(_same(item, event) for event in among)
    return any(item in event.objects for event in among)


def filter_start(facts: SceneFacts, among: Events) -> Event:
    return _only(among, EventKind.START)


def filter_end(facts: SceneFacts, among: Events) -> Event:
    return _only(among, EventKind.END)


def filter_in(facts: SceneFacts, among: Events, who: Objects | int) -> Events:
    return _of_kind(among, EventKind.IN, who)


def filter_out(facts: SceneFacts, among: Events, who: Objects | int) -> Events:
    return _of_kind(among, EventKind.OUT, who)


def filter_collision(facts: SceneFacts, among: Events, who: Objects | int) -> Events:
    return _of_kind(among, EventKind.COLLISION, who)


def filter_order(facts: SceneFacts, among: Events, order: Order) -> Event:
    place = {Order.FIRST: 0, Order.SECOND: 1, Order.LAST: -1}[order]
    if not among or place >= len(among):
        raise Undefined(f"there is no {order} of {len(among)} events")
    return _timed(among)[place]


def filter_before(facts: SceneFacts, among: Events, event: Event) -> Events:
    _timed((event,))
    return tuple(e for e in _timed(among) if e.frame < event.frame)


def filter_after(facts: SceneFacts, among: Events, event: Event) -> Events:
    _timed((event,))
    return tuple(e for e in _timed(among) if e.frame > event.frame)


def filter_ancestor(facts: SceneFacts, among: Events, event: Event) -> Events:
    """Backwards through all that happens: what shares an object with the event, or with one that was found so."""
    _timed((event,))
    involved, found = set(event.objects), set()
    for earlier in reversed((*facts.visible, *facts.unseen)):
        if earlier.frame < event.frame and involved.intersection(earlier.objects):
            involved.update(earlier.objects)
            found.add(earlier)
    return tuple(e for e in among if e in found)


def query_frame(facts: SceneFacts, event: Event) -> Frame:
    return _timed((event,))[0].frame + facts.shift


def query_object(facts: SceneFacts, event: Event) -> int:
    if event.kind not in (EventKind.IN, EventKind.OUT):
        raise Undefined(f"expected an entrance or an exit (found {event.kind})")
    return event.objects[0]


def query_collision_partner(facts: SceneFacts, event: Event, which: int) -> int:
    if event.kind is not EventKind.COLLISION or which not in event.objects:
        raise Undefined(f"expected a collision of the {facts.objects[which]} (found {event.kind} of others)")
    return next(i for i in event.objects if i != which)


def filter_counterfact(facts: SceneFacts, among: Events, which: int, premise: Premise) -> Events:
    return _happening(among, counterfact_events(facts, which, premise))


def filter_counterfact_removal(facts: SceneFacts, among: Events, which: int) -> Events:
    return _happening(among, counterfact_events_removal(facts, which))


def counterfact_events(facts: SceneFacts, which: int, premise: Premise) -> Events:
    key = premised_change(facts, which, premise).key
    if key not in facts.counterfactual:
        raise Undefined(f"no run '{key}' is at hand")
    return facts.counterfactual[key]


def counterfact_events_removal(facts: SceneFacts, which: int) -> Events:
    if facts.removal is None or which not in facts.removal:
        raise Undefined(f"no run without the {facts.objects[which]} is at hand")
    return facts.removal[which]


def premised_change(facts: SceneFacts, which: int, premise: Premise) -> Change:
    """The change that a premise means for an object; a premise that already holds means none."""
    spec = facts.objects[which]
    if premise is Premise.HEAVIER and spec.mass < HEAVY_MASS:
        return Change(which, HiddenProperty.MASS, HEAVY_MASS)
    if premise is Premise.LIGHTER and spec.mass > LIGHT_MASS:
        return Change(which, HiddenProperty.MASS, LIGHT_MASS)
    if premise is Premise.UNCHARGED and spec.charge:
        return Change(which, HiddenProperty.CHARGE, 0)
    if premise is Premise.OPPOSITE and spec.charge:
        return Change(which, HiddenProperty.CHARGE, -spec.charge)
    raise Undefined(f"'{premise}' changes nothing about the {spec} of mass {spec.mass:g} and charge {spec.charge}")


def _same(a: Event, b: Event) -> bool:
    return a.kind is b.kind and set(a.objects) == set(b.objects)


def _happening(among: Events, run: Events) -> Events:
    return tuple(event for event in among if any(_same(event, other) for other in run))


def _timed(among: Events) -> Events:
    if any(event.frame == NO_TIME for event in among):
        raise Undefined("expected events that happen at a time (found some that only could)")
    return among


def _only(among: Events, kind: EventKind) -> Event:
    found = [event for event in among if event.kind is kind]
    if len(found) != 1:
        raise Undefined(f"expected one '{kind}' among the events (found {len(found)})")
    return found[0]


def _of_kind(among: Events, kind: EventKind, who: Objects | int) -> Events:
    wanted = who if isinstance(who, tuple) else (who,)
    return tuple(event for event in among if event.kind is kind and any(i in wanted for i in event.objects))
