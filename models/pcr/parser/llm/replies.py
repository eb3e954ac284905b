"""Takes the program out of what a chat model replies."""

import math
import re
from collections.abc import Sequence
from typing import Final

from comphy.errors import ProgramError
from comphy.programs.program import Program
from models.llm.replies import Reply, without_thoughts
from models.pcr.parser.sentences import SentenceKind, read_program

_FENCE: Final = re.compile(r"^```\w*\s*$")
_LABEL: Final = re.compile(r"^\s*(?:program|answer)\s*:\s*", re.IGNORECASE)


def program_line(text: str) -> str:
    """The last line of an answer that says something, without thoughts, fences and labels."""
    lines = [line.strip() for line in without_thoughts(text).splitlines()]
    said = [line for line in lines if line and not _FENCE.match(line)]
    return _LABEL.sub("", said[-1]).strip("`* ") if said else ""


def read_answer(text: str, kinds: Sequence[SentenceKind]) -> tuple[Program, SentenceKind]:
    """The program of an answer, and its kind. Raises `ProgramError`, of the first kind, if it is of none of them."""
    tokens = program_line(text).split()
    if not tokens:
        raise ProgramError("expected a program on one line (found an empty answer)")
    first: ProgramError | None = None
    for kind in kinds:
        try:
            return read_program(tokens, kind), kind
        except ProgramError as error:
            first = first or error
    assert first is not None
    raise first


def log_probability(reply: Reply) -> float:
    """Of the tokens that are the program's; 0 (not known) if the server says nothing."""
    line = program_line(reply.text)
    text = "".join(token for token, _ in reply.scores)
    start = text.rfind(line)
    if not reply.scores or start < 0:
        return 0.0
    total, place = 0.0, 0
    for token, score in reply.scores:
        if place < start + len(line) and place + len(token) > start:
            total += max(score, -1e4) if math.isfinite(score) else 0.0
        place += len(token)
    return min(total, 0.0)
