"""The trained parser: sentences to well-typed programs, and an explanation where a sentence was not understood."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch

from models.pcr.parser.decoding import Decoded, best_programs, decode
from models.pcr.parser.encoding import encode_words
from models.pcr.parser.interface import KINDS_OF_QUESTIONS, MAX_TOKENS, Parsed
from models.pcr.parser.network import ProgramTransformer
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program
from models.pcr.parser.storage import load_saved
from models.pcr.parser.words.agreement import unsaid, words_differ
from models.pcr.parser.words.beyond import beyond
from models.pcr.parser.words.evidence import has_evidence
from models.pcr.parser.words.reading import MAX_WORDS, UNKNOWN, Reader, Reading, SubwordVocabulary
from models.pcr.parser.words.refusal import NotUnderstood, in_english

_BATCH: Final = 256
_BEAMS: Final = 6
_READINGS: Final = 3  # that are offered, at most


class Parser:
    """Parses sentences. `threshold` is the lowest log-probability of a program that counts as understood."""

    def __init__(self, vocabulary: SubwordVocabulary, module: ProgramTransformer, threshold: float) -> None:
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
        kind = max(KINDS_OF_QUESTIONS, key=lambda kind: self.decode([said], kind, told=False)[0].log_probability)
        return self.parse_questions([text], kind)[0]

    def unknown_words(self, text: str) -> tuple[str, ...]:
        return self._reader.read(text).unknown

    def explain(self, parsed: Parsed) -> NotUnderstood | None:
        """Why a sentence was refused; None if it was understood."""
        if parsed.understood:
            return None
        hints = {word: self._reader.hints(word) for word in parsed.unknown}
        words = self._reader.read(parsed.text).words
        differ, left_out = not self.agrees(words, parsed.tokens), beyond(words, parsed.tokens)
        chance = math.exp(parsed.log_probability)
        return NotUnderstood(
            parsed.text, hints, differ, parsed.program, chance, self.readings(parsed), left_out=left_out
        )

    def readings(self, parsed: Parsed) -> tuple[str, ...]:
        """The nearest sentences that can be read for sure, in plain English: those that speak of the same colors, shapes and
        so on first, of these those that leave nothing out, and the likeliest of these."""
        words = self._reader.read(parsed.text).words[:MAX_WORDS]
        kinds = KINDS_OF_QUESTIONS if parsed.kind in KINDS_OF_QUESTIONS else (parsed.kind,)
        found: list[tuple[bool, bool, float, str]] = []
        for kind in kinds:
            encoded = encode_words([(*self._opening(kind, told=False), *words)], self._reader.vocabulary)
            device = next(self._module.parameters()).device
            given = (encoded.to(device), self._automata[kind], MAX_TOKENS, _BEAMS, self._unsaid(words))
            for one in best_programs(self._module, *given):
                english = in_english(read_program(one.tokens, kind))
                if english is not None:
                    whole = not beyond(words, one.tokens)
                    found.append((self.agrees(words, one.tokens), whole, one.log_probability, english))
        return tuple(dict.fromkeys(english for *_, english in sorted(found, reverse=True)))[:_READINGS]

    def remarks(self) -> Sequence[str]:
        return ()

    def agrees(self, words: Sequence[str], program: Sequence[str]) -> bool:
        """Whether a program speaks of the colors, materials, shapes and orders of its sentence."""
        return not words_differ(words, program, self._unknown(words))

    def _unsaid(self, words: Sequence[str]) -> frozenset[str]:
        return unsaid(words, self._unknown(words))

    def _unknown(self, words: Sequence[str]) -> list[str]:
        return [word for word in words if word not in self._reader.vocabulary]

    def decode(self, sentences: Sequence[Sequence[str]], kind: SentenceKind, told: bool = True) -> list[Decoded]:
        """Decode sentences given as words; `told` says whether the model is given their kind.

        Sentences are batched by length.
        """
        opening = self._opening(kind, told)
        order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
        decoded: dict[int, Decoded] = {}
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            tokens = encode_words([(*opening, *sentences[row][:MAX_WORDS]) for row in rows], self._reader.vocabulary)
            device = next(self._module.parameters()).device
            excluded = [self._unsaid(sentences[row]) for row in rows]
            found = decode(self._module, tokens.to(device), self._automata[kind], MAX_TOKENS, excluded)
            decoded |= dict(zip(rows, found, strict=True))
        return [decoded[row] for row in range(len(sentences))]

    def _opening(self, kind: SentenceKind, told: bool) -> tuple[str, ...]:
        """The token of the kind, or the unknown token; empty if the vocabulary has no tokens for kinds."""
        if kind.word not in self._reader.vocabulary:
            return ()
        return (kind.word if told else UNKNOWN,)

    def _parsed(self, text: str, kind: SentenceKind, reading: Reading, decoded: Decoded) -> Parsed:
        understood = (
            decoded.log_probability >= self.threshold
            and len(reading.words) <= MAX_WORDS
            and self.agrees(reading.words, decoded.tokens)
            and has_evidence(reading.words, decoded.tokens)
            and not beyond(reading.words, decoded.tokens)
        )
        program = read_program(decoded.tokens, kind)
        return Parsed(text, kind, program, decoded.log_probability, reading.unknown, understood)


def load_parser(folder: Path, device: torch.device | str = "cpu") -> Parser:
    """Load the best parser of a training run."""
    description, module, threshold = load_saved(folder)
    return Parser(description.vocabulary(), module.to(device), threshold)
