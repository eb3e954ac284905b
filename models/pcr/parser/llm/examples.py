"""In-context examples: the sentences of a pool that are nearest to a sentence by the words that they share.

Nearness is the cosine of tf-idf vectors of words and pairs of words. What objects look like counts little for how a
question is put: colors, materials and shapes are one word each.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np

from comphy.language.lexicon import concepts
from comphy.scene.vocabulary import Color, Material
from models.pcr.parser.sentences import Sentence, SentenceKind
from models.pcr.parser.training.grammar import random_sentence
from models.pcr.parser.words.phrases import meant, reworded
from models.pcr.parser.words.reading import words_of

POOL: Final = 1500  # sentences of the grammar
_SEED: Final = 0


class Examples:
    """A pool of sentences with their programs."""

    def __init__(self, pool: Sequence[Sentence]) -> None:
        self._pool = tuple(pool)
        counts = [_terms(sentence.text) for sentence in self._pool]
        found = Counter(term for terms in counts for term in terms)
        self._rarity = {term: math.log(len(counts) / count) + 1 for term, count in found.items()}
        self._vectors = [self._vector(terms) for terms in counts]

    def nearest(self, text: str, kinds: Sequence[SentenceKind], count: int) -> list[Sentence]:
        """The nearest sentences of the kinds, the nearest first, each with a program of another form."""
        wanted = self._vector(_terms(text))
        near = [
            (-sum(weight * vector.get(term, 0.0) for term, weight in wanted.items()), number)
            for number, (sentence, vector) in enumerate(zip(self._pool, self._vectors, strict=True))
            if sentence.kind in kinds
        ]
        chosen: dict[tuple[str, ...], Sentence] = {}
        for _, number in sorted(near):
            if len(chosen) >= count:
                break
            chosen.setdefault(_form(self._pool[number].program), self._pool[number])
        return list(chosen.values())

    def _vector(self, terms: Counter[str]) -> dict[str, float]:
        weights = {term: count * self._rarity.get(term, 0.0) for term, count in terms.items()}
        length = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
        return {term: weight / length for term, weight in weights.items()}


@cache
def grammar_examples(count: int = POOL) -> Examples:
    """Sentences of the grammar in training's words and frames; always the same."""
    rng = np.random.default_rng(_SEED)
    return Examples(list(dict.fromkeys(random_sentence(rng) for _ in range(count))))


def _terms(text: str) -> Counter[str]:
    words = [_plain(word) for word in words_of(text)]
    return Counter([*words, *(f"{a} {b}" for a, b in pairwise(words))])


def _plain(word: str) -> str:
    """A word without what it says of looks."""
    concept = concepts().get(word)
    if concept is None:
        return word
    return "<color>" if concept in set(Color) else "<material>" if concept in set(Material) else "<shape>"


def _form(program: Sequence[str]) -> tuple[str, ...]:
    """A program without what its objects look like."""
    return tuple(reworded(program, meant(program), lambda span: ["objects"]))
