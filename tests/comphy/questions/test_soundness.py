import numpy as np
import pytest

from comphy.programs.program import Program, parse
from comphy.questions.soundness import is_degenerate, is_well_posed
from comphy.scene.events import Event
from tests.support.scenes import COLLISION, IN, VISIBLE, facts


def _program(text: str) -> Program:
    return parse(text.split())


@pytest.mark.parametrize(
    ("program", "idle"),
    [
        ("objects filter_heavy unique query_color", False),
        # The only cylinder is green anyway.
        ("objects green filter_color cylinder filter_shape unique query_material", True),
        ("objects red filter_color cube filter_shape unique query_material", False),
        # Among the cubes one is heavy: both words matter. Among the green objects none is.
        ("objects cube filter_shape filter_heavy exist", True),  # every heavy object is a cube
        ("objects red filter_color filter_heavy exist", True),
        ("objects blue filter_color filter_heavy exist", False),
        ("objects red filter_color filter_charged exist", False),
        ("objects red filter_color filter_charged count", False),
        # The red ball enters and is the only one: the order is idle.
        ("events objects filter_in first filter_order query_object query_color", True),
        ("events objects sphere filter_shape unique filter_collision first filter_order "
         "objects sphere filter_shape unique query_collision_partner query_material", False),
    ],
)  # fmt: skip
def test_idle_conditions(program: str, idle: bool) -> None:
    assert is_degenerate(_program(program), facts()) is idle


def test_an_answer_that_flips_within_a_few_frames_is_not_well_posed() -> None:
    program = _program(
        "objects events objects sphere filter_shape unique filter_in unique query_frame filter_moving count"
    )
    moving = np.ones((125, 4), bool)
    moving[:12, 0] = False
    exact = facts(moving=moving)
    assert not is_well_posed(program, exact, [facts(moving=moving, shift=4)])
    assert is_well_posed(program, exact, [facts(moving=moving, shift=1)])


def test_counting_entrances_of_an_object_that_enters_twice_is_ambiguous() -> None:
    twice = facts(visible=(*VISIBLE, Event(IN, 120, (1,))))
    entrances = _program("events objects filter_in count")
    collisions = _program("events objects filter_collision count")
    assert not is_well_posed(entrances, twice, [])
    assert is_well_posed(entrances, facts(), [])
    again = facts(visible=(*VISIBLE, Event(COLLISION, 110, (0, 1))))
    assert is_well_posed(collisions, again, []), "a pair may collide twice, and both are collisions"


def test_whether_two_uncharged_objects_have_the_same_charge_is_ambiguous() -> None:
    def asked(a: str, b: str) -> bool:
        program = f"objects {a} filter_shape unique objects {b} filter_color unique equal_charge"
        return is_well_posed(_program(program), facts(), [])

    assert not is_well_posed(
        _program("objects cylinder filter_shape unique objects filter_heavy unique equal_charge"), facts(), []
    )
    assert asked("cylinder", "blue"), "one of them is charged: clearly not the same"
