"""Questions that presuppose what is not so."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.errors import ProgramError
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.asking.asking import ask
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.question import query_of_program
from tests.support.interpreted_sets import certain

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


@pytest.fixture(scope="module")
def known(dozen: Path) -> InterpretedSet:
    """Three objects: two cubes, one red and one blue, and a green sphere; the blue cube is heavy."""
    scene = certain(dozen, 0).scene
    there = torch.tensor([[1.0, 1.0, 1.0, 0.0, 0.0]])
    color = one_hot(Color, Color.RED, Color.BLUE, Color.GREEN)
    shape = one_hot(Shape, Shape.CUBE, Shape.CUBE, Shape.SPHERE)
    material = one_hot(Material, Material.METAL, Material.RUBBER, Material.RUBBER)
    heavy = torch.tensor([[0.0, 0.9, 0.0, 0.0, 0.0]])
    same = torch.zeros_like(scene.same)
    return InterpretedSet(
        0,
        replace(
            scene, objects=there, color=color, shape=shape, material=material, heavy=heavy, same=same, opposite=same
        ),
    )


def one_hot(words: type, *chosen: object) -> torch.Tensor:
    table = torch.zeros(1, 5, len(list(words)))
    for row, word in enumerate(chosen):
        table[0, row, list(words).index(word)] = 1
    return table


def test_objects_are_named_by_their_looks(known: InterpretedSet):
    assert known.names == ("red metal cube", "blue rubber cube", "green rubber sphere")
    twins = replace(known, scene=replace(known.scene, color=one_hot(Color, *[Color.RED] * 3)))
    assert twins.names == ("red metal cube", "red rubber cube", "red rubber sphere")
    same = replace(twins, scene=replace(twins.scene, material=one_hot(Material, *[Material.METAL] * 3)))
    assert same.names == ("red metal cube #1", "red metal cube #2", "red metal sphere")


def test_a_look_that_no_object_has(known: InterpretedSet):
    query = query_of_program("objects purple filter_color cylinder filter_shape unique query_material")
    with pytest.raises(ProgramError) as error:
        ask(known, query)
    assert str(error.value) == (
        "there is no purple cylinder in this video: it shows a red metal cube, a blue rubber cube and a green rubber "
        "sphere."
    )


def test_a_look_that_two_objects_have(known: InterpretedSet):
    with pytest.raises(ProgramError, match=r"^the cube: two fit: red metal cube \(100%\) and blue rubber cube"):
        ask(known, query_of_program("objects cube filter_shape unique query_color"))


def test_a_choice_is_named(known: InterpretedSet):
    cube = "objects red filter_color unique filter_collision"
    gone = "objects purple filter_color unique filter_collision"
    choices = [f"all_events {cube} {other} unique" for other in (cube.replace("red", "blue"), gone)]
    with pytest.raises(ProgramError, match=r"^choice 2: there is no purple object in this video"):
        ask(known, query_of_program("unseen_events belong_to", choices))
    with pytest.raises(ProgramError, match=r"^choice 1: expected two different objects .found several collisions"):
        ask(known, query_of_program("unseen_events belong_to", [f"all_events {cube} {cube} unique"]))


def test_of_hidden_properties_the_likeliest_is_taken(known: InterpretedSet):
    heavy = ask(known, query_of_program("objects filter_heavy unique query_color"))
    assert heavy.sentence == "The rubber cube is blue." and heavy.remarks == ()
    light = ask(known, query_of_program("objects filter_light unique query_color"))
    assert light.remarks == ("Two objects fit “light object”, where one is meant; the likeliest is taken.",)


def test_existence_is_a_part_of_the_certainty(known: InterpretedSet):
    """The blue cube is heavy with 90 %, and surely blue."""
    heavy = ask(known, query_of_program("objects filter_heavy unique query_color"))
    assert heavy.sure == pytest.approx(0.9, abs=1e-3) and heavy.answers[0].chance == heavy.sure


@pytest.mark.parametrize(
    ("program", "sentence", "sure"),
    [
        ("objects red filter_color filter_heavy unique query_shape", "There is no heavy red object.", 1.0),
        ("objects sphere filter_shape filter_heavy unique query_color", "There is no heavy sphere.", 1.0),
        ("objects rubber filter_material filter_charged unique query_shape", "There is no charged rubber object.", 1.0),
        ("objects filter_opposite unique query_both_color", "There are no two oppositely charged objects.", 1.0),
        (
            "all_events objects filter_charged unique counterfact_heavier filter_counterfact belong_to",
            "There is no charged object.",
            1.0,
        ),
    ],
)
def test_what_is_not_there_is_said(known: InterpretedSet, program: str, sentence: str, sure: float):
    reply = ask(known, query_of_program(program))
    assert reply.sentence == sentence and reply.sure == pytest.approx(sure, abs=1e-3)
    assert reply.answers == () and reply.pairs == ()


def test_events_that_do_not_happen_are_said(known: InterpretedSet):
    still = replace(known.scene.events, probability=torch.zeros_like(known.scene.events.probability))
    calm = replace(known, scene=replace(known.scene, events=still))
    partner = "events {0} filter_collision first filter_order {0} query_collision_partner query_color"
    reply = ask(calm, query_of_program(partner.format("objects red filter_color unique")))
    assert reply.sentence == "The red object collides with nothing."
    first = ask(calm, query_of_program("events objects filter_in first filter_order query_object query_shape"))
    assert first.sentence == "No object enters the scene."


def test_an_object_that_is_taken_away(known: InterpretedSet):
    reply = ask(known, query_of_program("all_events objects red filter_color unique filter_counterfact belong_to"))
    assert reply.sentence.startswith("If the red metal cube were not there, ") and not reply.can_be_drawn


@pytest.mark.parametrize(
    ("color", "premise", "remark"),
    [
        ("blue", "heavier", "The blue rubber cube seems to be heavy already (90%)."),
        ("red", "lighter", "The red metal cube seems to be light already (100%)."),
        ("red", "opposite", "The red metal cube seems to have no charge (100%)."),
    ],
)
def test_premises_that_change_nothing(known: InterpretedSet, color: str, premise: str, remark: str):
    program = f"all_events objects {color} filter_color unique counterfact_{premise} filter_counterfact belong_to"
    assert ask(known, query_of_program(program)).remarks == (remark,)


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (
            "objects blue filter_color unique filter_mass objects red filter_color unique filter_mass is_heavier",
            "Yes, the blue rubber cube is heavier than the red metal cube.",
        ),
        (
            "objects red filter_color unique filter_mass objects green filter_color unique filter_mass is_lighter",
            "No, the red metal cube and the green rubber sphere are both light.",
        ),
        (
            "objects red filter_color unique filter_mass objects blue filter_color unique filter_mass is_heavier",
            "No, the blue rubber cube is heavier than the red metal cube.",
        ),
        (
            "objects red filter_color unique objects blue filter_color unique equal_charge",
            "No, the red metal cube and the blue rubber cube do not have charges of the same sign.",
        ),
        ("objects cube filter_shape count", "2: the red metal cube; the blue rubber cube."),
        ("objects cylinder filter_shape count", "None."),
        ("objects sphere filter_shape exist", "Yes: the green rubber sphere."),
        ("objects cylinder filter_shape exist", "No, there is none."),
        ("objects red filter_color unique query_shape", "The red metal object is a cube."),
        ("objects sphere filter_shape unique query_material", "The green sphere is made of rubber."),
        ("objects cube filter_shape unique query_both_color", "The two are blue and red."),
        ("objects cylinder filter_shape exist not", "Yes."),
    ],
)
def test_answers_are_sentences(known: InterpretedSet, program: str, sentence: str):
    assert ask(known, query_of_program(program)).sentence == sentence


@pytest.mark.parametrize("more", ["heavier", "lighter"])
def test_a_no_names_nobody_where_both_masses_are_unsure(known: InterpretedSet, more: str):
    """Each guess alone speaks for a yes, both together do not: 0.6 times 0.6 is less than a half."""
    heavy = torch.tensor([[0.4, 0.6, 0.0, 0.0, 0.0]])
    unsure = replace(known, scene=replace(known.scene, heavy=heavy))
    first, second = ("blue", "red") if more == "heavier" else ("red", "blue")
    masses = " ".join(f"objects {color} filter_color unique filter_mass" for color in (first, second))
    sentence = ask(unsure, query_of_program(f"{masses} is_{more}")).sentence
    assert sentence.startswith("No, it is not sure that") and sentence.index(first) < sentence.index(second)
