"""From English text to the words that the parser knows.

An unknown word that is another form of a known one (colliding, collide) or one of the synonyms of CLEVR's questions (ball,
sphere) is read as that one. Every other unknown word is one and the same word to the model.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from models.questions.tokens import UNKNOWN, Vocabulary, words

# CLEVR's published synonyms of what ComPhy's scenes have, and the other spelling of two words.
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
_HINTS: Final = 3  # at most, for one word
_LIKENESS: Final = 0.7  # from which on a known word is a hint


def stem(word: str) -> str:
    """What the inflected forms of a regular word share: collid, enter, begin."""
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM:
            doubled = ending in ("ing", "ed") and rest[-1] == rest[-2] and len(rest) > _SHORTEST_STEM
            return rest[:-1] if doubled else rest
    return word


@dataclass(frozen=True)
class Reading:
    """A sentence in known words. `unknown` are those that have no known one, as they were written."""

    words: tuple[str, ...]
    unknown: tuple[str, ...]


class Reader:
    """Reads sentences with a fixed vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._known = set(vocabulary.words)
        self._forms: dict[str, list[str]] = {}
        for word in _plain(vocabulary.words):
            self._forms.setdefault(stem(word), []).append(word)

    def read(self, text: str) -> Reading:
        """A text without any words is read as one unknown word."""
        written = words(text)
        found = [self._find(word) for word in written]
        unknown = dict.fromkeys(word for word, known in zip(written, found, strict=True) if known is None)
        return Reading(tuple(word or UNKNOWN for word in found) or (UNKNOWN,), tuple(unknown))

    def hints(self, word: str) -> tuple[str, ...]:
        """Known words that look like it, the closest first."""
        return tuple(get_close_matches(word, list(_plain(self.vocabulary.words)), _HINTS, _LIKENESS))

    def _find(self, word: str) -> str | None:
        if word in self._known:
            return word
        if SYNONYMS.get(word) in self._known:
            return SYNONYMS[word]
        forms = self._forms.get(stem(word), [])
        return next(iter(get_close_matches(word, forms, 1, cutoff=0)), None)


def _plain(vocabulary: Iterable[str]) -> Iterator[str]:
    """Without the special words, which no text contains."""
    return (word for word in vocabulary if word.isalnum())
