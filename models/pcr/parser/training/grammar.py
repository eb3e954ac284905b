"""Sentences of the grammar (`comphy.language`) with their programs: drawn for training, and fixed ones to measure on."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from comphy.language.meanings.meaning import Meaning
from comphy.language.meanings.random_meanings import RandomMeanings
from comphy.language.noise import contracted
from comphy.language.options import Part
from comphy.language.rewording import CONTRACTED, held_out_sentence
from comphy.language.sentences import sentence
from models.pcr.parser.sentences import Sentence, SentenceKind

# Shares of the kinds among random sentences.
_SHARES: Final = {SentenceKind.FACTUAL: 0.7, SentenceKind.MULTIPLE_CHOICE: 0.18, SentenceKind.CHOICE: 0.12}
# Which alternatives are new: words, frames, or both.
MIXTURES: Final = ((True, False), (False, True), (True, True))


def random_meaning(kind: SentenceKind, rng: np.random.Generator) -> Meaning:
    meanings = RandomMeanings(rng)
    if kind is SentenceKind.FACTUAL:
        return meanings.factual()
    return meanings.open() if kind is SentenceKind.MULTIPLE_CHOICE else meanings.option()


def random_sentence(rng: np.random.Generator, contractions: float = CONTRACTED) -> Sentence:
    """A sentence in training's words and frames."""
    kind = tuple(_SHARES)[int(rng.choice(len(_SHARES), p=tuple(_SHARES.values())))]
    meaning = random_meaning(kind, rng)
    text = sentence(meaning, rng)
    assert text is not None
    return Sentence(kind, contracted(text) if rng.random() < contractions else text, meaning.tokens)


def held_out_sentences(count: int, part: Part, rng: np.random.Generator) -> list[Sentence]:
    """Sentences that each have a word or a frame, or both, of a held-out part."""
    return [sentence for sentence, _ in zip(_held_out(part, rng), range(count), strict=False)]


def _held_out(part: Part, rng: np.random.Generator) -> Iterator[Sentence]:
    while True:
        kind = tuple(_SHARES)[int(rng.choice(len(_SHARES), p=tuple(_SHARES.values())))]
        meaning = random_meaning(kind, rng)
        words, frames = MIXTURES[int(rng.integers(len(MIXTURES)))]
        text = held_out_sentence(meaning, part, words, frames, rng)
        if text is not None:
            yield Sentence(kind, text, meaning.tokens)
