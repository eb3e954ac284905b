import pytest

from comphy.programs.program import parse
from comphy.questions.evidence import evidence
from comphy.questions.model import Interaction
from comphy.scene.events import EventKind
from tests.support.scenes import COLLISION, SHOWN, facts

HEAVY_CUBES = "objects cube filter_shape filter_heavy unique query_color"


def _evidence(program: str, shown: tuple[Interaction, ...] = SHOWN) -> tuple[Interaction, ...] | None:
    return evidence(parse(program.split()), facts(), shown)


def test_every_object_whose_mass_matters_must_interact() -> None:
    assert _evidence(HEAVY_CUBES) == (SHOWN[0], SHOWN[1])
    assert _evidence(HEAVY_CUBES, SHOWN[:1]) is None, "nothing shows the blue cube's mass"
    assert _evidence("objects filter_heavy unique query_color") is None, "the cylinder touches nothing"


def test_comparing_two_masses_needs_an_interaction_between_the_two() -> None:
    ball, cube = "objects sphere filter_shape unique filter_mass", "objects blue filter_color unique filter_mass"
    heavy = "objects red filter_color cube filter_shape unique filter_mass"
    assert _evidence(f"{ball} {cube} is_heavier") == (SHOWN[1],)
    assert _evidence(f"{heavy} {cube} is_heavier") is None


def test_charges_need_a_visible_pull() -> None:
    charged = "objects filter_charged unique query_both_color"
    assert _evidence(charged) == (SHOWN[2],)
    assert _evidence(charged, SHOWN[:2]) is None


@pytest.mark.parametrize(
    ("premise", "name", "expected"),
    [
        ("counterfact_heavier", "sphere filter_shape", (SHOWN[0],)),
        ("counterfact_heavier", "cylinder filter_shape", None),
        ("counterfact_uncharged", "sphere filter_shape", (SHOWN[2],)),
        ("counterfact_lighter", "red filter_color cube filter_shape", (SHOWN[0],)),
    ],
)
def test_a_premise_needs_what_it_changes(premise: str, name: str, expected: tuple[Interaction, ...] | None) -> None:
    assert _evidence(f"all_events objects {name} unique {premise} filter_counterfact") == expected


def test_visible_questions_need_nothing() -> None:
    assert _evidence("objects cylinder filter_shape unique query_color", ()) == ()


def test_a_pull_reveals_a_mass_too() -> None:
    pull = Interaction("reference_0", EventKind.REPULSION, 3, (1, 2))
    crash = Interaction("reference_0", COLLISION, 9, (0, 2))
    assert _evidence(HEAVY_CUBES, (pull, crash)) == (crash, pull)
