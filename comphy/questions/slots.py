"""What can be filled into a template's slots for a given scene: words on one side, program tokens on the other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from comphy.programs.facts import SceneFacts
from comphy.programs.types import Attribute, Order, Status
from comphy.questions.looks import Look, all_minimal_looks, reference
from comphy.scene.events import EventKind


@dataclass(frozen=True)
class Filling:
    """One way to fill a slot. `words` maps every spelling of the slot (look, looks) to its words.

    `object` is what a reference names; `look` the words spent on it; `attribute` what is asked for.
    """

    program: str
    words: Mapping[str, str]
    object: int | None = None
    look: Look | None = None
    attribute: Attribute | None = None


def _word(slot: str, program: str, words: str) -> Filling:
    return Filling(program, {slot: words})


def _references(slot: str) -> Callable[[SceneFacts], list[Filling]]:
    def domain(facts: SceneFacts) -> list[Filling]:
        return [
            Filling(" ".join(reference(look)), {slot: look.phrase()}, object=index, look=look)
            for index, look in all_minimal_looks(facts.objects)
        ]

    return domain


def _scene_looks(facts: SceneFacts) -> list[Look]:
    """Looks made of words that apply to objects of the scene, though perhaps not to the same one."""
    specs = facts.objects
    looks = {Look.of(spec, chosen) for spec in specs for n in (1, 2) for chosen in combinations(Attribute, n)}
    for a in specs:
        for b in specs:
            looks |= {Look(a.color, None, b.shape), Look(a.color, b.material), Look(None, a.material, b.shape)}
    return sorted(looks, key=lambda look: look.tokens)


def _look_filling(slot: str, look: Look) -> Filling:
    words = {slot: look.phrase(), f"{slot}s": look.phrase(plural=True)}
    return Filling(" ".join(look.tokens), words, look=look)


def _looks(facts: SceneFacts) -> list[Filling]:
    return [_look_filling("look", look) for look in _scene_looks(facts)]


def _groups(facts: SceneFacts) -> list[Filling]:
    looks = _scene_looks(facts)
    plain = [Look()] * (len(looks) // 2)  # as often as one of three questions
    return [_look_filling("group", look) for look in [*plain, *looks]]


_PASSAGES: Final = (
    ("in", "enter", "enters", EventKind.IN),
    ("out", "exit", "exits", EventKind.OUT),
)


def _times(facts: SceneFacts) -> list[Filling]:
    times = [
        _word("time", "events filter_start query_frame", "when the video begins"),
        _word("time", "events filter_end query_frame", "when the video ends"),
        _word("time", "null", ""),
    ]
    for index, look in all_minimal_looks(facts.objects):
        for op, _, verb, kind in _PASSAGES:
            if sum(event.kind is kind and event.objects == (index,) for event in facts.visible) == 1:
                program = f"events {' '.join(reference(look))} filter_{op} unique query_frame"
                words = {"time": f"when the {look.phrase()} {verb} the scene"}
                times.append(Filling(program, words, object=index, look=look))
    return times


def _fixed(*fillings: Filling) -> Callable[[SceneFacts], list[Filling]]:
    return lambda facts: list(fillings)


_SIGNS: Final = (
    ("charged", "are charged"),
    ("opposite", "are oppositely charged"),
    ("same", "have the same charge"),
)

DOMAINS: Final[dict[str, Callable[[SceneFacts], list[Filling]]]] = {
    "object": _references("object"),
    "other": _references("other"),
    "look": _looks,
    "group": _groups,
    "time": _times,
    "motion": _fixed(*(_word("motion", str(status), str(status)) for status in Status)),
    "mass": _fixed(*(_word("mass", word, word) for word in ("heavy", "light"))),
    "charge": _fixed(*(_word("charge", word, word) for word in ("charged", "uncharged"))),
    "sign": _fixed(*(_word("sign", op, words) for op, words in _SIGNS)),
    "order": _fixed(*(_word("order", str(order), str(order)) for order in Order)),
    "side": _fixed(*(_word("side", word, word) for word in ("before", "after"))),
    "comparison": _fixed(*(_word("comparison", word, word) for word in ("heavier", "lighter"))),
    "passage": _fixed(*(Filling(op, {"pass": plain, "passes": verb}) for op, plain, verb, _ in _PASSAGES)),
    "attribute": _fixed(
        *(
            Filling(str(attribute), {"attribute": str(attribute), "attributes": f"{attribute}s"}, attribute=attribute)
            for attribute in Attribute
        )
    ),
}
