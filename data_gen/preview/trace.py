"""How an answer follows, made for reading: numbered steps, what each of them takes, and results item by item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.dataset.checks.questions import verdict
from comphy.programs.executor import Step, execute, in_words, trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import GIVEN, Node, Program, parse
from comphy.programs.trace_text import SOURCES, TraceStep, numbered, shortened
from comphy.programs.types import ValueType
from comphy.questions.model import Choice, Question

# How the executor writes lists: what stands between two of their items.
_SEPARATORS: Final = {ValueType.EVENTS: "; ", ValueType.OBJECTS: ", ", ValueType.PAIR: ", "}
_MOST_ITEMS: Final = 4


@dataclass(frozen=True)
class ShownStep(TraceStep[str]):
    """A step whose result is in words."""

    one_per_line: bool = False

    def lines(self, most: int | None = _MOST_ITEMS) -> list[str]:
        """The result, an event to a line; of a long list, the first items. `most` None means all."""
        if self.call in SOURCES:
            return [SOURCES[self.call].format(len(self.items))]
        items, rest = shortened(self.items, most)
        shown = items + rest
        return shown if self.one_per_line else [", ".join(shown)]


@dataclass(frozen=True)
class TracedChoice:
    """A choice: the event that its words mean, and whether the question's program finds it correct."""

    choice: Choice
    event: str
    verdict: tuple[ShownStep, ...]
    holds: bool


@dataclass(frozen=True)
class Trace:
    """`steps` lead to the answer of a factual question, or to what the choices are compared with."""

    steps: tuple[ShownStep, ...] = ()
    choices: tuple[TracedChoice, ...] = ()

    def lines(self, step: ShownStep) -> list[str]:
        """The result of one of the steps. What choices are compared with is what the question is about: it is whole."""
        whole = bool(self.choices) and step is self.steps[-1]
        return step.lines(None) if whole else step.lines()


def trace_question(question: Question, facts: SceneFacts) -> Trace:
    """Execute a question on the facts of its set."""
    if not question.choices:
        program = parse(question.program)
        return Trace(_numbered(program, trace(program, facts)))
    both = [_trace_choice(question, choice, facts) for choice in question.choices]
    return Trace(both[0][0], tuple(choice for _, choice in both))


def _trace_choice(question: Question, choice: Choice, facts: SceneFacts) -> tuple[tuple[ShownStep, ...], TracedChoice]:
    """The steps that do not depend on the choice, and the choice with those that do."""
    option = parse(choice.program)
    kind, meant = option.root.type, execute(option, facts)
    program = parse(question.program, given=(kind,), wanted=ValueType.BOOL)
    steps = _numbered(program, trace(program, facts, meant))
    waiting = [_waits(node) for node in program.operators]  # in the order of the steps
    shared = tuple(step for step, waits in zip(steps, waiting, strict=True) if not waits)
    own = tuple(step for step, waits in zip(steps, waiting, strict=True) if waits)
    return shared, TracedChoice(choice, in_words(meant, kind, facts), own, verdict(question, choice, facts))


def _waits(node: Node) -> bool:
    """Whether the value depends on what is given from outside."""
    return any(below.token == GIVEN for below in node.walk())


def _numbered(program: Program, steps: Sequence[Step]) -> tuple[ShownStep, ...]:
    return tuple(_step(*at, step) for at, step in zip(numbered(program), steps, strict=True))


def _step(node: Node, number: int, takes: tuple[int, ...], step: Step) -> ShownStep:
    separator = _SEPARATORS.get(node.type)
    items = step.result.split(separator) if separator else [step.result]
    events = node.type is ValueType.EVENTS
    if events:  # lists of objects have no articles, and lists of events are easier to compare without them
        items = [item.replace("the ", "") for item in items]
    return ShownStep(number, step.call, takes, tuple(items), events)
