"""Which concepts a sentence speaks of, and whether its program speaks of the same."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final

from comphy.language.lexicon import concepts, lexicon
from comphy.language.meanings.descriptions import Charge, Mass
from comphy.programs.types import Attribute
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.parser.words.reading import words_of

_KINDS: Final = (("query_color", Color), ("query_material", Material), ("query_shape", Shape))
_ORDERS: Final = {"first": "first", "second": "second", "2nd": "second", "last": "last", "final": "last"}
_NEGATIONS: Final = frozenset({"not", "non", "n't", "no", "never", "nothing", "none", "cannot", "without"})
# "Can you see" and "what we can see" are not about a cylinder.
_CAN: Final = "can"
_WHO: Final = frozenset({"you", "we", "i"})
_BESIDE_MODAL: Final = frozenset({"you", "we", "i", "be", "see", "any", "it", "they", "some", "someone", "a", "an"})
# Words of phrases about mass and charge that say nothing of either.
_EMPTY: Final = frozenset(
    (
        "a",
        "an",
        "the",
        "is",
        "are",
        "am",
        "be",
        "of",
        "has",
        "have",
        "had",
        "to",
        "do",
        "does",
        "not",
        "no",
        "n't",
        "much",
        "lot",
        "very",
        "with",
        "without",
        "that",
        "each",
        "other",
        "one",
        "another",
        "its",
        "under",
        "great",
        "hard",
        "away",
        "way",
        "little",
        "small",
        "large",
        "only",
        "some",
    )
)
_SHORTEST_STEM: Final = 3  # letters
_LIKENESS: Final = 0.8  # lowest `difflib` ratio of a misspelt word to be taken for a concept's


def unsaid(words: Sequence[str], unknown: Collection[str]) -> frozenset[str]:
    """Tokens that no word of a sentence speaks of: its program should not either.

    These are colors, materials and shapes, filters by mass and charge, and queries for another attribute than the only one
    that is named.
    """
    silent = {str(word) for kind in (Color, Material, Shape) for word in kind} - _said(words, unknown)
    silent |= {f"filter_{one}" for one in (*Mass, *Charge) if not _hinted(words, unknown, one)}
    named = {one for word in words for one in Attribute if _names(word, one)}
    others = set(Attribute) - named if len(named) == 1 else set()
    return frozenset(silent | {f"query_{one}" for one in others} | {f"query_both_{one}" for one in others})


def words_differ(words: Sequence[str], program: Sequence[str], unknown: Collection[str] = ()) -> bool:
    """Whether a program has other colors, materials, shapes or orders than its sentence, or a `not` that nobody said.

    A concept of the program may be said by an unknown word, and a material by what it is not (not shiny). Attributes that
    are asked for may be named as examples ("a cube, a sphere or a cylinder?").
    """
    said, negated = _said(words, unknown), bool(_NEGATIONS.intersection(words))
    for query, kind in _KINDS:
        if kind is Material and negated:
            continue
        names = set(map(str, kind))
        meant = names.intersection(program)
        asked = any(token in (query, query.replace("query", "query_both")) for token in program)
        if ((said & names) - meant and not asked) or (not unknown and meant - said):
            return True
    orders = {_ORDERS[word] for word in words if word in _ORDERS}
    return bool(orders - set(program)) or ("not" in program and not negated)


def _said(words: Sequence[str], unknown: Collection[str]) -> set[str]:
    """The colors, materials and shapes of a sentence; with a negation, a material may stand for the other."""
    beside = zip(words, ("", *words[:-1]), (*words[1:], ""), strict=True)
    nouns = (word for word, before, after in beside if word != _CAN or not (before in _WHO or after in _BESIDE_MODAL))
    found = (_concept(word, word not in unknown) for word in nouns)
    said = {concept for concept in found if concept is not None}
    if _NEGATIONS.intersection(words) and said & set(map(str, Material)):
        said |= set(map(str, Material))
    return said


@cache
def _concept(word: str, known: bool) -> str | None:
    """The color, material or shape that a word stands for; of an unknown word, by its spelling or its stem."""
    words = concepts()
    if known or word in words:
        return words.get(word)
    found = _like(word, words)
    return words[found] if found is not None else None


@cache
def _content(name: str) -> frozenset[str]:
    """The words that training has for a mass or a charge."""
    texts = (
        text for end in ("adjective", "be", "verb", "with") for text in lexicon().get(f"properties/{name}/{end}").train
    )
    return frozenset(word for text in texts for word in words_of(text.replace("|", " "))) - _EMPTY


def _hinted(words: Iterable[str], unknown: Collection[str], name: str) -> bool:
    """Whether a word is one of a mass or a charge, a form of one (attracts), or unknown and like one."""
    content = _content(name)
    stems = tuple(word for word in content if len(word) > _SHORTEST_STEM)
    return any(
        word in content or word.startswith(stems) or (word in unknown and _like(word, content) is not None)
        for word in words
    )


def _like(word: str, known: Iterable[str]) -> str | None:
    """The known word that an unknown one begins with (greenish, bluish) or is spelled like."""
    candidates = list(known)
    stems = [one for one in candidates if len(one) >= _SHORTEST_STEM and word.startswith(one)]
    stems += [one for one in candidates if len(one) > _SHORTEST_STEM and one[-1] == "e" and word.startswith(one[:-1])]
    long = [one for one in candidates if len(one) > _SHORTEST_STEM]
    return next(iter(stems or get_close_matches(word, long, 1, _LIKENESS)), None)


@cache
def _names(word: str, attribute: Attribute) -> bool:
    """Whether a word is one for an attribute, or begins with one (colouring); "coloured" only tells a color."""
    known = lexicon().get(f"attributes/{attribute}").train
    return not word.endswith("ed") and word.startswith(known)
