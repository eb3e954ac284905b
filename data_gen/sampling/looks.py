"""Draws which objects a set is about: unique looks, and hidden properties by family."""

import numpy as np

from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Family, Material, Shape
from data_gen.sampling.rules import SceneRules

_LOOKS = tuple((color, shape, material) for color in Color for shape in Shape for material in Material)


def draw_family(rng: np.random.Generator, rules: SceneRules) -> Family:
    names = sorted(rules.families)
    weights = np.array([rules.families[name] for name in names], float)
    return Family(names[rng.choice(len(names), p=weights / weights.sum())])


def draw_objects(rng: np.random.Generator, rules: SceneRules, family: Family) -> tuple[ObjectSpec, ...]:
    """Objects with distinct looks; at most one heavy, and no charge or one charged pair."""
    count = int(rng.integers(rules.min_objects, rules.max_objects + 1))
    looks = [_LOOKS[k] for k in rng.choice(len(_LOOKS), count, replace=False)]
    masses = [LIGHT_MASS] * count
    charges = [0] * count
    if family is Family.BOTH or (family is Family.MASS and rng.random() < rules.heavy_share):
        masses[int(rng.integers(count))] = HEAVY_MASS
    if family is not Family.MASS:
        for k in rng.choice(count, 2, replace=False):
            charges[k] = int(rng.choice((-1, 1)))
    return tuple(
        ObjectSpec(color, shape, material, mass, charge)
        for (color, shape, material), mass, charge in zip(looks, masses, charges, strict=True)
    )
