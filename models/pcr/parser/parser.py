"""The parser's interface: sentences to well-typed programs, and an explanation where a sentence was not understood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch

from comphy.programs.program import Program
from comphy.questions.model import Tokens
from models.pcr.parser.decoding import Decoded, decode
from models.pcr.parser.network import POSITIONS, ProgramTransformer
from models.pcr.parser.phrases import words_differ
from models.pcr.parser.reading import Reader, Reading
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program
from models.pcr.parser.storage import load_saved
from models.questions.padding import pad
from models.questions.tokens import UNKNOWN, Vocabulary, words

MAX_TOKENS: Final = 48  # of a program
MAX_WORDS: Final = POSITIONS - 1  # of a sentence; one position is for the token of its kind
_BATCH: Final = 256


@dataclass(frozen=True)
class Parsed:
    """A sentence and its most likely program.

    `log_probability` is that of the whole program, `unknown` are the out-of-vocabulary words. A sentence is `understood`
    if its program is likely enough and mentions the same colors, materials, shapes, orders and `not` as the sentence.
    """

    text: str
    kind: SentenceKind
    program: Program
    log_probability: float
    unknown: tuple[str, ...]
    understood: bool

    @property
    def tokens(self) -> Tokens:
        return self.program.tokens


@dataclass(frozen=True)
class NotUnderstood:
    """Why a sentence was refused. `unknown` maps each unknown word to similarly spelled known ones, the closest first;
    `words_differ` tells whether the most likely program mentions other colors, shapes and so on than the sentence."""

    text: str
    unknown: dict[str, tuple[str, ...]]
    words_differ: bool
    program: Program
    probability: float

    def __str__(self) -> str:
        return (
            f"I did not understand '{self.text}': {self._reason()}. "
            f"The likeliest reading ({self.probability:.0%}) was: {self.program}"
        )

    def _reason(self) -> str:
        if self.unknown:
            hints = (
                f"'{word}'" + (f" (did you mean {' or '.join(close)}?)" if close else "")
                for word, close in self.unknown.items()
            )
            return f"unknown words: {'; '.join(hints)}"
        if not 1 <= len(words(self.text)) <= MAX_WORDS:
            return f"expected 1 to {MAX_WORDS} words (found {len(words(self.text))})"
        if self.words_differ:
            return "its words are known, but the likeliest reading has other colors, shapes or the like"
        return "its words are known, but not in this order"


class Parser:
    """Parses sentences. `threshold` is the lowest log-probability of a program that counts as understood."""

    def __init__(self, vocabulary: Vocabulary, module: ProgramTransformer, threshold: float) -> None:
        self.threshold = threshold
        self._reader = Reader(vocabulary)
        self._module = module.eval()
        self._automata = {kind: form.automaton() for kind, form in FORMS.items()}

    def parse_questions(self, texts: Sequence[str], kind: SentenceKind) -> list[Parsed]:
        """The most likely program of each sentence, whether it was understood or not."""
        readings = {text: self._reader.read(text) for text in texts}
        decoded = self.decode([reading.words for reading in readings.values()], kind)
        parsed = {
            text: self._parsed(text, kind, reading, one)
            for (text, reading), one in zip(readings.items(), decoded, strict=True)
        }
        return [parsed[text] for text in texts]

    def parse_question(self, text: str) -> Parsed:
        """Parse a question of unknown kind: as the kind whose program is more likely when the model is not told the kind."""
        said = self._reader.read(text).words
        kinds = (SentenceKind.FACTUAL, SentenceKind.MULTIPLE_CHOICE)
        kind = max(kinds, key=lambda kind: self.decode([said], kind, told=False)[0].log_probability)
        return self.parse_questions([text], kind)[0]

    def unknown_words(self, text: str) -> tuple[str, ...]:
        return self._reader.read(text).unknown

    def explain(self, parsed: Parsed) -> NotUnderstood | None:
        """Why a sentence was refused; None if it was understood."""
        if parsed.understood:
            return None
        hints = {word: self._reader.hints(word) for word in parsed.unknown}
        differ = words_differ(self._reader.read(parsed.text).words, parsed.tokens)
        return NotUnderstood(parsed.text, hints, differ, parsed.program, math.exp(parsed.log_probability))

    def decode(self, sentences: Sequence[Sequence[str]], kind: SentenceKind, told: bool = True) -> list[Decoded]:
        """Decode sentences of in-vocabulary words; `told` says whether the model is given their kind.

        Sentences are batched by length.
        """
        opening = self._opening(kind, told)
        order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
        decoded: dict[int, Decoded] = {}
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            tokens, _ = pad([self._reader.vocabulary.encode((*opening, *sentences[row][:MAX_WORDS])) for row in rows])
            device = next(self._module.parameters()).device
            found = decode(self._module, tokens.to(device), self._automata[kind], MAX_TOKENS)
            decoded |= dict(zip(rows, found, strict=True))
        return [decoded[row] for row in range(len(sentences))]

    def _opening(self, kind: SentenceKind, told: bool) -> tuple[str, ...]:
        """The token of the kind, or the unknown token; empty if the vocabulary has no tokens for kinds."""
        if kind.word not in self._reader.vocabulary.words:
            return ()
        return (kind.word if told else UNKNOWN,)

    def _parsed(self, text: str, kind: SentenceKind, reading: Reading, decoded: Decoded) -> Parsed:
        understood = (
            decoded.log_probability >= self.threshold
            and len(reading.words) <= MAX_WORDS
            and not words_differ(reading.words, decoded.tokens)
        )
        program = read_program(decoded.tokens, kind)
        return Parsed(text, kind, program, decoded.log_probability, reading.unknown, understood)


def load_parser(folder: Path, device: torch.device | str = "cpu") -> Parser:
    """Load the best parser of a training run."""
    description, module, threshold = load_saved(folder)
    return Parser(description.vocabulary(), module.to(device), threshold)
