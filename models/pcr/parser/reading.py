"""Normalises English text to the parser's vocabulary.

An unknown word that is an inflection of a known one (colliding, collide) or a synonym from CLEVR's questions (ball,
sphere) is replaced by it. All other unknown words become the unknown token.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from models.questions.tokens import UNKNOWN, Vocabulary, words

# CLEVR's published synonyms of the words for ComPhy's objects, and British spellings.
SYNONYMS: Final = {
    "ball": "sphere",
    "balls": "spheres",
    "block": "cube",
    "blocks": "cubes",
    "thing": "object",
    "things": "objects",
    "metallic": "metal",
    "shiny": "metal",
    "matte": "rubber",
    "colour": "color",
    "colours": "colors",
    "grey": "gray",
}
_ENDINGS: Final = ("ing", "ed", "es", "s", "e")
_SHORTEST_STEM: Final = 3
_HINTS: Final = 3  # per unknown word, at most
_LIKENESS: Final = 0.7  # lowest `difflib` ratio of a known word to be a hint


def stem(word: str) -> str:
    """The stem of a regular word by suffix stripping: collid, enter, begin."""
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM:
            doubled = ending in ("ing", "ed") and rest[-1] == rest[-2] and len(rest) > _SHORTEST_STEM
            return rest[:-1] if doubled else rest
    return word


@dataclass(frozen=True)
class Reading:
    """A sentence in vocabulary words. `unknown` lists the out-of-vocabulary words as they were written."""

    words: tuple[str, ...]
    unknown: tuple[str, ...]


class Reader:
    """Normalises sentences to a fixed vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._known = set(vocabulary.words)
        self._forms: dict[str, list[str]] = {}
        for word in _plain(vocabulary.words):
            self._forms.setdefault(stem(word), []).append(word)

    def read(self, text: str) -> Reading:
        """Normalise a text; one without any words becomes a single unknown token."""
        written = words(text)
        found = [self._find(word) for word in written]
        unknown = dict.fromkeys(word for word, known in zip(written, found, strict=True) if known is None)
        return Reading(tuple(word or UNKNOWN for word in found) or (UNKNOWN,), tuple(unknown))

    def hints(self, word: str) -> tuple[str, ...]:
        """Known words that are spelled similarly, the closest first."""
        return tuple(get_close_matches(word, list(_plain(self.vocabulary.words)), _HINTS, _LIKENESS))

    def _find(self, word: str) -> str | None:
        if word in self._known:
            return word
        if SYNONYMS.get(word) in self._known:
            return SYNONYMS[word]
        forms = self._forms.get(stem(word), [])
        return next(iter(get_close_matches(word, forms, 1, cutoff=0)), None)


def _plain(vocabulary: Iterable[str]) -> Iterator[str]:
    """The vocabulary without special tokens, which no text contains."""
    return (word for word in vocabulary if word.isalnum())
