"""Counterfactual premises: which exist, what they are called, and what they change."""

import pytest

from comphy.scene.objects import (
    Change,
    HiddenProperty,
    InitialState,
    ObjectSpec,
    Video,
    apply_change,
    possible_changes,
)
from comphy.scene.vocabulary import Color, Material, Shape


def video() -> Video:
    objects = (
        ObjectSpec(Color.RED, Shape.CUBE, Material.METAL),
        ObjectSpec(Color.BLUE, Shape.SPHERE, Material.RUBBER, mass=5.0),
        ObjectSpec(Color.GRAY, Shape.CYLINDER, Material.METAL, charge=1),
        ObjectSpec(Color.CYAN, Shape.CUBE, Material.RUBBER, mass=5.0, charge=-1),
    )
    still = (0.0, 0.0, 0.0)
    initial = tuple(InitialState((float(k), 0.0, 0.2), (0.0, 0.0, 0.0, 1.0), still, still) for k in range(4))
    return Video(objects, initial, (0, 1, 2, 3), 125, 175)


def test_every_premise_has_its_published_name() -> None:
    assert [change.key for change in possible_changes(video())] == [
        "mass_0_5",
        "mass_1_1",
        "mass_2_5",
        "charge_2_0",
        "charge_2_-1",
        "mass_3_1",
        "charge_3_0",
        "charge_3_1",
    ]


@pytest.mark.parametrize(
    ("change", "mass", "charge"),
    [
        (Change(2, HiddenProperty.MASS, 5.0), 5.0, 1),
        (Change(2, HiddenProperty.CHARGE, 0), 1.0, 0),
        (Change(2, HiddenProperty.CHARGE, -1), 1.0, -1),
        (Change(3, HiddenProperty.MASS, 1.0), 1.0, -1),
    ],
)
def test_a_premise_changes_one_property_of_one_object(change: Change, mass: float, charge: int) -> None:
    before = video()
    after = apply_change(before, change)
    spec = after.objects[change.object]
    assert (spec.mass, spec.charge) == (mass, charge)
    assert spec.appearance == before.objects[change.object].appearance
    assert after.initial == before.initial
    assert [a == b for a, b in zip(before.objects, after.objects, strict=True)].count(False) == 1
    assert before == video(), "the original is untouched"


def test_a_changed_world_is_run_over_the_visible_frames() -> None:
    after = apply_change(video(), Change(0, HiddenProperty.MASS, 5.0))
    assert (after.visible_frames, after.total_frames) == (125, 125)


def test_changing_back_restores_the_objects() -> None:
    there = apply_change(video(), Change(3, HiddenProperty.CHARGE, 1))
    back = apply_change(there, Change(3, HiddenProperty.CHARGE, -1))
    assert back.objects == video().objects


def test_objects_are_named_by_what_is_seen() -> None:
    spec = video().objects[3]
    assert str(spec) == "cyan rubber cube"
    assert spec.appearance == (Color.CYAN, Shape.CUBE, Material.RUBBER)
