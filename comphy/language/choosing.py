"""Chooses among alternatives: at random, of one part of the language, or always the canonical one."""

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np

from comphy.language.lexicon import Lexicon, Verb, lexicon
from comphy.language.noise import nonsense
from comphy.language.options import Options, Part

_CANONICAL: Final = 0.2  # share of choices that are the canonical alternative, which the dataset uses
_HELD_OUT: Final = 0.35  # share of choices from the held-out part where there are any
T = TypeVar("T")


class PhraseSampler:
    """Random choices of words and frames. `words` and `frames` name the part that is used besides training's.

    Without a generator, everything is canonical. `held_out` counts the choices outside of training's part.
    """

    def __init__(
        self, rng: np.random.Generator | None = None, words: Part = Part.TRAIN, frames: Part = Part.TRAIN
    ) -> None:
        self._rng = rng
        self._words, self._frames = words, frames
        self.held_out = 0

    @property
    def lexicon(self) -> Lexicon:
        return lexicon()

    def word(self, path: str) -> str:
        """One of the words at a path of words.yaml."""
        return self._pick(self.lexicon.get(path), self._words)

    def form(self, path: str, number: int) -> str:
        """A word that is written as singular|plural."""
        return self.word(path).split("|")[number]

    def verb(self, path: str) -> Verb:
        return self.lexicon.verb(self.word(path))

    def frame(self, options: Options) -> str:
        return self._pick(options, self._frames)

    def nonsense(self) -> str | None:
        """Now and then, in training's words, a word that does not exist."""
        return (
            nonsense(self._rng) if self._rng is not None and self._words is Part.TRAIN and self.chance(0.05) else None
        )

    def chance(self, share: float) -> bool:
        return self._rng is not None and bool(self._rng.random() < share)

    def any(self, values: Sequence[T]) -> T:
        return values[int(self._rng.integers(len(values)))] if self._rng is not None else values[0]

    def _pick(self, options: Options, part: Part) -> str:
        if self._rng is None:
            return options.train[0]
        if part is not Part.TRAIN and options.of(part) and self.chance(_HELD_OUT):
            self.held_out += 1
            return self.any(options.of(part))
        return options.train[0] if self.chance(_CANONICAL) else self.any(options.train or options.all)
