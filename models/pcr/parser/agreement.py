"""Whether a sentence and its program speak of the same colors, materials, shapes and orders."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final

from comphy.language.lexicon import concepts
from comphy.scene.vocabulary import Color, Material, Shape

_KINDS: Final = (("query_color", Color), ("query_material", Material), ("query_shape", Shape))
_ORDERS: Final = {"first": "first", "second": "second", "2nd": "second", "last": "last", "final": "last"}
_NEGATIONS: Final = frozenset({"not", "non", "n't", "no", "never", "nothing", "none", "cannot", "without"})
_AMBIGUOUS: Final = frozenset({"can"})  # "can you see" is not about a cylinder
_LIKENESS: Final = 0.8  # lowest `difflib` ratio of a misspelt word to be taken for a concept's


@cache
def _concept(word: str, known: bool) -> str | None:
    """The color, material or shape that a word stands for; of an unknown word, by its spelling."""
    words = concepts()
    if known or word in words:
        return None if word in _AMBIGUOUS else words.get(word)
    close = get_close_matches(word, [one for one in words if len(one) > 3], 1, _LIKENESS)
    return words[close[0]] if close else None


def words_differ(words: Sequence[str], program: Sequence[str], unknown: Collection[str] = ()) -> bool:
    """Whether a program has other colors, materials, shapes or orders than its sentence, or a `not` that nobody said.

    A concept of the program may be said by an unknown word, and a material by what it is not (not shiny). Attributes that
    are asked for may be named as examples ("a cube, a sphere or a cylinder?").
    """
    said = {concept for word in words if (concept := _concept(word, word not in unknown)) is not None}
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
