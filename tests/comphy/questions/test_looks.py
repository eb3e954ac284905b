from itertools import product

import pytest

from comphy.programs.types import Attribute
from comphy.questions.looks import Look, minimal_looks, reference
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape

RED_CUBE = ObjectSpec(Color.RED, Shape.CUBE, Material.METAL)
RED_BALL = ObjectSpec(Color.RED, Shape.SPHERE, Material.METAL)
BLUE_CUBE = ObjectSpec(Color.BLUE, Shape.CUBE, Material.METAL)


def test_phrases_read_like_english() -> None:
    assert Look().phrase() == "object"
    assert Look(Color.RED, Material.METAL).phrase() == "red metal object"
    assert Look(None, Material.RUBBER, Shape.SPHERE).phrase(plural=True) == "rubber spheres"


def test_tokens_filter_what_the_phrase_says() -> None:
    assert reference(Look(Color.RED, None, Shape.CUBE)) == (
        "objects", "red", "filter_color", "cube", "filter_shape", "unique",
    )  # fmt: skip


def test_minimal_looks_name_one_object_with_the_fewest_words() -> None:
    scene = (RED_CUBE, RED_BALL, BLUE_CUBE)
    assert minimal_looks(scene, 1) == [Look(shape=Shape.SPHERE)]
    assert minimal_looks(scene, 2) == [Look(color=Color.BLUE)]
    assert minimal_looks(scene, 0) == [Look(Color.RED, None, Shape.CUBE)]


def test_three_words_are_needed_when_every_pair_of_words_is_shared() -> None:
    scene = tuple(
        ObjectSpec(color, shape, material)
        for color, shape, material in product((Color.RED, Color.BLUE), (Shape.CUBE, Shape.SPHERE), Material)
    )
    for index, spec in enumerate(scene):
        assert minimal_looks(scene, index) == [Look(spec.color, spec.material, spec.shape)]


@pytest.mark.parametrize("attribute", list(Attribute))
def test_mentions(attribute: Attribute) -> None:
    assert Look.of(RED_CUBE, [attribute]).mentions(attribute)
    assert not Look.of(RED_CUBE, [other for other in Attribute if other != attribute]).mentions(attribute)
