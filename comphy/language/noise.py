"""What people do to sentences: contractions, missing apostrophes, and typing errors."""

import re
from typing import Final

import numpy as np

_CONTRACTIONS: Final = (
    (r"\b(is|are|was|were|does|do|did|would|could|has|have) not\b", r"\1n't"),
    (r"\bwill not\b", "won't"),
    (r"\b(what|that|there|where|it|who|how) is\b", r"\1's"),
    (r"\b(what|that|there|it) will\b", r"\1'll"),
    (r"\bI would\b", "I'd"),
    (r"\bI am\b", "I'm"),
    (r"\blet us\b", "let's"),
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
SHORTEST: Final = 4  # letters of a word that gets a typing error


def contracted(text: str) -> str:
    """With every contraction that is possible: what's, isn't, won't."""
    for pattern, short in _CONTRACTIONS:
        text = re.sub(pattern, short, text, flags=re.IGNORECASE)
    return text


def misspelt(word: str, rng: np.random.Generator) -> str:
    """A word with one letter left out, doubled, replaced, added, or exchanged with the next. The first one stays."""
    place = int(rng.integers(1, len(word) - 1))
    letter = _LETTERS[int(rng.integers(len(_LETTERS)))]
    head, here, tail = word[:place], word[place], word[place + 1 :]
    kinds = (head + tail, head + here + here + tail, head + letter + tail, head + letter + here + tail)
    return (*kinds, head + tail[0] + here + tail[1:])[int(rng.integers(5))]


def with_other_ending(word: str, rng: np.random.Generator) -> str:
    """A word whose last letter may be missing, with an ending that does not exist."""
    ending = "".join(_LETTERS[k] for k in rng.integers(len(_LETTERS), size=int(rng.integers(2, 4))))
    return word[: len(word) - int(rng.integers(2))] + ending


def with_typing_errors(text: str, share: float, rng: np.random.Generator) -> str:
    """A text in which words of four letters or more are misspelt, each with a probability of `share`, one at least."""
    words = text.split(" ")
    long = [place for place, word in enumerate(words) if len(word) >= SHORTEST and word.isalpha()]
    if not long:
        return text
    chosen = [place for place in long if rng.random() < share] or [long[int(rng.integers(len(long)))]]
    for place in chosen:
        words[place] = misspelt(words[place], rng)
    return " ".join(words)


def nonsense(rng: np.random.Generator) -> str:
    """A word that does not exist."""
    return "".join(_LETTERS[k] for k in rng.integers(len(_LETTERS), size=int(rng.integers(3, 9))))
