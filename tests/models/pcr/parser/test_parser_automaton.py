"""The automaton against `comphy.programs.program.parse`, which knows nothing of it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comphy.dataset.questions import answers_path, read_questions
from comphy.errors import ProgramError
from comphy.programs.types import ValueType
from models.pcr.parser.automaton import END, END_ID, PROGRAM_TOKENS, Automaton, Stack
from models.pcr.parser.sentences import FORMS, Sentence, SentenceKind, distinct_sentences, read_program
from models.pcr.parser.training.batches import TOKEN_IDS

AUTOMATA = {kind: form.automaton() for kind, form in FORMS.items()}
# objects count; events belong_to; start
SHORTEST = {SentenceKind.FACTUAL: 2, SentenceKind.MULTIPLE_CHOICE: 2, SentenceKind.CHOICE: 1}
ROOM = 30
KINDS = st.sampled_from(list(SentenceKind))


def allowed(automaton: Automaton, stack: Stack, room: int) -> list[str]:
    return [token for token, may in zip(PROGRAM_TOKENS, automaton.allowed(stack, room), strict=True) if may]


def stack_after(automaton: Automaton, tokens: list[str]) -> Stack:
    stack = automaton.start
    for token in tokens:
        stack = automaton.after(stack, TOKEN_IDS[token])
    return stack


@pytest.fixture(scope="module")
def sentences(small_dataset: Path) -> list[Sentence]:
    splits = [read_questions(small_dataset / answers_path(split)) for split in ("train", "val", "test")]
    return distinct_sentences([scene for scenes in splits for scene in scenes], "whole")


def test_every_program_of_a_dataset_is_allowed_with_just_enough_room(sentences: list[Sentence]):
    for sentence in sentences:
        automaton, stack = AUTOMATA[sentence.kind], AUTOMATA[sentence.kind].start
        for done, token in enumerate(sentence.program):
            assert token in allowed(automaton, stack, len(sentence.program) - done + 1), sentence
            stack = automaton.after(stack, TOKEN_IDS[token])
        assert automaton.allowed(stack, 1)[END_ID]


@settings(max_examples=120, deadline=None)
@given(KINDS, st.integers(3, ROOM), st.data())
def test_whoever_takes_allowed_tokens_only_writes_a_well_typed_program_in_time(
    kind: SentenceKind, room: int, data: st.DataObject
):
    automaton, tokens = AUTOMATA[kind], []
    stack = automaton.start
    while True:
        token = data.draw(st.sampled_from(allowed(automaton, stack, room - len(tokens))))
        if token == END:
            break
        tokens.append(token)
        stack = automaton.after(stack, TOKEN_IDS[token])
    assert len(tokens) < room
    program = read_program(tokens, kind)
    assert program.root.type in FORMS[kind].wanted
    assert program.tokens == tuple(tokens)


@settings(max_examples=60, deadline=None)
@given(KINDS, st.lists(st.sampled_from(PROGRAM_TOKENS[2:]), max_size=6))
def test_just_the_beginnings_of_well_typed_programs_are_allowed(kind: SentenceKind, tokens: list[str]):
    """What is refused is not the beginning of a program. (A word alone would be one, but answers nothing.)"""
    automaton, stack = AUTOMATA[kind], AUTOMATA[kind].start
    for done, token in enumerate(tokens):
        if token not in allowed(automaton, stack, ROOM):
            for beginning in (tokens[: done + 1], tokens):
                if len(beginning) > 1:
                    with pytest.raises(ProgramError):
                        read_program(beginning, kind)
            return
        stack = automaton.after(stack, TOKEN_IDS[token])


@pytest.mark.parametrize(
    ("kind", "tokens", "refused"),
    [
        (SentenceKind.FACTUAL, "objects red", ["filter_shape", "count", END]),
        (SentenceKind.FACTUAL, "objects filter_heavy", ["query_color", "filter_in", END]),
        (SentenceKind.FACTUAL, "objects filter_charged unique", ["count", END]),
        (SentenceKind.FACTUAL, "", ["filter_color", "unique", "red", "null", END]),
        (SentenceKind.MULTIPLE_CHOICE, "unseen_events", ["not", END]),
        (SentenceKind.CHOICE, "all_events", ["belong_to", END]),
    ],
)
def test_ill_typed_continuations_are_refused(kind: SentenceKind, tokens: str, refused: list[str]):
    stack = stack_after(AUTOMATA[kind], tokens.split())
    assert set(allowed(AUTOMATA[kind], stack, ROOM)).isdisjoint(refused)


def test_both_readings_of_two_charged_objects_stay_open():
    stack = stack_after(AUTOMATA[SentenceKind.FACTUAL], ["objects", "filter_charged", "unique"])
    assert stack == (frozenset({ValueType.OBJECT, ValueType.PAIR}),)
    assert {"query_color", "query_both_color"} <= set(allowed(AUTOMATA[SentenceKind.FACTUAL], stack, ROOM))


@pytest.mark.parametrize("kind", SentenceKind)
def test_there_is_a_way_just_where_there_is_room_for_the_shortest_program(kind: SentenceKind):
    automaton = AUTOMATA[kind]
    assert not allowed(automaton, automaton.start, SHORTEST[kind])
    assert allowed(automaton, automaton.start, SHORTEST[kind] + 1)


def test_with_little_room_only_what_leads_to_an_end_is_allowed():
    automaton = AUTOMATA[SentenceKind.FACTUAL]
    stack = stack_after(automaton, ["objects", "objects", "unique"])
    # The shortest ends: query_shape filter_shape count, and counterfact_events unique query_frame filter_moving count.
    assert not allowed(automaton, stack, 3)
    assert allowed(automaton, stack, 4) == ["query_color", "query_shape", "query_material"]
    assert "counterfact_events" in set(allowed(automaton, stack, 6)) - set(allowed(automaton, stack, 5))
    assert "objects" not in allowed(automaton, stack, ROOM), "nothing would ever take the first objects"


def test_a_token_that_is_not_allowed_cannot_be_taken():
    with pytest.raises(ValueError, match="'count' may not follow"):
        AUTOMATA[SentenceKind.FACTUAL].after((), TOKEN_IDS["count"])


def test_programs_of_another_form_are_refused():
    with pytest.raises(ProgramError, match="expected a program that takes"):
        read_program(["objects", "unique"], SentenceKind.FACTUAL)
    with pytest.raises(ProgramError, match="scene 3: question 4"):
        read_program(["events"], SentenceKind.CHOICE, "scene 3: question 4")
    with pytest.raises(ProgramError):
        read_program(["objects", "count"], SentenceKind.MULTIPLE_CHOICE)
