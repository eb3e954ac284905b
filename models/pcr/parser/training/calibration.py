"""Calibrates the confidence threshold from which a parse is accepted (selective prediction).

Calibration examples: held-out sentences of the grammar (of the dataset where there is no grammar), and the same with
typing errors and gaps. Sentences of the dataset, which are easy, would hide what is misread of others: they only keep the
threshold from refusing them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.questions.model import Tokens
from models.pcr.parser.parser import Parser
from models.pcr.parser.sentences import Sentence, SentenceKind
from models.pcr.parser.training.augmentation import Augmentation, disturbed
from models.pcr.parser.words.reading import words_of

MOST_MISREAD: Final = 0.015  # share of accepted examples with a wrong program, at most
MOST_REFUSED: Final = 0.005  # share of correctly parsed sentences of the dataset that are refused, at most
_SENTENCES: Final = 600  # of the dataset, and as many of the grammar, at most; evenly spaced in the held-out sentences
_DISTURBED: Final = Augmentation(gaps=0.1, typos=0.7, preamble=0.1, swap=0)


@dataclass(frozen=True)
class CalibrationExample:
    """`plain` marks a sentence of the dataset."""

    kind: SentenceKind
    words: tuple[str, ...]
    program: Tokens
    plain: bool = False


def calibration_examples(sentences: Sequence[Sentence], rng: np.random.Generator) -> list[CalibrationExample]:
    """Two examples per sentence: unmodified and disturbed."""
    made: list[CalibrationExample] = []
    for sentence in sentences:
        said = tuple(words_of(sentence.text))
        made += [
            CalibrationExample(sentence.kind, said, sentence.program),
            CalibrationExample(sentence.kind, tuple(disturbed(said, _DISTURBED, rng)), sentence.program),
        ]
    return made


def _plain(sentence: Sentence) -> CalibrationExample:
    return CalibrationExample(sentence.kind, tuple(words_of(sentence.text)), sentence.program, plain=True)


def lowest_trusted(scores: Sequence[float], right: Sequence[bool], most_wrong: float) -> float:
    """The lowest threshold on log-probability at which at most a share `most_wrong` of the accepted examples is wrong.

    0.0 (probability 1) if there is no such threshold.
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    wrong = np.cumsum(~np.asarray(right, bool)[order])
    good = np.flatnonzero(wrong <= most_wrong * np.arange(1, len(order) + 1))
    return float(np.asarray(scores)[order[good[-1]]]) if len(good) else 0.0


def calibrated_threshold(
    parser: Parser, sentences: Sequence[Sentence], of_grammar: Sequence[Sentence], rng: np.random.Generator
) -> float:
    """The log-probability from which a parse is accepted, among parses that speak of what their sentences do."""
    tried = calibration_examples(_spread(of_grammar or sentences), rng)
    tried += map(_plain, _spread(sentences))
    by_kind = {kind: [example for example in tried if example.kind is kind] for kind in SentenceKind}
    decoded = {kind: parser.decode([example.words for example in some], kind) for kind, some in by_kind.items()}
    outcomes = [pair for kind, some in by_kind.items() for pair in zip(some, decoded[kind], strict=True)]
    agreed = [(example, one) for example, one in outcomes if parser.agrees(example.words, one.tokens)]
    trying = [(example, one) for example, one in agreed if not example.plain]
    trusted = lowest_trusted(
        [one.log_probability for _, one in trying],
        [one.tokens == example.program for example, one in trying],
        MOST_MISREAD,
    )
    plain = [one.log_probability for example, one in agreed if example.plain and one.tokens == example.program]
    return min(trusted, float(np.quantile(plain, MOST_REFUSED))) if plain else trusted


def _spread(sentences: Sequence[Sentence]) -> list[Sentence]:
    """At most `_SENTENCES` of them, evenly spaced."""
    if not sentences:
        return []
    places = np.linspace(0, len(sentences) - 1, min(_SENTENCES, len(sentences))).astype(int)
    return [sentences[place] for place in places]
