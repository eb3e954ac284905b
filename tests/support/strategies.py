"""Random scenes and random well-typed programs, for property-based tests of anything that executes programs.

from tests.support.strategies import programs, scenes
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from comphy.programs.facts import NO_DIRECTION, Events, SceneFacts
from comphy.programs.ops import OPS, Op, Signature
from comphy.programs.types import LITERALS, ValueType
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec, Video, possible_changes
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Direction, Material, Shape

FRAMES: Final = 8  # visible; a few more are unseen
UNSEEN: Final = 4
LOOKS: Final = tuple(product(Color, Shape, Material))
KINDS: Final = (EventKind.IN, EventKind.OUT, EventKind.COLLISION)


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


def _events(rng: np.random.Generator, who: Sequence[int], first: int, last: int, kinds: Sequence[EventKind]) -> Events:
    """Up to five events in order of time."""
    found = set()
    for _ in range(rng.integers(6)):
        kind = kinds[rng.integers(len(kinds))]
        members = rng.choice(who, 2 if kind is EventKind.COLLISION else 1, replace=False)
        found.add(Event(kind, int(rng.integers(first, last + 1)), tuple(sorted(members.tolist()))))
    return tuple(sorted(found, key=lambda event: (event.frame, event.kind, event.objects)))


@st.composite
def scenes(draw: st.DrawFn) -> SceneFacts:
    """Facts of a scene with every counterfactual and every removal run. All but the objects comes from one drawn seed."""
    specs = draw(objects())
    everyone = tuple(range(len(specs)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = (FRAMES, len(specs))
    moving = rng.random(shape) < rng.random(len(specs))
    direction = np.where(moving, rng.integers(NO_DIRECTION, len(Direction), shape), NO_DIRECTION)
    changes = possible_changes(Video(specs, (), everyone, FRAMES, FRAMES))
    return SceneFacts(
        objects=specs,
        visible=_events(rng, everyone, 0, FRAMES - 1, KINDS),
        unseen=_events(rng, everyone, FRAMES, FRAMES + UNSEEN, KINDS),
        moving=moving,
        direction=direction.astype(np.int8),
        inside=rng.random(shape) < rng.random(len(specs)) + 0.5,
        counterfactual={change.key: _events(rng, everyone, 0, FRAMES - 1, KINDS[2:]) for change in changes},
        removal={i: _events(rng, [k for k in everyone if k != i], 0, FRAMES + UNSEEN, KINDS[2:]) for i in everyone},
        visible_frames=FRAMES,
        shift=int(rng.choice((0, -2, 2))),
    )


def _makers(kind: ValueType) -> list[tuple[Op, Signature]]:
    return [(op, signature) for op in OPS.values() for signature in op.signatures if signature.result is kind]


def _words(kind: ValueType) -> list[str]:
    return [word for word, (of, _) in LITERALS.items() if of is kind]


def _heights() -> dict[ValueType, int]:
    """The number of operators that a value of each type takes at least, one above the other."""
    heights = {kind: 0 for kind in ValueType if _words(kind)}
    for _ in ValueType:
        for kind in ValueType:
            reachable = [
                1 + max((heights[param] for param in signature.params), default=0)
                for _, signature in _makers(kind)
                if all(param in heights for param in signature.params)
            ]
            if reachable and kind not in heights:
                heights[kind] = min(reachable)
    return heights


HEIGHTS: Final = _heights()
MAKABLE: Final = tuple(kind for kind in ValueType if _makers(kind))


@st.composite
def programs(draw: st.DrawFn, result: ValueType, depth: int = 4) -> tuple[str, ...]:
    """The tokens of a random program of a type. Beyond `depth` operators in a row, only short ways out are taken."""
    choices: list[Any] = list(_words(result))
    for op, signature in _makers(result):
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
