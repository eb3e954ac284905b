"""Puts soft values into words: objects by their attributes, events with their frames, each with its probability."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from torch import Tensor

from comphy.programs.facts import NO_TIME
from comphy.programs.program import Node, Program
from comphy.programs.trace_text import SOURCES, TraceStep, numbered
from comphy.programs.types import ValueType
from comphy.scene.events import EventKind
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.executor.compiled import compile_program
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents
from models.pcr.executor.trace import SoftStep
from models.questions.question_types import ANSWERS

WORTH_TELLING: Final = 0.05
_VERBS: Final = {EventKind.IN: "enters", EventKind.OUT: "leaves"}
_EXTREMES: Final = {EventKind.START: "start of the video", EventKind.END: "end of the video"}


@dataclass(frozen=True)
class Item:
    """A phrase with its probability; None where a probability carries no information."""

    words: str
    chance: float | None = None

    def __str__(self) -> str:
        return self.words if self.chance is None else f"{self.words} ({percent(self.chance)})"


ToldStep = TraceStep[Item]


def percent(chance: float) -> str:
    return f"{chance:.0%}"


def listed(parts: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def tell(
    program: Program, steps: Sequence[SoftStep], interpreted: InterpretedSet, first: int = 1
) -> tuple[ToldStep, ...]:
    """The steps of a program in words, numbered from `first`."""
    return tuple(
        ToldStep(number, step.call, takes, tuple(_items(node, step, interpreted)))
        for (node, number, takes), step in zip(numbered(program, first), steps, strict=True)
    )


def _items(node: Node, step: SoftStep, interpreted: InterpretedSet) -> list[Item]:
    if node.token in SOURCES:
        return [_source(node.token, step, interpreted)]
    match step.type:
        case ValueType.OBJECTS | ValueType.MASSES:
            return objects_in_words(step.value, interpreted) or [Item("none")]
        case ValueType.OBJECT:
            return objects_in_words(step.value, interpreted, "the ")
        case ValueType.PAIR:
            chances = dict(zip(map(tuple, interpreted.scene.pairs.tolist()), step.value.tolist(), strict=True))
            return _worth(Item(f"the {_both(interpreted, pair)}", chances[pair]) for pair in interpreted.pairs)
        case ValueType.EVENT | ValueType.EVENTS:
            assert step.events is not None
            return events_in_words(step.events, interpreted) or [Item("none")]
        case ValueType.FRAME:
            return [Item(f"frame {int(step.value.argmax())}", float(step.value.max()))]
        case ValueType.MASS:
            heavy = float(step.value)
            return [Item("heavy", heavy) if heavy > 0.5 else Item("light", 1 - heavy)]
        case ValueType.BOOL:
            return [yes_or_no(float(step.value))]
        case _:
            return answers_in_words(node, step.value)


def _source(name: str, step: SoftStep, interpreted: InterpretedSet) -> Item:
    if name != "events":
        return Item(SOURCES[name].format(len(interpreted.objects if name == "objects" else interpreted.pairs)))
    return Item(f"all events of the video, {int((step.value > 0.5).sum())} of them likely")


def objects_in_words(chances: Tensor, interpreted: InterpretedSet, article: str = "") -> list[Item]:
    found = (Item(f"{article}{name}", float(chance)) for name, chance in zip(interpreted.names, chances, strict=False))
    return _worth(found)


def events_in_words(events: SoftEvents, interpreted: InterpretedSet) -> list[Item]:
    """Events with a probability of at least WORTH_TELLING, in order of time."""
    of_padding = events.members[:, len(interpreted.objects) :].any(dim=1)
    likely = ((events.probability[0] >= WORTH_TELLING) & ~of_padding).nonzero().flatten().tolist()
    slots = sorted(likely, key=lambda slot: float(events.moment[0, slot]))
    return [Item(_event(events, slot, interpreted), float(events.probability[0, slot])) for slot in slots]


def _event(events: SoftEvents, slot: int, interpreted: InterpretedSet) -> str:
    kind = EVENT_KINDS[int(events.kind[slot])]
    if kind in _EXTREMES:
        return _EXTREMES[kind]
    members = events.members[slot].nonzero().flatten().tolist()
    moment = round(float(events.moment[0, slot]))
    when = "" if moment == NO_TIME else f" at frame {moment}"
    if kind is EventKind.COLLISION:
        return f"{_both(interpreted, members)} collide{when}"
    return f"{interpreted.names[members[0]]} {_VERBS[kind]}{when}"


def yes_or_no(chance: float) -> Item:
    return Item("yes", chance) if chance > 0.5 else Item("no", 1 - chance)


def answers_in_words(node: Node, chances: Tensor) -> list[Item]:
    """The possible answers of a query operator, the most likely first."""
    words = [word for kind in compile_program(Program(node)).answers for word in ANSWERS[kind]]
    ranked = sorted(zip(words, chances.tolist(), strict=True), key=lambda pair: -pair[1])
    return _worth(Item(word, chance) for word, chance in ranked)


def _both(interpreted: InterpretedSet, pair: Sequence[int]) -> str:
    return " and ".join(interpreted.names[number] for number in pair)


def _worth(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item.chance is None or item.chance >= WORTH_TELLING]
