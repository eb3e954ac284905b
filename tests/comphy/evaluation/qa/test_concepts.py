"""Accuracies of concepts, counted by hand."""

from io import StringIO

import pytest
from rich.console import Console

from comphy.evaluation.qa.concept_tables import concept_table
from comphy.evaluation.qa.concepts import ChargeRelation, ConceptReading, relation, score_concepts
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Color, Material, Shape

NONE, SAME, OPPOSITE = ChargeRelation
CUBE = ObjectSpec(Color.RED, Shape.CUBE, Material.METAL, HEAVY_MASS)
BALL = ObjectSpec(Color.BLUE, Shape.SPHERE, Material.RUBBER, charge=1)
CAN = ObjectSpec(Color.GREEN, Shape.CYLINDER, Material.RUBBER, charge=-1)


def test_relations_of_pairs():
    assert relation(BALL, CAN) is OPPOSITE and relation(BALL, BALL) is SAME and relation(BALL, CUBE) is NONE


def test_every_concept_is_counted_per_object():
    said = (ObjectSpec(Color.RED, Shape.SPHERE, Material.METAL), BALL, None)
    scores = score_concepts([ConceptReading((CUBE, BALL, CAN), said, (NONE, None, None))])
    counted = {name: (one.right, one.count) for name, one in scores.attributes.items() if one}
    assert counted == {"color": (2, 3), "shape": (1, 3), "material": (2, 3), "mass": (1, 3)}
    assert scores.mass_of_sets and scores.mass_of_sets.right == 0


def test_charge_is_the_mean_of_recalls_in_charged_sets():
    charged = ConceptReading((CUBE, BALL, CAN), (CUBE, BALL, CAN), (NONE, NONE, NONE))
    uncharged = ConceptReading((CUBE, CUBE), (CUBE, CUBE), (SAME,))
    scores = score_concepts([charged, uncharged])
    assert scores.charge is not None
    assert {name: (one.right, one.count) for name, one in scores.charge.recalls.items()} == {
        "none": (2, 2),
        "opposite": (0, 1),
    }
    assert scores.charge.value == 0.5 and scores.charge.low < 0.5 < scores.charge.high
    assert scores.charge_of_sets and (scores.charge_of_sets.right, scores.charge_of_sets.count) == (0, 2)


def test_all_right():
    scores = score_concepts([ConceptReading((BALL, CAN), (BALL, CAN), (OPPOSITE,))])
    assert scores.charge and scores.charge_of_sets
    assert scores.charge.value == scores.charge_of_sets.value == 1.0 and scores.charge.high == 1.0


def test_without_charges_there_is_nothing_to_say_about_them():
    scores = score_concepts([ConceptReading((CUBE, CUBE), (CUBE, CUBE), (NONE,))])
    assert scores.charge is None and scores.record()["charge"] is None
    assert scores.charge_of_sets and scores.charge_of_sets.value == 1.0


def test_a_reading_of_other_objects_is_refused():
    with pytest.raises(ValueError, match="Expected a reading of 2 objects and of every pair"):
        ConceptReading((CUBE, BALL), (CUBE,), (NONE,))


def test_the_table_stands_beside_the_paper():
    console = Console(width=200, record=True, file=StringIO())
    console.print(concept_table(score_concepts([ConceptReading((BALL, CAN), (BALL, None), (None,))])))
    lines = {line.split("│")[1].strip(): line for line in console.export_text().splitlines() if "│" in line}
    assert "50.0" in lines["color"] and "96.3" in lines["color"]
    assert "0.0" in lines["charge"] and "68.1" in lines["charge"] and "pairs: opposite" in lines
