"""Calibrates the confidence threshold from which a parse is accepted (selective prediction).

Calibration examples: held-out sentences, the same with word dropout, and random word sequences without a meaning.
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

MOST_MISREAD: Final = 0.02  # share of accepted examples with a wrong program, at most
MOST_REFUSED: Final = 0.005  # share of correctly parsed held-out sentences that are refused, at most
_MARGIN: Final = 2.0  # factor on the log-probability of held-out sentences, for sentences from elsewhere
_SENTENCES: Final = 240  # at most; evenly spaced in the held-out sentences
_WITH_GAPS: Final = Augmentation(gaps=1, swap=0, specific=0)


@dataclass(frozen=True)
class CalibrationExample:
    """`program` is None for random words; `plain` marks an unmodified sentence."""

    kind: SentenceKind
    words: tuple[str, ...]
    program: Tokens | None
    plain: bool = False


def calibration_examples(
    sentences: Sequence[Sentence], vocabulary: Sequence[str], rng: np.random.Generator
) -> list[CalibrationExample]:
    """Three examples per sentence: unmodified, with word dropout, and random words."""
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
    """The lowest threshold on log-probability at which at most a share `most_wrong` of the accepted examples is wrong.

    0.0 (probability 1) if there is no such threshold.
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    wrong = np.cumsum(~np.asarray(right)[order])
    good = np.flatnonzero(wrong <= most_wrong * np.arange(1, len(order) + 1))
    return float(np.asarray(scores)[order[good[-1]]]) if len(good) else 0.0


def calibrated_threshold(
    parser: Parser, sentences: Sequence[Sentence], vocabulary: Sequence[str], rng: np.random.Generator
) -> float:
    """The log-probability from which a parse is accepted."""
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
