"""Finds the probability from which on a parse is to be believed, on sentences of which it is known what they mean.

Held-out sentences as they are, the same with some words unknown, and words drawn at random, which mean nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.questions.model import Tokens
from models.pcr.parser.parser import Parser
from models.pcr.parser.sentences import Sentence, SentenceKind
from models.pcr.parser.training.augmentation import Augmentation, varied
from models.questions.tokens import words

MOST_MISREAD: Final = 0.02  # of the sentences that count as understood
MOST_REFUSED: Final = 0.005  # of held-out sentences that are read right
_MARGIN: Final = 2.0  # other sentences may have log-probabilities that are so many times as low
_SENTENCES: Final = 240  # that are tried
_WITH_GAPS: Final = Augmentation(gaps=1, swap=0, specific=0)


@dataclass(frozen=True)
class CalibrationExample:
    """`program` is None if the words mean nothing; `plain` is a sentence as it is."""

    kind: SentenceKind
    words: tuple[str, ...]
    program: Tokens | None
    plain: bool = False


def calibration_examples(
    sentences: Sequence[Sentence], vocabulary: Sequence[str], rng: np.random.Generator
) -> list[CalibrationExample]:
    """Three calibration_examples of each sentence."""
    known = [word for word in vocabulary if word.isalnum()]
    made: list[CalibrationExample] = []
    for sentence in sentences:
        said = tuple(words(sentence.text))
        gapped, program = varied(said, sentence.program, _WITH_GAPS, rng)
        made += [
            CalibrationExample(sentence.kind, said, sentence.program, plain=True),
            CalibrationExample(sentence.kind, tuple(gapped), tuple(program)),
            CalibrationExample(sentence.kind, tuple(map(str, rng.choice(known, len(said)))), None),
        ]
    return made


def lowest_trusted(scores: Sequence[float], right: Sequence[bool], most_wrong: float) -> float:
    """The lowest log-probability such that, of those that reach it, at most a share of `most_wrong` is wrong.

    If there is none, only certainty can be trusted.
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    wrong = np.cumsum(~np.asarray(right)[order])
    good = np.flatnonzero(wrong <= most_wrong * np.arange(1, len(order) + 1))
    return float(np.asarray(scores)[order[good[-1]]]) if len(good) else 0.0


def calibrated_threshold(
    parser: Parser, sentences: Sequence[Sentence], vocabulary: Sequence[str], rng: np.random.Generator
) -> float:
    """The log-probability from which on a parse counts as understood."""
    chosen = [sentences[i] for i in np.linspace(0, len(sentences) - 1, min(_SENTENCES, len(sentences))).astype(int)]
    tried = calibration_examples(chosen, vocabulary, rng)
    by_kind = {kind: [example for example in tried if example.kind is kind] for kind in SentenceKind}
    decoded = {kind: parser.decode([example.words for example in some], kind) for kind, some in by_kind.items()}
    outcomes = [pair for kind, some in by_kind.items() for pair in zip(some, decoded[kind], strict=True)]
    trusted = lowest_trusted(
        [one.log_probability for _, one in outcomes],
        [one.tokens == example.program for example, one in outcomes],
        MOST_MISREAD,
    )
    plain = [one.log_probability for example, one in outcomes if example.plain and one.tokens == example.program]
    return min(trusted, _MARGIN * float(np.quantile(plain, MOST_REFUSED))) if plain else trusted
