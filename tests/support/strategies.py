"""Random scenes and random well-typed programs, for property-based tests of anything that executes programs.

from tests.support.strategies import programs, scenes
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from comphy.programs.facts import SceneFacts
from comphy.programs.ops import OPS, Op, Signature
from comphy.programs.types import ValueType
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Material, Shape
from comphy.toolkit.torture.scenes import heights, makers, random_facts, words

LOOKS: Final = tuple(product(Color, Shape, Material))


@st.composite
def objects(draw: st.DrawFn) -> tuple[ObjectSpec, ...]:
    """Three to five different looks, at most one heavy object, no charge or one charged pair."""
    looks = draw(st.lists(st.sampled_from(LOOKS), min_size=3, max_size=5, unique=True))
    heavy = draw(st.none() | st.integers(0, len(looks) - 1))
    pair = draw(st.none() | st.sampled_from(list(combinations(range(len(looks)), 2))))
    charges = dict(zip(pair or (), draw(st.tuples(*[st.sampled_from((-1, 1))] * 2)), strict=False))
    return tuple(
        ObjectSpec(*look, mass=HEAVY_MASS if i == heavy else LIGHT_MASS, charge=charges.get(i, 0))
        for i, look in enumerate(looks)
    )


@st.composite
def scenes(draw: st.DrawFn) -> SceneFacts:
    """Facts of a scene with every counterfactual and every removal run. All but the objects comes from one drawn seed."""
    specs = draw(objects())
    return random_facts(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), specs)


HEIGHTS: Final = heights()
MAKABLE: Final = tuple(kind for kind in ValueType if makers(kind))


@st.composite
def programs(draw: st.DrawFn, result: ValueType, depth: int = 4) -> tuple[str, ...]:
    """The tokens of a random program of a type. Beyond `depth` operators in a row, only short ways out are taken."""
    choices: list[Any] = list(words(result))
    for op, signature in makers(result):
        need = 1 + max((HEIGHTS[param] for param in signature.params), default=0)
        if need <= max(depth, HEIGHTS[result]):
            choices.append((op, signature))
    choice = draw(st.sampled_from(choices))
    if isinstance(choice, str):
        return (choice,)
    op, signature = choice
    parts = [draw(programs(param, depth - 1)) for param in signature.params]
    name = draw(st.sampled_from((op.name, *op.aliases)))
    return (*(token for part in parts for token in part), name)


@st.composite
def typed_programs(draw: st.DrawFn) -> tuple[ValueType, tuple[str, ...]]:
    """A program of any type that operators give, and that type."""
    kind = draw(st.sampled_from(MAKABLE))
    return kind, draw(programs(kind))


def every_signature() -> Iterator[tuple[Op, Signature]]:
    for op in OPS.values():
        for signature in op.signatures:
            yield op, signature
