"""Training and validation data of the parser: distinct sentences and their sampling weights."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from models.pcr.parser.network import POSITIONS, ParserSize
from models.pcr.parser.parser import MAX_TOKENS, MAX_WORDS
from models.pcr.parser.phrases import frame, look_words
from models.pcr.parser.reading import Reader
from models.pcr.parser.sentences import Sentence, SentenceKind, distinct_sentences
from models.pcr.parser.storage import Description
from models.pcr.parser.training.augmentation import Augmentation, varied
from models.pcr.parser.training.batches import ParserBatch, encode
from models.questions.tokens import UNKNOWN, Vocabulary, words


@dataclass(frozen=True)
class ParserData:
    description: Description
    train: list[Sentence]
    val: list[Sentence]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return self.description.vocabulary()

    @cached_property
    def _spoken(self) -> list[list[str]]:
        return [words(sentence.text) for sentence in self.train]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Sampling probabilities of the training sentences, proportional to 1 / sqrt(sentences of the same template):
        otherwise templates with few variations, such as the colors of a charged pair, would hardly ever be drawn."""
        frames = [frame(sentence) for sentence in self._spoken]
        counts = Counter(frames)
        shares = np.array([counts[one] ** -0.5 for one in frames])
        return shares / shares.sum()

    def draw(self, size: int, augmentation: Augmentation, rng: np.random.Generator) -> ParserBatch:
        """A batch of `size` augmented training sentences."""
        pairs = []
        for row in rng.choice(len(self.train), size, p=self.shares):
            said, program = varied(self._spoken[row], self.train[row].program, augmentation, rng)
            kind = UNKNOWN if rng.random() < augmentation.kindless else self.train[row].kind.word
            pairs.append(([kind, *said][:POSITIONS], program))
        return encode(pairs, self.vocabulary)

    def validation(self, size: int) -> list[ParserBatch]:
        """All validation sentences, batched by length."""
        reader = Reader(self.vocabulary)
        pairs = sorted(
            (((one.kind.word, *reader.read(one.text).words), one.program) for one in self.val),
            key=lambda pair: (len(pair[1]), len(pair[0])),
        )
        return [encode(pairs[start : start + size], self.vocabulary) for start in range(0, len(pairs), size)]

    def fingerprint(self) -> str:
        """A hash of the data, to check that a resumed run has the same sentences."""
        return hashlib.sha256(repr((self.description.fingerprint(), self.train, self.val)).encode()).hexdigest()


def prepare(train: Sequence[SceneQuestions], val: Sequence[SceneQuestions], size: ParserSize) -> ParserData:
    """Collect the sentences of both splits; the vocabulary is that of the training sentences and all referring expressions.

    Raises `DatasetError` if a split has no programs, or if a sentence or program is too long.
    """
    learned, held_out = distinct_sentences(train, "train"), distinct_sentences(val, "val")
    for sentence in (*learned, *held_out):
        _require_short(sentence)
    kinds = [kind.word for kind in SentenceKind]
    vocabulary = Vocabulary.of([*(words(sentence.text) for sentence in learned), look_words(), kinds])
    return ParserData(Description.of(size, vocabulary), learned, held_out)


def _require_short(sentence: Sentence) -> None:
    said, tokens = len(words(sentence.text)), len(sentence.program)
    if not 1 <= said <= MAX_WORDS or tokens > MAX_TOKENS:
        raise DatasetError(
            f"expected 1 to {MAX_WORDS} words and a program of at most {MAX_TOKENS} tokens "
            f"(found {said} and {tokens}): {sentence.text}"
        )
