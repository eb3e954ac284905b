"""Runs programs on exact facts, and tells step by step what happened."""

from dataclasses import dataclass
from typing import Any

from comphy.errors import ProgramError
from comphy.programs.facts import NO_TIME, SceneFacts
from comphy.programs.handlers import HANDLERS
from comphy.programs.program import GIVEN, Node, Program
from comphy.programs.types import ANSWER_TYPES, Undefined, ValueType
from comphy.scene.events import Event, EventKind


@dataclass(frozen=True)
class Step:
    """One executed operator.

    Attributes:
        position: of its token in the program.
        call: its name and literal arguments, such as `filter_color red`.
        result: what came of it, in words."""

    position: int
    call: str
    result: str


def execute(program: Program, facts: SceneFacts, *given: Any, where: str = "") -> Any:
    """Execute a program on exact facts.

    Args:
        program: what `parse` gives.
        facts: what is true of the set, such as `DatasetSet.facts`.
        *given: values of the types that the program was parsed with as `given`, in order.
        where: a file or question id that opens the message of an error.

    Returns:
        The value of the program; its Python type follows from `program.root.type`.

    Raises:
        ProgramError: if an operator has no result, such as `unique` of two objects, or given values are missing."""
    return _Run(facts, given, where, None).of(program)


def trace(program: Program, facts: SceneFacts, *given: Any, where: str = "") -> list[Step]:
    """Execute a program and tell what each operator does.

    Args:
        program: what `parse` gives.
        facts: what is true of the set.
        *given: values of the types that the program was parsed with as `given`, in order.
        where: a file or question id that opens the message of an error.

    Returns:
        Every step in the order of execution, each with its result in words.

    Raises:
        ProgramError: as for `execute`."""
    steps: list[Step] = []
    _Run(facts, given, where, steps).of(program)
    return steps


def answer(program: Program, facts: SceneFacts, *given: Any, where: str = "") -> str:
    """Answer a factual question as the published files write it.

    Args:
        program: a program that ends in an answer.
        facts: what is true of the set.
        *given: values of the types that the program was parsed with as `given`, in order.
        where: a file or question id that opens the message of an error.

    Returns:
        The answer as `answer_text` writes it.

    Raises:
        ProgramError: if the program ends in something else, or cannot be executed."""
    if program.root.type not in ANSWER_TYPES:
        found = program.root.type
        raise ProgramError(f"{_opening(where)}expected a program that ends in an answer (found {found}): {program}")
    return answer_text(execute(program, facts, *given, where=where))


def answer_text(value: Any) -> str:
    """Write a value as an answer.

    Args:
        value: the value of a program that ends in an answer.

    Returns:
        Yes or no, a number, a word, or two words joined by 'and'."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " and ".join(value)
    return str(value)


def _opening(where: str) -> str:
    return f"{where}: " if where else ""


class _Run:
    def __init__(self, facts: SceneFacts, given: tuple[Any, ...], where: str, steps: list[Step] | None) -> None:
        self._facts = facts
        self._given = given
        self._waiting = iter(given)  # postfix: given values are taken in the order in which they lie on the stack
        self._where = where
        self._steps = steps

    def of(self, program: Program) -> Any:
        if len(self._given) != len(program.given):
            expected = ", ".join(program.given) or "none"
            raise ProgramError(
                f"{_opening(self._where)}expected the given values: {expected} (found {len(self._given)}): {program}"
            )
        return self._value(program.root)

    def _value(self, node: Node) -> Any:
        if node.op is None:
            return next(self._waiting) if node.token == GIVEN else node.value
        arguments = [self._value(argument) for argument in node.arguments]
        handler = HANDLERS[f"{node.token}_{node.variant}" if node.variant else node.token]
        try:
            result = handler(self._facts, *arguments)
        except Undefined as reason:
            place = f"{_opening(self._where)}token {node.position} '{node.token}'"
            raise ProgramError(f"{place}: {reason}") from None
        if self._steps is not None:
            self._steps.append(Step(node.position, node.call, in_words(result, node.type, self._facts)))
        return result


def in_words(value: Any, kind: ValueType, facts: SceneFacts) -> str:
    """Describe a value for people: objects by their looks, events with their frames.

    Args:
        value: of a step.
        kind: its type.
        facts: what is true of the set, which names the objects.

    Returns:
        A phrase, such as `the red metal cube` or `frame 12`."""
    match kind:
        case ValueType.OBJECT:
            return f"the {facts.objects[value]}"
        case ValueType.OBJECTS | ValueType.PAIR:
            return ", ".join(str(facts.objects[i]) for i in value) or "none"
        case ValueType.EVENT:
            return _event_in_words(value, facts)
        case ValueType.EVENTS:
            return "; ".join(_event_in_words(event, facts) for event in value) or "none"
        case ValueType.FRAME:
            return f"frame {value}"
        case ValueType.MASS:
            return f"mass {value:g}"
        case ValueType.MASSES:
            return f"masses {', '.join(f'{mass:g}' for mass in value)}" if value else "none"
        case _:
            return answer_text(value)


_VERBS = {EventKind.IN: "enters", EventKind.OUT: "leaves"}


def _event_in_words(event: Event, facts: SceneFacts) -> str:
    when = "" if event.frame == NO_TIME else f" at frame {event.frame}"
    names = [f"the {facts.objects[i]}" for i in event.objects]
    if event.kind is EventKind.COLLISION:
        return f"{' and '.join(names)} collide{when}"
    if names:
        return f"{names[0]} {_VERBS[event.kind]}{when}"
    return f"{event.kind} of the video"
