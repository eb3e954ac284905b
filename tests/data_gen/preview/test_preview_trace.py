"""Traces for reading, against steps worked out by hand on a scene of three objects and five events."""

import numpy as np
import pytest

from comphy.errors import ProgramError
from comphy.programs.facts import SceneFacts
from comphy.questions.model import Choice, Question, QuestionKind, Tokens
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from data_gen.preview.trace import ShownStep, trace_question

COLLISION = EventKind.COLLISION


def collision(a: str, b: str) -> Tokens:
    pick = ("filter_color", "unique", "filter_collision")
    return ("all_events", "objects", a, *pick, "objects", b, *pick, "unique")


@pytest.fixture(scope="module")
def facts() -> SceneFacts:
    """The red cube hits the blue sphere twice and leaves; if it were heavier, it would hit the gray sphere only."""
    return SceneFacts(
        objects=(
            ObjectSpec(Color.RED, Shape.CUBE, Material.METAL, mass=1.0),
            ObjectSpec(Color.BLUE, Shape.SPHERE, Material.RUBBER, mass=1.0),
            ObjectSpec(Color.GRAY, Shape.SPHERE, Material.METAL, mass=5.0),
        ),
        visible=(
            Event(EventKind.IN, 3, (2,)),
            Event(COLLISION, 10, (0, 1)),
            Event(COLLISION, 20, (0, 1)),
            Event(EventKind.OUT, 30, (0,)),
            Event(COLLISION, 40, (1, 2)),
        ),
        unseen=(Event(COLLISION, 140, (1, 2)),),
        moving=np.ones((125, 3), bool),
        direction=np.zeros((125, 3), np.int8),
        inside=np.ones((125, 3), bool),
        counterfactual={"mass_0_5": (Event(COLLISION, 15, (0, 2)),)},
    )


def factual(program: str) -> Question:
    return Question(0, QuestionKind.FACTUAL, "?", tuple(program.split()))


def rows(steps: tuple[ShownStep, ...]) -> list[tuple[int, str, tuple[int, ...], list[str]]]:
    return [(step.number, step.call, step.takes, step.lines()) for step in steps]


def test_factual_question_step_by_step(facts: SceneFacts):
    question = factual(
        "events objects filter_collision events objects cube filter_shape unique filter_out unique filter_before count"
    )
    found = trace_question(question, facts)
    assert found.choices == ()
    hits = [f"red metal cube and blue rubber sphere collide at frame {frame}" for frame in (10, 20)]
    late = "blue rubber sphere and gray metal sphere collide at frame 40"
    assert rows(found.steps) == [
        (1, "events", (), ["all 7 events of the video"]),  # with its start and end
        (2, "objects", (), ["all 3 objects"]),
        (3, "filter_collision", (1, 2), [*hits, late]),
        (4, "events", (), ["all 7 events of the video"]),
        (5, "objects", (), ["all 3 objects"]),
        (6, "filter_shape cube", (5,), ["red metal cube"]),
        (7, "unique", (6,), ["the red metal cube"]),
        (8, "filter_out", (4, 7), ["red metal cube leaves at frame 30"]),
        (9, "unique", (8,), ["the red metal cube leaves at frame 30"]),
        (10, "filter_before", (3, 9), hits),
        (11, "count", (10,), ["2"]),
    ]
    assert [step.number for step in found.steps if step.takes_others] == [3, 8, 10]


@pytest.mark.parametrize(("ending", "right"), [((), (2,)), (("not",), (0, 1))])
def test_choices_share_what_they_are_compared_with(facts: SceneFacts, ending: Tokens, right: tuple[int, ...]):
    pairs = (("red", "blue"), ("blue", "gray"), ("gray", "red"))
    choices = tuple(Choice(k, "?", collision(a, b), k in right) for k, (a, b) in enumerate(pairs))
    premise = ("objects", "red", "filter_color", "unique", "counterfact_heavier")
    program = ("all_events", *premise, "filter_counterfact", "belong_to", *ending)
    found = trace_question(Question(0, QuestionKind.COUNTERFACTUAL, "?", program, choices=choices), facts)
    assert rows(found.steps) == [
        (1, "all_events", (), ["all 3 pairs of objects, as collisions"]),
        (2, "objects", (), ["all 3 objects"]),
        (3, "filter_color red", (2,), ["red metal cube"]),
        (4, "unique", (3,), ["the red metal cube"]),
        (5, "filter_counterfact counterfact_heavier", (1, 4), ["red metal cube and gray metal sphere collide"]),
    ]
    assert [traced.event for traced in found.choices] == [
        "the red metal cube and the blue rubber sphere collide",
        "the blue rubber sphere and the gray metal sphere collide",
        "the red metal cube and the gray metal sphere collide",
    ]
    assert [traced.holds for traced in found.choices] == [k in right for k in range(3)]
    for traced in found.choices:
        happens = "yes" if traced.choice.choice_id == 2 else "no"
        said = [("belong_to", (happens,))] + [("not", ("no" if happens == "yes" else "yes",)) for _ in ending]
        assert [(step.call, step.items) for step in traced.verdict] == said


def test_predictive_question_shows_the_hidden_future(facts: SceneFacts):
    choices = (Choice(0, "?", collision("blue", "gray"), True),)
    program = ("unseen_events", "belong_to")
    found = trace_question(Question(0, QuestionKind.PREDICTIVE, "?", program, choices=choices), facts)
    future = ["blue rubber sphere and gray metal sphere collide at frame 140"]
    assert rows(found.steps) == [(1, "unseen_events", (), future)]
    assert found.choices[0].holds


def test_long_lists_are_cut_and_nothing_else():
    events = ShownStep(1, "filter_collision", (), tuple("abcdef"), one_per_line=True)
    assert events.lines(4) == ["a", "b", "c", "… and 3 more"]
    assert events.lines(None) == list("abcdef") == events.lines(6)
    assert ShownStep(1, "filter_moving", (), tuple("abcdef")).lines(3) == ["a, b, … and 4 more"]
    assert ShownStep(1, "filter_moving", (), ("none",)).lines() == ["none"]


def test_program_without_a_value_is_an_error(facts: SceneFacts):
    with pytest.raises(ProgramError, match="expected exactly one"):
        trace_question(factual("objects sphere filter_shape unique query_color"), facts)
