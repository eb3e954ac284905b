"""Reading programs: what is accepted, how it is printed, and what is said about the rest."""

import pytest

from comphy.errors import ProgramError
from comphy.programs.ops import OPS
from comphy.programs.program import MAX_TOKENS, Node, Program, dropped, parse
from comphy.programs.types import ValueType as T


def read(text: str, **options) -> Program:
    return parse(text.split(), **options)


def named(program: Program, token: str) -> Node:
    return next(node for node in program.root.walk() if node.token == token)


@pytest.mark.parametrize(
    "text, kind",
    [
        ("objects", T.OBJECTS),
        ("objects red filter_color cube filter_shape count", T.COUNT),
        ("objects unique", T.OBJECT),  # without a hint, one object rather than a pair
        ("objects filter_charged unique query_both_color", T.WORDS),
        ("objects red filter_color unique filter_mass objects blue filter_color unique filter_mass is_heavier", T.BOOL),
        ("objects red filter_color filter_mass unique objects blue filter_color filter_mass unique is_lighter", T.BOOL),
        ("objects red filter_color filter_mass", T.MASS),
        ("objects null filter_moving exist not", T.BOOL),
        ("objects end get_frame filter_stationary count", T.COUNT),
        ("events filter_start query_frame", T.FRAME),
        ("all_events objects red filter_color unique counterfact_heavier filter_counterfact", T.EVENTS),
        ("all_events objects red filter_color unique get_counterfact", T.EVENTS),
        ("objects red filter_color unique counterfact_events", T.EVENTS),
        ("objects red filter_color unique counterfact_opposite counterfact_events", T.EVENTS),
    ],
)
def test_types_are_found(text: str, kind: T):
    assert read(text).root.type is kind


def test_zero_argument_operators_take_nothing_off_the_stack():
    program = read("events objects filter_in")
    assert [argument.token for argument in program.root.arguments] == ["events", "objects"]
    assert read("events events start filter_after intersect").root.type is T.EVENTS


def test_wanted_settles_what_the_tokens_leave_open():
    assert read("objects unique", wanted=T.PAIR).root.type is T.PAIR
    assert read("objects filter_mass", wanted=T.MASSES).root.type is T.MASSES
    with pytest.raises(ProgramError, match=r"expected event \(found object or pair\): objects unique"):
        read("objects unique", wanted=T.EVENT)


def test_given_values_lie_below_the_tokens_and_are_not_printed():
    program = read("unseen_events belong_to not", given=(T.EVENT,))
    assert program.given == (T.EVENT,)
    assert str(program) == "unseen_events belong_to not"
    both = read("filter_collision", given=(T.EVENTS, T.OBJECT))
    assert both.given == (T.EVENTS, T.OBJECT)


def test_other_names_are_printed_as_the_published_ones():
    text = "scene resting filter_temporal"
    assert str(read(text)) == "objects stationary filter_status"
    assert str(read("objects null filter_resting exist negate")) == "objects null filter_stationary exist not"
    assert str(read("events objects filter_in first filter_order get_object")).endswith("filter_order query_object")


def test_padding_changes_nothing_but_positions():
    plain = read("objects red filter_color count")
    padded = read("<START> objects red <NULL> filter_color count <END> <NULL> <NULL>")
    assert padded == plain and padded.tokens == plain.tokens
    assert [node.position for node in padded.root.walk()] == [1, 2, 4, 5]


@pytest.mark.parametrize(
    "text, message",
    [
        ("objects blu filter_color", "token 1 'blu': unknown operator or word; did you mean 'blue'?"),
        (
            "objects blue filter_colour",
            "token 2 'filter_colour': unknown operator or word; did you mean 'filter_color'?",
        ),
        ("filter_color", "token 0 'filter_color': expected (objects, color) before it (found nothing)"),
        ("objects filter_color", "token 1 'filter_color': expected (objects, color) before it (found objects)"),
        (
            "objects cube filter_color",
            "token 2 'filter_color': expected (objects, color) before it (found objects, shape)",
        ),
        ("events unique query_color", "token 2 'query_color': expected (object) before it (found event)"),
        (
            "objects unique filter_charged",
            "token 2 'filter_charged': expected (objects) before it (found object or pair)",
        ),
        ("objects filter_in", "expected (events, objects) or (events, object) before it (found objects)"),
        ("<START> objects <NULL> unique exist", "token 4 'exist': expected (objects) or (events) before it"),
        (
            "objects events",
            "end of the program, after 2 tokens: expected one value (found objects, events): objects events",
        ),
        ("", "end of the program, after 0 tokens: expected one value (found nothing)"),
        ("<START> <END>", "expected one value (found nothing)"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(text: str, message: str):
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert message in str(caught.value)
    with pytest.raises(ProgramError) as caught:
        read(text, where="val.json: question 3")
    assert str(caught.value).startswith("val.json: question 3: ") and message in str(caught.value)


def test_runaway_lists_are_refused():
    longest = ("objects", "exist", *["not"] * (MAX_TOKENS - 2))
    assert parse(longest).tokens == longest
    with pytest.raises(ProgramError, match=f"expected at most {MAX_TOKENS} tokens"):
        parse((*longest, "not"))
    assert len(parse((*longest, *["<NULL>"] * MAX_TOKENS)).tokens) == MAX_TOKENS


def test_dropping_a_condition():
    program = read("objects red filter_color cube filter_shape count")
    assert str(dropped(program, named(program, "filter_color"))) == "objects cube filter_shape count"
    assert str(dropped(program, named(program, "filter_shape"))) == "objects red filter_color count"
    assert str(program) == "objects red filter_color cube filter_shape count"


def test_dropping_a_choice_among_events_leaves_the_only_one():
    program = read("events objects filter_in first filter_order query_object query_color")
    without = dropped(program, named(program, "filter_order"))
    assert str(without) == "events objects filter_in unique query_object query_color"
    assert parse(without.tokens) == without


def test_dropping_one_of_two_equal_conditions():
    program = read("objects red filter_color count")
    twice = read("objects red filter_color red filter_color count")
    inner = twice.root.arguments[0].arguments[0]
    assert dropped(twice, inner) == program


def test_only_conditions_of_the_program_can_be_dropped():
    program, other = read("objects red filter_color count"), read("objects red filter_color count")
    with pytest.raises(ValueError, match="'count' is not a condition"):
        dropped(program, program.root)
    with pytest.raises(ValueError, match="is not a node of the program"):
        dropped(program, named(other, "filter_color"))


def test_operators_are_told_with_all_their_signatures():
    for op in OPS.values():
        if all(signature.params for signature in op.signatures):
            with pytest.raises(ProgramError) as caught:
                parse([op.name])
            for signature in op.signatures:
                assert f"({', '.join(signature.params)})" in str(caught.value)
