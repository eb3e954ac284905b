"""Random facts of scenes and random programs, well-formed or not. Programs need no video to be tried."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from comphy.programs.facts import NO_DIRECTION, Events, SceneFacts
from comphy.programs.ops import ALIASES, OPS, Op, Signature
from comphy.programs.program import PADDING
from comphy.programs.types import LITERAL_ALIASES, LITERALS, ValueType
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec, Video, possible_changes
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Direction, Material, Shape

FRAMES: Final = 8  # visible; a few more are unseen
UNSEEN: Final = 4
_LOOKS: Final = tuple(product(Color, Shape, Material))
_KINDS: Final = (EventKind.IN, EventKind.OUT, EventKind.COLLISION)
_STRANGE: Final = ("", " ", "null", "(given)", "<END>", "🎱", "unique unique", "filter_colour", "\x00", "9" * 400)


def random_scene(rng: np.random.Generator) -> SceneFacts:
    """Three to five different objects with events, and all of their counterfactual runs."""
    looks = [_LOOKS[i] for i in rng.choice(len(_LOOKS), rng.integers(3, 6), replace=False)]
    heavy = int(rng.integers(-1, len(looks)))
    pair = rng.choice(len(looks), 2, replace=False).tolist() if rng.random() < 0.7 else []
    specs = tuple(
        ObjectSpec(
            color,
            shape,
            material,
            HEAVY_MASS if i == heavy else LIGHT_MASS,
            int(rng.choice((-1, 1))) if i in pair else 0,
        )
        for i, (color, shape, material) in enumerate(looks)
    )
    return random_facts(rng, specs)


def random_facts(rng: np.random.Generator, specs: tuple[ObjectSpec, ...]) -> SceneFacts:
    """Random events and motion of the objects, and all of their counterfactual runs."""
    everyone = tuple(range(len(specs)))
    seen = (FRAMES, len(specs))
    moving = rng.random(seen) < rng.random(len(specs))
    direction = np.where(moving, rng.integers(NO_DIRECTION, len(Direction), seen), NO_DIRECTION)
    changes = possible_changes(Video(specs, (), everyone, FRAMES, FRAMES))
    return SceneFacts(
        objects=specs,
        visible=_events(rng, everyone, 0, FRAMES - 1, _KINDS),
        unseen=_events(rng, everyone, FRAMES, FRAMES + UNSEEN, _KINDS),
        moving=moving,
        direction=direction.astype(np.int8),
        inside=rng.random(seen) < rng.random(len(specs)) + 0.5,
        counterfactual={change.key: _events(rng, everyone, 0, FRAMES - 1, _KINDS[2:]) for change in changes},
        removal={i: _events(rng, [k for k in everyone if k != i], 0, FRAMES + UNSEEN, _KINDS[2:]) for i in everyone},
        visible_frames=FRAMES,
        shift=int(rng.choice((0, -2, 2))),
    )


def _events(rng: np.random.Generator, who: Sequence[int], first: int, last: int, kinds: Sequence[EventKind]) -> Events:
    """Up to five events in order of time."""
    found = set()
    for _ in range(rng.integers(6)):
        kind = kinds[int(rng.integers(len(kinds)))]
        members = rng.choice(who, 2 if kind is EventKind.COLLISION else 1, replace=False)
        found.add(Event(kind, int(rng.integers(first, last + 1)), tuple(sorted(members.tolist()))))
    return tuple(sorted(found, key=lambda event: (event.frame, event.kind, event.objects)))


@cache
def makers(kind: ValueType) -> tuple[tuple[Op, Signature], ...]:
    """Operators that give a value of a type, each with one of its signatures."""
    return tuple((op, one) for op in OPS.values() for one in op.signatures if one.result is kind)


@cache
def words(kind: ValueType) -> tuple[str, ...]:
    """Literals of a type."""
    return tuple(word for word, (of, _) in LITERALS.items() if of is kind)


@cache
def heights() -> dict[ValueType, int]:
    """The number of operators that a value of each type takes at least, one above the other."""
    found = {kind: 0 for kind in ValueType if words(kind)}
    for _ in ValueType:
        for kind in ValueType:
            reached = [
                1 + max((found[param] for param in signature.params), default=0)
                for _, signature in makers(kind)
                if all(param in found for param in signature.params)
            ]
            if reached and kind not in found:
                found[kind] = min(reached)
    return found


def random_type(rng: np.random.Generator) -> ValueType:
    """A type of which operators give values."""
    makable = [kind for kind in ValueType if makers(kind)]
    return makable[rng.integers(len(makable))]


def typed_program(rng: np.random.Generator, kind: ValueType, depth: int = 4) -> list[str]:
    """The tokens of a random well-typed program. Beyond `depth` operators in a row, only short ways out are taken."""
    ways: list[str | tuple[Op, Signature]] = list(words(kind))
    for op, signature in makers(kind):
        need = 1 + max((heights()[param] for param in signature.params), default=0)
        if need <= max(depth, heights()[kind]):
            ways.append((op, signature))
    way = ways[rng.integers(len(ways))]
    if isinstance(way, str):
        return [way]
    op, signature = way
    tokens = [token for param in signature.params for token in typed_program(rng, param, depth - 1)]
    names = (op.name, *op.aliases)
    return [*tokens, names[rng.integers(len(names))]]


def spoiled(rng: np.random.Generator, tokens: list[str]) -> list[str]:
    """Tokens with one to three changes: left out, doubled, swapped, replaced, far too many, or of no language."""
    vocabulary = sorted({*OPS, *ALIASES, *LITERALS, *LITERAL_ALIASES, *PADDING})
    changed = list(tokens)
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(changed) + 1))
        match rng.integers(6):
            case 0:
                del changed[place : place + 1]
            case 1:
                changed[place:place] = changed[place : place + 2]
            case 2:
                rng.shuffle(changed)
            case 3:
                changed[place : place + 1] = [vocabulary[rng.integers(len(vocabulary))]]
            case 4:
                changed.insert(place, _STRANGE[rng.integers(len(_STRANGE))])
            case _:
                changed = changed * int(rng.integers(1, 600)) if rng.random() < 0.05 else changed[::-1]
    return changed
