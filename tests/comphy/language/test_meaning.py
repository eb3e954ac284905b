"""Meanings have programs, and programs of the dataset and of the grammar have meanings."""

from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.questions import answers_path, read_questions
from comphy.language.meanings.descriptions import (
    Charge,
    CounterfactualPremise,
    Description,
    EventSelection,
    Mass,
    Moment,
    MomentKind,
    Partner,
)
from comphy.language.meanings.from_program import meaning_of
from comphy.language.meanings.meaning import Compare, Count, Exist, Meaning, Open, Option, Query, Related
from comphy.language.meanings.random_meanings import RandomMeanings
from comphy.programs.program import parse
from comphy.programs.types import Attribute, Order, Premise, Status, ValueType
from comphy.questions.looks import Look
from comphy.questions.model import QuestionKind
from comphy.scene.vocabulary import Color, Shape

RED = Description(Look(Color.RED))
CUBE = Description(Look(shape=Shape.CUBE))
# Written by hand from docs/programs.md.
PROGRAMS = [
    (Exist(Description(mass=Mass.HEAVY)), "objects filter_heavy exist"),
    (Count(Description(Look(shape=Shape.CUBE), Status.MOVING)), "objects cube filter_shape null filter_moving count"),
    (
        Count(Description(status=Status.STATIONARY, moment=Moment(MomentKind.END), charge=Charge.CHARGED)),
        "objects events filter_end query_frame filter_stationary filter_charged count",
    ),
    (
        Query(Attribute.COLOR, Partner(CUBE, Order.FIRST)),
        "events objects cube filter_shape unique filter_collision first filter_order objects cube filter_shape unique "
        "query_collision_partner query_color",
    ),
    (
        Compare(False, RED, CUBE),
        "objects red filter_color unique filter_mass objects cube filter_shape unique filter_mass is_lighter",
    ),
    (
        Exist(EventSelection(MomentKind.COLLISION, moment=Moment(MomentKind.IN, (RED,)), after=True)),
        "events objects filter_collision events objects red filter_color unique filter_in unique filter_after exist",
    ),
    (
        Exist(EventSelection(MomentKind.COLLISION, (RED, CUBE), source=CounterfactualPremise(CUBE, Premise.LIGHTER))),
        "objects cube filter_shape unique counterfact_lighter counterfact_events objects red filter_color unique "
        "filter_collision objects cube filter_shape unique filter_collision exist",
    ),
    (
        Related(RED, CUBE, opposite=True),
        "objects red filter_color objects cube filter_shape union filter_opposite exist",
    ),
]


@pytest.mark.parametrize(("meaning", "program"), PROGRAMS)
def test_a_meaning_has_a_program_and_the_program_that_meaning(meaning: Meaning, program: str) -> None:
    assert " ".join(meaning.tokens) == program
    assert meaning_of(parse(program.split())) == meaning


def test_random_meanings_are_found_again_in_their_programs() -> None:
    meanings = RandomMeanings(np.random.default_rng(0))
    for _ in range(300):
        factual, asked, option = meanings.factual(), meanings.open(), meanings.option()
        assert meaning_of(parse(factual.tokens)) == factual
        assert meaning_of(parse(asked.tokens, (ValueType.EVENT,), ValueType.BOOL)) == asked
        assert meaning_of(parse(option.tokens, (), ValueType.EVENT)) == option


def test_no_attribute_is_asked_for_that_is_named() -> None:
    meanings = RandomMeanings(np.random.default_rng(1))
    queries = [one for one in (meanings.factual() for _ in range(400)) if isinstance(one, Query)]
    described = [one for one in queries if isinstance(one.of, Description)]
    assert len(described) > 20
    assert not any(isinstance(one.of, Description) and one.of.look.mentions(one.attribute) for one in described)


def test_every_program_of_a_dataset_has_a_meaning(small_dataset: Path) -> None:
    scenes = [one for split in ("train", "val", "test") for one in read_questions(small_dataset / answers_path(split))]
    questions = [question for scene in scenes for question in scene.questions]
    assert questions
    for question in questions:
        given = () if question.kind is QuestionKind.FACTUAL else (ValueType.EVENT,)
        assert meaning_of(parse(question.program, given)) is not None, question.program
        for choice in question.choices:
            assert isinstance(meaning_of(parse(choice.program, (), ValueType.EVENT)), Option)


@pytest.mark.parametrize(
    "program",
    [
        "objects exist not",
        "objects red filter count",
        "events start filter_after exist",
        "objects cube filter_shape red filter_color exist",  # means something, but has its filters in another order
    ],
)
def test_programs_that_the_language_has_no_words_for(program: str) -> None:
    assert meaning_of(parse(program.split())) is None


def test_what_would_not_happen() -> None:
    program = "all_events objects red filter_color unique filter_counterfact belong_to not"
    assert meaning_of(parse(program.split(), (ValueType.EVENT,))) == Open(
        CounterfactualPremise(RED, None), negated=True
    )
