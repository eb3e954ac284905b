"""A program is believed only if words of its sentence speak for it."""

import pytest

from models.pcr.parser.words.evidence import has_evidence

ALL = "objects count"
WITHOUT_CUBE = "all_events objects cube filter_shape unique filter_counterfact belong_to"
HEAVIER_CUBE = "all_events objects cube filter_shape unique counterfact_heavier filter_counterfact belong_to"


@pytest.mark.parametrize(
    ("sentence", "program", "believed"),
    [
        ("how many are there", ALL, True),
        ("count the things", ALL, True),
        ("who won", ALL, False),
        ("is there anything", "objects exist", True),
        ("is there a banana", "objects exist", False),
        (
            "is there a banana",
            "objects cube filter_shape exist",
            True,
        ),  # what colors and shapes say is compared elsewhere
        ("why are there two cubes", "objects cube filter_shape count", False),
        ("what would happen without the cube", WITHOUT_CUBE, True),
        ("what if the cube was gone", WITHOUT_CUBE, True),
        ("what if the cube was blue", WITHOUT_CUBE, False),
        ("what if the cube was heavier", HEAVIER_CUBE, True),
    ],
)
def test_words_speak_for_a_program(sentence: str, program: str, believed: bool):
    assert has_evidence(sentence.split(), program.split()) is believed
