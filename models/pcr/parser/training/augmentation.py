"""Data augmentation for the parser: replaced referring expressions, word dropout, typing errors, and swapped words.

Referring expressions are replaced consistently in the sentence and its program, so that the model generalises over them.
Word dropout (words replaced by nonsense) teaches which words are irrelevant, and to be uncertain where a relevant one is
missing; the confidence threshold that refuses sentences relies on this.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final, TypeVar

import numpy as np

from comphy.language.noise import SHORTEST, misspelt, nonsense, with_other_ending
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.parser.words.phrases import Span, meant, reworded, spoken
from models.pcr.parser.words.reading import UNKNOWN

# Share of expressions with (color, material, shape); close to the shares of the shortest ones in generated scenes.
_ATTRIBUTES: Final = (
    ((True, False, False), 0.3),
    ((False, True, False), 0.1),
    ((False, False, True), 0.15),
    ((True, False, True), 0.15),
    ((True, True, False), 0.1),
    ((False, True, True), 0.1),
    ((True, True, True), 0.1),
)
_ANY: Final = Look()
T = TypeVar("T")


@dataclass(frozen=True)
class Augmentation:
    """Probabilities per sentence, except `unknown_words` and `misspelt_words`: the probability per word in a sentence with
    gaps or typing errors."""

    gaps: float = 0.1  # word dropout is applied
    unknown_words: float = 0.12
    typos: float = 0.25  # typing errors are made, and endings changed
    misspelt_words: float = 0.2
    contractions: float = 0.35  # of sentences of the grammar
    preamble: float = 0.1  # one to three unknown words are prepended
    kindless: float = 0.3  # the token of its kind is replaced by the unknown token
    swap: float = 0.05  # two neighbouring words are swapped
    specific: float = 0.2  # an unrestricted 'objects' of a dataset's sentence becomes a referring expression

    def __post_init__(self) -> None:
        if not all(0 <= share <= 1 for share in astuple(self)):
            raise ValueError(f"expected shares from 0 to 1 (got {self})")


def varied(
    words: Sequence[str], program: Sequence[str], settings: Augmentation, rng: np.random.Generator
) -> tuple[list[str], list[str]]:
    """An augmented copy of a dataset's sentence, and the matching program."""
    words, program = _with_other_looks(words, program, settings.specific, rng)
    return disturbed(words, settings, rng), program


def disturbed(words: Sequence[str], settings: Augmentation, rng: np.random.Generator) -> list[str]:
    """Words with typing errors, swaps, gaps and a preamble."""
    words = list(words)
    if rng.random() < settings.typos:
        chosen = rng.random(len(words)) < settings.misspelt_words
        words = [_misspelt(word, rng) if wrong else word for word, wrong in zip(words, chosen, strict=True)]
    if rng.random() < settings.swap and len(words) > 1:
        place = int(rng.integers(len(words) - 1))
        words[place : place + 2] = words[place + 1], words[place]
    return _with_unknown(words, settings, rng)


def _misspelt(word: str, rng: np.random.Generator) -> str:
    if len(word) < SHORTEST - 1 or not word.isalpha():
        return word
    return misspelt(word, rng) if len(word) >= SHORTEST and rng.random() < 0.6 else with_other_ending(word, rng)


def _with_other_looks(
    words: Sequence[str], program: Sequence[str], specific: float, rng: np.random.Generator
) -> tuple[list[str], list[str]]:
    """Replace referring expressions at random; unchanged if those of sentence and program do not match one to one."""
    said, done = spoken(words), meant(program)
    looks = sorted({span.look for span in said} - {_ANY}, key=lambda look: look.tokens)
    faithful = all(list(program[span.start : span.end]) == span.tokens for span in done)
    if not faithful or set(looks) != {span.look for span in done} - {_ANY}:
        return list(words), list(program)
    if rng.random() < specific and all(sum(s.look == _ANY for s in spans) == 1 for spans in (said, done)):
        looks.append(_ANY)
    others = dict(zip(looks, _different_looks(len(looks), rng), strict=True))

    def other(span: Span) -> Span:
        return Span(span.start, span.end, others.get(span.look, span.look), span.plural)

    return (
        reworded(words, said, lambda span: other(span).words),
        reworded(program, done, lambda span: other(span).tokens),
    )


def _different_looks(count: int, rng: np.random.Generator) -> list[Look]:
    looks: dict[Look, None] = {}
    while len(looks) < count:
        looks[_random_look(rng)] = None
    return list(looks)


def _random_look(rng: np.random.Generator) -> Look:
    kinds, shares = zip(*_ATTRIBUTES, strict=True)
    color, material, shape = kinds[int(rng.choice(len(kinds), p=shares))]
    return Look(
        _any(list(Color), rng) if color else None,
        _any(list(Material), rng) if material else None,
        _any(list(Shape), rng) if shape else None,
    )


def _any(words: Sequence[T], rng: np.random.Generator) -> T:
    return words[int(rng.integers(len(words)))]


def _with_unknown(words: list[str], settings: Augmentation, rng: np.random.Generator) -> list[str]:
    if rng.random() < settings.gaps:
        gaps = rng.random(len(words)) < settings.unknown_words
        words = [_unknown(rng) if gap else word for word, gap in zip(words, gaps, strict=True)]
    if rng.random() < settings.preamble:
        words = [_unknown(rng) for _ in range(int(rng.integers(1, 4)))] + words
    return words


def _unknown(rng: np.random.Generator) -> str:
    return UNKNOWN if rng.random() < 0.5 else nonsense(rng)
