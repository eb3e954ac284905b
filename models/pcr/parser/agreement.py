"""Which colors, materials and shapes a sentence speaks of, and whether its program speaks of the same."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final

from comphy.language.lexicon import concepts, lexicon
from comphy.programs.types import Attribute
from comphy.scene.vocabulary import Color, Material, Shape

_KINDS: Final = (("query_color", Color), ("query_material", Material), ("query_shape", Shape))
_ORDERS: Final = {"first": "first", "second": "second", "2nd": "second", "last": "last", "final": "last"}
_NEGATIONS: Final = frozenset({"not", "non", "n't", "no", "never", "nothing", "none", "cannot", "without"})
_AMBIGUOUS: Final = frozenset({"can"})  # "can you see" is not about a cylinder
_SHORTEST_STEM: Final = 3  # letters
_LIKENESS: Final = 0.8  # lowest `difflib` ratio of a misspelt word to be taken for a concept's


@cache
def _concept(word: str, known: bool) -> str | None:
    """The color, material or shape that a word stands for; of an unknown word, by its spelling or its stem."""
    words = concepts()
    if known or word in words:
        return None if word in _AMBIGUOUS else words.get(word)
    stems = [one for one in words if len(one) >= _SHORTEST_STEM and word.startswith(one)]
    stems += [one for one in words if len(one) > _SHORTEST_STEM and one[-1] == "e" and word.startswith(one[:-1])]
    close = stems or get_close_matches(word, [one for one in words if len(one) > _SHORTEST_STEM], 1, _LIKENESS)
    return words[close[0]] if close else None


def _said(words: Sequence[str], unknown: Collection[str]) -> set[str]:
    found = (_concept(word, word not in unknown) for word in words)
    return {concept for concept in found if concept is not None}


def unsaid(words: Sequence[str], unknown: Collection[str]) -> frozenset[str]:
    """Tokens that no word of a sentence speaks of: its program should not either.

    These are colors, materials, shapes, and queries for another attribute than the only one that is named.
    """
    allowed = _said(words, unknown)
    if _AMBIGUOUS.intersection(words):
        allowed.add(str(Shape.CYLINDER))
    if _NEGATIONS.intersection(words):
        allowed |= set(map(str, Material))  # not shiny
    silent = {str(word) for kind in (Color, Material, Shape) for word in kind} - allowed
    named = {one for word in words for one in Attribute if _names(word, one)}
    others = set(Attribute) - named if len(named) == 1 else set()
    return frozenset(silent | {f"query_{one}" for one in others} | {f"query_both_{one}" for one in others})


@cache
def _names(word: str, attribute: Attribute) -> bool:
    """Whether a word is one for an attribute, or begins with one (colouring); "coloured" only tells a color."""
    known = lexicon().get(f"attributes/{attribute}").train
    return not word.endswith("ed") and word.startswith(known)


def words_differ(words: Sequence[str], program: Sequence[str], unknown: Collection[str] = ()) -> bool:
    """Whether a program has other colors, materials, shapes or orders than its sentence, or a `not` that nobody said.

    A concept of the program may be said by an unknown word, and a material by what it is not (not shiny). Attributes that
    are asked for may be named as examples ("a cube, a sphere or a cylinder?").
    """
    said = _said(words, unknown)
    negated = bool(_NEGATIONS.intersection(words))
    for query, kind in _KINDS:
        if kind is Material and negated:
            continue
        names = set(map(str, kind))
        meant = names.intersection(program)
        asked = any(token.startswith(query) or token == query.replace("query", "query_both") for token in program)
        if (said & names) - meant and not asked:
            return True
        if not unknown and meant - said - _said_by_can(words, meant):
            return True
    orders = {_ORDERS[word] for word in words if word in _ORDERS}
    return bool(orders - set(program)) or ("not" in program and not negated)


def _said_by_can(words: Sequence[str], meant: set[str]) -> set[str]:
    return meant & {str(Shape.CYLINDER)} if _AMBIGUOUS.intersection(words) else set()
