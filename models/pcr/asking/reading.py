"""Parses an English question and its choices into a `Query`."""

import math
from collections.abc import Sequence

from comphy.errors import ProgramError
from models.pcr.asking.question import Option, Query
from models.pcr.parser.interface import Parsed, QuestionParser
from models.pcr.parser.sentences import SentenceKind
from models.pcr.parser.words.refusal import NotUnderstood, in_english


class NotUnderstoodError(ProgramError):
    """A question or a choice that the parser does not understand, with the nearest readings that it does."""

    def __init__(self, refusal: NotUnderstood, opening: str = "") -> None:
        super().__init__(f"{opening}{refusal}")
        self.refusal = refusal


def read_question(parser: QuestionParser, text: str, choices: Sequence[str] = ()) -> Query:
    """Parse a question and its choices. Raises `NotUnderstoodError` if the parser does not understand one of
    them."""
    parsed = _understood(parser, parser.parse_question(text), "")
    options = [
        _understood(parser, choice, f"choice {number}: ")
        for number, choice in enumerate(parser.parse_questions(choices, SentenceKind.CHOICE), start=1)
    ]
    certainty = math.exp(min(one.log_probability for one in (parsed, *options)))
    chosen = tuple(Option(one.text, one.program) for one in options)
    return Query(text, parsed.program, chosen, certainty, in_english(parsed.program) or "")


def _understood(parser: QuestionParser, parsed: Parsed, opening: str) -> Parsed:
    refusal = parser.explain(parsed)
    if refusal is not None:
        raise NotUnderstoodError(refusal, opening)
    return parsed
