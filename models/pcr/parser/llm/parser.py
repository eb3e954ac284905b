"""A language model as the parser: what it writes becomes readings, checked and explained as those of the trained parser."""

import math
from collections.abc import Sequence
from typing import Final

from comphy.language.lexicon import training_words
from comphy.programs.program import Program
from models.pcr.parser.automaton import END, END_ID, PROGRAM_TOKENS
from models.pcr.parser.interface import KINDS_OF_QUESTIONS, MAX_TOKENS, Parsed
from models.pcr.parser.llm.prompt import Prompter
from models.pcr.parser.llm.writing import NotWritten, ProgramWriter, Written
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program
from models.pcr.parser.words.agreement import words_differ
from models.pcr.parser.words.reading import words_of
from models.pcr.parser.words.refusal import NotUnderstood, in_english

_READINGS: Final = 3  # that are offered, at most


class LLMParser:
    """Implements `QuestionParser`. A sentence is understood if the model wrote a program at least as likely as
    `least_certainty` that speaks of the same colors, materials, shapes and orders."""

    def __init__(self, writer: ProgramWriter, prompter: Prompter, least_certainty: float = 0.0) -> None:
        self._writer, self._prompter = writer, prompter
        self._least = least_certainty

    def parse_questions(self, texts: Sequence[str], kind: SentenceKind) -> list[Parsed]:
        """Every distinct sentence is read once."""
        distinct = list(dict.fromkeys(texts))
        parsed = dict(zip(distinct, self._read(distinct, (kind,)), strict=True))
        return [parsed[text] for text in texts]

    def parse_question(self, text: str) -> Parsed:
        return self._read([text], KINDS_OF_QUESTIONS)[0]

    def explain(self, parsed: Parsed) -> NotUnderstood | None:
        if parsed.understood:
            return None
        readings = () if parsed.failure else self._readings(parsed)
        differ = differs(parsed.text, parsed.tokens)
        chance = math.exp(parsed.log_probability)
        unsure = "" if differ else f"the likeliest reading has a probability of {chance:.1%}"
        failure = parsed.failure or unsure or "the language model read it with other colors, shapes or the like"
        return NotUnderstood(parsed.text, {}, differ, parsed.program, chance, readings, failure)

    def remarks(self) -> Sequence[str]:
        return self._writer.remarks()

    def _read(self, texts: Sequence[str], kinds: Sequence[SentenceKind]) -> list[Parsed]:
        prompts = [self._prompter.prompt(text, kinds) for text in texts]
        written = self._writer.write(prompts, kinds) if prompts else []
        return [self._parsed(text, one, kinds) for text, one in zip(texts, written, strict=True)]

    def _parsed(self, text: str, written: Written | NotWritten, kinds: Sequence[SentenceKind]) -> Parsed:
        unknown = tuple(dict.fromkeys(unknown_words(text)))
        if isinstance(written, NotWritten):
            return Parsed(text, kinds[0], stand_in(kinds[0]), -math.inf, unknown, False, written.reason)
        likely = math.exp(written.log_probability) >= self._least
        understood = likely and bool(words_of(text)) and not differs(text, written.program.tokens)
        return Parsed(text, written.kind, written.program, written.log_probability, unknown, understood)

    def _readings(self, parsed: Parsed) -> tuple[str, ...]:
        """The likeliest other readings in English, those that speak of the same colors and so on first."""
        kinds = KINDS_OF_QUESTIONS if parsed.kind in KINDS_OF_QUESTIONS else (parsed.kind,)
        found = self._writer.alternatives(self._prompter.prompt(parsed.text, kinds), kinds)
        found.sort(key=lambda one: differs(parsed.text, one.program.tokens))
        english = (in_english(one.program) for one in found)
        return tuple(dict.fromkeys(one for one in english if one is not None))[:_READINGS]


def unknown_words(text: str) -> list[str]:
    """Words that the grammar does not have; a language model may well know them."""
    return [word for word in words_of(text) if word.isalpha() and word not in training_words()]


def differs(text: str, program: Sequence[str]) -> bool:
    """Whether a program has other colors, materials, shapes or orders than its sentence."""
    return words_differ(words_of(text), program, unknown_words(text))


def stand_in(kind: SentenceKind) -> Program:
    """The shortest program of a kind: for sentences of which there is none."""
    automaton = FORMS[kind].automaton()
    for room in range(1, MAX_TOKENS + 1):
        stack, tokens = automaton.start, list[str]()
        for left in range(room, 0, -1):
            allowed = automaton.allowed(stack, left).nonzero()[0].tolist()
            if END_ID in allowed:
                return read_program(tokens, kind)
            if not allowed:
                break
            tokens.append(PROGRAM_TOKENS[allowed[0]])
            stack = automaton.after(stack, allowed[0])
    raise ValueError(f"no program of kind {kind} ends in {END}")
