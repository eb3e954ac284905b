"""Training and validation data of the parser: sentences of a dataset and of the grammar."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError
from comphy.language.options import Part
from comphy.questions.model import SceneQuestions
from models.pcr.parser.interface import MAX_TOKENS
from models.pcr.parser.network import POSITIONS, ParserSize
from models.pcr.parser.sentences import Sentence, SentenceKind, distinct_sentences
from models.pcr.parser.storage import Description
from models.pcr.parser.training.augmentation import Augmentation, disturbed, varied
from models.pcr.parser.training.batches import ParserBatch, encode
from models.pcr.parser.training.grammar import held_out_sentences, random_sentence
from models.pcr.parser.words.phrases import frame, look_words
from models.pcr.parser.words.reading import MAX_WORDS, UNKNOWN, SubwordVocabulary, words_of

_SAMPLED: Final = 12000  # sentences of the grammar whose words make up the vocabulary
_HELD_OUT: Final = 900  # validation sentences of the grammar
_VOCABULARY, _VALIDATION = 3, 4  # purposes of random draws


@dataclass(frozen=True)
class ParserData:
    """`grammar` is the share of training sentences that the grammar makes; `val` are the dataset's validation sentences,
    `val_grammar` those with words and frames that training does not have."""

    description: Description
    train: list[Sentence]
    val: list[Sentence]
    val_grammar: list[Sentence]
    grammar: float

    @cached_property
    def vocabulary(self) -> SubwordVocabulary:
        return self.description.vocabulary()

    @cached_property
    def _spoken(self) -> list[list[str]]:
        return [words_of(sentence.text) for sentence in self.train]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Sampling probabilities of the training sentences, proportional to 1 / sqrt(sentences of the same template):
        otherwise templates with few variations, such as the colors of a charged pair, would hardly ever be drawn."""
        frames = [frame(sentence) for sentence in self._spoken]
        counts = Counter(frames)
        shares = np.array([counts[one] ** -0.5 for one in frames])
        return shares / shares.sum()

    @cached_property
    def _cumulated(self) -> NDArray[np.float64]:
        return np.cumsum(self.shares)

    def draw(
        self, size: int, augmentation: Augmentation, rng: np.random.Generator, batches: int = 1
    ) -> list[ParserBatch]:
        """Batches of `size` augmented training sentences each, in random order; sentences of a length share a batch."""
        pairs: list[tuple[list[str], Sequence[str]]] = []
        for _ in range(size * batches):
            said, program, kind = self._one(augmentation, rng)
            opening = UNKNOWN if rng.random() < augmentation.kindless else kind.word
            pairs.append(([opening, *said][:POSITIONS], program))
        pairs.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        starts = size * rng.permutation(batches)
        return [encode(pairs[start : start + size], self.vocabulary) for start in starts]

    def _one(
        self, augmentation: Augmentation, rng: np.random.Generator
    ) -> tuple[list[str], Sequence[str], SentenceKind]:
        if rng.random() < self.grammar:
            made = random_sentence(rng, augmentation.contractions)
            return disturbed(words_of(made.text), augmentation, rng), made.program, made.kind
        row = min(int(np.searchsorted(self._cumulated, rng.random())), len(self.train) - 1)
        said, program = varied(self._spoken[row], self.train[row].program, augmentation, rng)
        return said, program, self.train[row].kind

    def validation(self, size: int) -> list[ParserBatch]:
        """All validation sentences, batched by length."""
        pairs = sorted(
            (((one.kind.word, *words_of(one.text))[:POSITIONS], one.program) for one in (*self.val, *self.val_grammar)),
            key=lambda pair: (len(pair[1]), len(pair[0])),
        )
        return [encode(pairs[start : start + size], self.vocabulary) for start in range(0, len(pairs), size)]

    def fingerprint(self) -> str:
        """A hash of the data, to check that a resumed run has the same sentences."""
        known = (self.description.fingerprint(), self.train, self.val, self.val_grammar, self.grammar)
        return hashlib.sha256(repr(known).encode()).hexdigest()


def prepare(
    train: Sequence[SceneQuestions],
    val: Sequence[SceneQuestions],
    size: ParserSize,
    grammar: float = 0.0,
    seed: int = 0,
) -> ParserData:
    """Collect the sentences of both splits. The vocabulary has their words, all referring expressions, and the training
    words of the grammar if a share of the sentences is made by it.

    Raises `DatasetError` if a split has no programs, or if a sentence or program is too long.
    """
    learned, held_out = distinct_sentences(train, "train"), distinct_sentences(val, "val")
    for sentence in (*learned, *held_out):
        _require_short(sentence)
    made: list[Sentence] = []
    unseen: list[Sentence] = []
    if grammar:
        rng = np.random.default_rng((seed, _VOCABULARY))
        made = [random_sentence(rng) for _ in range(_SAMPLED)]
        unseen = held_out_sentences(_HELD_OUT, Part.VAL, np.random.default_rng((seed, _VALIDATION)))
    spoken = [words_of(sentence.text) for sentence in (*learned, *made)]
    vocabulary = SubwordVocabulary.of([*spoken, look_words()], [kind.word for kind in SentenceKind])
    return ParserData(Description.of(size, vocabulary), learned, held_out, unseen, grammar)


def _require_short(sentence: Sentence) -> None:
    said, tokens = len(words_of(sentence.text)), len(sentence.program)
    if not 1 <= said <= MAX_WORDS or tokens > MAX_TOKENS:
        raise DatasetError(
            f"expected 1 to {MAX_WORDS} words and a program of at most {MAX_TOKENS} tokens "
            f"(found {said} and {tokens}): {sentence.text}"
        )
