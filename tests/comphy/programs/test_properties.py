"""What holds of every well-typed program in every scene."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from comphy.errors import ProgramError
from comphy.programs.executor import answer_text, execute, in_words, trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import PADDING, dropped, parse
from comphy.programs.types import ANSWER_TYPES, Attribute, Order, Premise, Status
from comphy.programs.types import ValueType as T
from comphy.scene.events import Event
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from tests.support.strategies import programs, scenes, typed_programs

WORDS = {
    T.COLOR: Color, T.SHAPE: Shape, T.MATERIAL: Material, T.DIRECTION: Direction,
    T.ORDER: Order, T.PREMISE: Premise, T.STATUS: Status, T.ATTRIBUTE: Attribute,
}  # fmt: skip


def is_event(value: Any, facts: SceneFacts) -> bool:
    return isinstance(value, Event) and all(0 <= i < len(facts.objects) for i in value.objects)


def is_of(value: Any, kind: T, facts: SceneFacts) -> bool:
    """Whether a value is what its type promises."""
    match kind:
        case T.OBJECT:
            return type(value) is int and 0 <= value < len(facts.objects)
        case T.OBJECTS | T.PAIR:
            ascending = value == tuple(sorted(set(value))) and set(value) <= set(range(len(facts.objects)))
            return ascending and (kind is T.OBJECTS or len(value) == 2)
        case T.EVENT:
            return is_event(value, facts)
        case T.EVENTS:
            frames = [event.frame for event in value]
            return frames == sorted(frames) and all(is_event(event, facts) for event in value)
        case T.FRAME:
            return value is None or type(value) is int
        case T.MASS:
            return value in (1.0, 5.0)
        case T.MASSES:
            return type(value) is tuple and set(value) <= {1.0, 5.0}
        case T.BOOL:
            return type(value) is bool
        case T.COUNT:
            return type(value) is int and value >= 0
        case T.WORDS:
            vocabulary = {*Color, *Shape, *Material}
            return len(value) in (1, 2) and set(value) <= vocabulary and value == tuple(sorted(value))
        case _:
            return value in WORDS[kind]


def outcome(tokens: tuple[str, ...], kind: T, facts: SceneFacts) -> Any:
    try:
        return execute(parse(tokens, wanted=kind), facts)
    except ProgramError as error:
        return str(error)


@settings(max_examples=300, deadline=None)
@given(typed_programs(), scenes())
def test_a_program_gives_a_value_of_its_type_or_says_why_not(typed: tuple[T, tuple[str, ...]], facts: SceneFacts):
    kind, tokens = typed
    program = parse(tokens, wanted=kind)
    try:
        value = execute(program, facts, where="here")
    except ProgramError as error:
        assert str(error).startswith("here: token ")
        return
    assert is_of(value, kind, facts)
    steps = trace(program, facts)
    if steps:
        assert steps[-1].result == in_words(value, kind, facts)
        assert kind not in ANSWER_TYPES or steps[-1].result == answer_text(value)
    assert [step.position for step in steps] == sorted(step.position for step in steps)


@settings(max_examples=200, deadline=None)
@given(typed_programs())
def test_printing_and_reading_are_inverse(typed: tuple[T, tuple[str, ...]]):
    kind, tokens = typed
    program = parse(tokens, wanted=kind)
    assert parse(program.tokens, wanted=kind) == program
    assert parse(str(program).split(), wanted=kind).tokens == program.tokens
    assert len(program.tokens) == len(tokens)


@settings(max_examples=100, deadline=None)
@given(typed_programs(), scenes(), st.data())
def test_padding_changes_nothing(typed: tuple[T, tuple[str, ...]], facts: SceneFacts, data: st.DataObject):
    kind, tokens = typed
    padded = list(tokens)
    for filler in data.draw(st.lists(st.sampled_from(sorted(PADDING)), max_size=4)):
        padded.insert(data.draw(st.integers(0, len(padded))), filler)
    assert parse(padded, wanted=kind) == parse(tokens, wanted=kind)
    plain = outcome(tokens, kind, facts)
    if not isinstance(plain, str):
        assert outcome(tuple(padded), kind, facts) == plain


@settings(max_examples=100, deadline=None)
@given(programs(T.EVENT) | programs(T.OBJECT), scenes())
def test_a_choice_given_as_a_value_or_joined_as_tokens_is_the_same(choice: tuple[str, ...], facts: SceneFacts):
    question = ("unseen_events", "belong_to")
    for kind in (T.EVENT, T.OBJECT):
        try:
            value = execute(parse(choice, wanted=kind), facts)
        except ProgramError:
            continue
        joined = execute(parse((*choice, *question), wanted=T.BOOL), facts)
        assert joined is execute(parse(question, given=(kind,)), facts, value)


@settings(max_examples=100, deadline=None)
@given(typed_programs())
def test_dropping_a_condition_leaves_a_program_of_the_same_type(typed: tuple[T, tuple[str, ...]]):
    kind, tokens = typed
    program = parse(tokens, wanted=kind)
    for node in program.root.walk():
        if node.op is not None and node.op.narrows:
            wider = dropped(program, node)
            assert wider.root.type is kind and parse(wider.tokens, wanted=kind) == wider


@settings(max_examples=100, deadline=None)
@given(programs(T.OBJECTS) | programs(T.EVENTS), scenes())
def test_conditions_only_narrow(tokens: tuple[str, ...], facts: SceneFacts):
    root = parse(tokens).root
    if root.op is None or not root.op.narrows:
        return
    whole, part = (outcome(t, root.type, facts) for t in (_first_argument(tokens), tokens))
    if not isinstance(part, str):
        assert set(part) <= set(whole)


def _first_argument(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(node.token for node in parse(tokens).root.arguments[0].walk())
