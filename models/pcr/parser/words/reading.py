"""Splits English text into words, and words into pieces: the word itself and its character n-grams.

A word that training did not have is read by the pieces that it shares with others (greenish, colliding, shpere), as in
fastText's subword embeddings.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from comphy.language.lexicon import training_words

PAD: Final = "[PAD]"  # fills shorter rows of a batch
UNKNOWN: Final = "[UNK]"  # the first piece of every word that is not in the vocabulary
SPECIAL: Final = (PAD, UNKNOWN)
PAD_ID: Final = 0
UNKNOWN_ID: Final = 1
MAX_WORDS: Final = 63  # of a sentence
MOST_PIECES: Final = 16  # of a word
_LENGTHS: Final = (3, 4)  # characters of an n-gram; the ends of a word count as one each
_HINTS: Final = 3  # per unknown word, at most
_LIKENESS: Final = 0.7  # lowest `difflib` ratio of a known word to be a hint
_WORD: Final = re.compile(r"n't\b|'[a-z]+|[a-z]+?(?=n't\b)|[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """Lower-case words without punctuation; clitics (n't, 's) and the parts of hyphenated words stand alone."""
    return _WORD.findall(text.lower().replace("’", "'"))


def pieces_of(word: str) -> list[str]:
    """The character n-grams of a word, with its ends marked."""
    marked = f"<{word}>"
    return [marked[k : k + n] for n in _LENGTHS for k in range(len(marked) - n + 1)]


@dataclass(frozen=True)
class SubwordVocabulary:
    """The words and the n-grams that a parser knows, in the order of their ids; special tokens come first among words."""

    words: tuple[str, ...]
    grams: tuple[str, ...]
    _ids: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)
    _words: dict[str, int] = field(init=False, repr=False, compare=False)
    _grams: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        everything = (*self.words, *self.grams)
        if self.words[: len(SPECIAL)] != SPECIAL or len(set(self.words)) + len(set(self.grams)) != len(everything):
            raise ValueError(
                f"expected different words that begin with {', '.join(SPECIAL)} (got {self.words[:4]} ...)"
            )
        object.__setattr__(self, "_words", {word: number for number, word in enumerate(self.words)})
        object.__setattr__(self, "_grams", {gram: len(self.words) + k for k, gram in enumerate(self.grams)})

    @classmethod
    def of(cls, sentences: Iterable[Iterable[str]], tokens: Sequence[str] = ()) -> "SubwordVocabulary":
        """The pieces of all words; `tokens` are special words without n-grams."""
        found = sorted({word for sentence in sentences for word in sentence})
        grams = sorted({gram for word in found for gram in pieces_of(word)})
        return cls((*SPECIAL, *tokens, *found), tuple(grams))

    def __len__(self) -> int:
        return len(self.words) + len(self.grams)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    def encode(self, word: str) -> tuple[int, ...]:
        """The ids of a word: its own or UNKNOWN_ID, and those of its known n-grams."""
        if word not in self._ids:
            grams = () if word.startswith("[") else pieces_of(word)
            known = [self._grams[gram] for gram in grams if gram in self._grams]
            self._ids[word] = (self._words.get(word, UNKNOWN_ID), *known)[:MOST_PIECES]
        return self._ids[word]

    def plain(self) -> list[str]:
        """The words without special tokens."""
        return [word for word in self.words if word.isalnum()]


@dataclass(frozen=True)
class Reading:
    """The words of a sentence. `unknown` lists those that training did not have."""

    words: tuple[str, ...]
    unknown: tuple[str, ...]


class Reader:
    """Splits sentences into words, and names those that are not known."""

    def __init__(self, vocabulary: SubwordVocabulary) -> None:
        self.vocabulary = vocabulary

    def read(self, text: str) -> Reading:
        """A text without any words becomes a single unknown token."""
        written = words_of(text)
        unknown = dict.fromkeys(word for word in written if word not in self.vocabulary)
        return Reading(tuple(written) or (UNKNOWN,), tuple(unknown))

    def hints(self, word: str) -> tuple[str, ...]:
        """Known words that are spelled similarly, the closest first."""
        known = [one for one in self.vocabulary.plain() if one in training_words()]
        return tuple(get_close_matches(word, known, _HINTS, _LIKENESS))
