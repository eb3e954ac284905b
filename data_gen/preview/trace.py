"""How an answer follows, made for reading: numbered steps, what each of them takes, and results item by item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.dataset.checks.questions import verdict
from comphy.programs.executor import Step, execute, in_words, trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import GIVEN, Node, Program, parse
from comphy.programs.types import ValueType
from comphy.questions.model import Choice, Question

# How the executor writes lists: what stands between two of their items.
_SEPARATORS: Final = {ValueType.EVENTS: "; ", ValueType.OBJECTS: ", ", ValueType.PAIR: ", "}
# Where a program begins, nothing has been told apart yet: a number says as much as the list.
_SOURCES: Final = {
    "objects": "all {} objects",
    "events": "all {} events of the video",
    "all_events": "all {} pairs of objects, as collisions",
}
_MOST_ITEMS: Final = 4


@dataclass(frozen=True)
class TraceStep:
    """One operator. `takes` are the numbers of the steps whose results it takes, `items` its own result in words."""

    number: int
    call: str
    takes: tuple[int, ...]
    items: tuple[str, ...]
    one_per_line: bool = False

    @property
    def takes_others(self) -> bool:
        """Whether it takes more than the result of the step before, which needs no telling."""
        return bool(self.takes) and self.takes != (self.number - 1,)

    def lines(self, most: int | None = _MOST_ITEMS) -> list[str]:
        """The result, an event to a line; of a long list, the first items. `most` None means all."""
        if self.call in _SOURCES:
            return [_SOURCES[self.call].format(len(self.items))]
        shown = list(self.items)
        if most is not None and len(shown) > most:
            shown = [*shown[: most - 1], f"… and {len(shown) - most + 1} more"]
        return shown if self.one_per_line else [", ".join(shown)]


@dataclass(frozen=True)
class TracedChoice:
    """A choice: the event that its words mean, and whether the question's program finds it correct."""

    choice: Choice
    event: str
    verdict: tuple[TraceStep, ...]
    holds: bool


@dataclass(frozen=True)
class Trace:
    """`steps` lead to the answer of a factual question, or to what the choices are compared with."""

    steps: tuple[TraceStep, ...] = ()
    choices: tuple[TracedChoice, ...] = ()


def trace_question(question: Question, facts: SceneFacts) -> Trace:
    """Execute a question on the facts of its set."""
    if not question.choices:
        program = parse(question.program)
        return Trace(_numbered(program, trace(program, facts)))
    both = [_trace_choice(question, choice, facts) for choice in question.choices]
    return Trace(both[0][0], tuple(choice for _, choice in both))


def _trace_choice(question: Question, choice: Choice, facts: SceneFacts) -> tuple[tuple[TraceStep, ...], TracedChoice]:
    """The steps that do not depend on the choice, and the choice with those that do."""
    option = parse(choice.program)
    kind, meant = option.root.type, execute(option, facts)
    program = parse(question.program, given=(kind,), wanted=ValueType.BOOL)
    steps = _numbered(program, trace(program, facts, meant))
    waiting = [_waits(node) for node in program.root.walk() if node.op is not None]  # in the order of the steps
    shared = tuple(step for step, waits in zip(steps, waiting, strict=True) if not waits)
    own = tuple(step for step, waits in zip(steps, waiting, strict=True) if waits)
    return shared, TracedChoice(choice, in_words(meant, kind, facts), own, verdict(question, choice, facts))


def _waits(node: Node) -> bool:
    """Whether the value depends on what is given from outside."""
    return any(below.token == GIVEN for below in node.walk())


def _numbered(program: Program, steps: Sequence[Step]) -> tuple[TraceStep, ...]:
    nodes = {node.position: node for node in program.root.walk()}
    numbers = {step.position: number for number, step in enumerate(steps, start=1)}
    return tuple(_step(nodes[step.position], step, numbers) for step in steps)


def _step(node: Node, step: Step, numbers: dict[int, int]) -> TraceStep:
    takes = tuple(numbers[argument.position] for argument in node.arguments if argument.op is not None)
    separator = _SEPARATORS.get(node.type)
    items = step.result.split(separator) if separator else [step.result]
    events = node.type is ValueType.EVENTS
    if events:  # lists of objects have no articles, and lists of events are easier to compare without them
        items = [item.replace("the ", "") for item in items]
    return TraceStep(numbers[step.position], step.call, takes, tuple(items), events)
