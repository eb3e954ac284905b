"""Takes the program out of what a chat model replies: the reply of a server, and the text in it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from comphy.errors import EndpointError, ProgramError
from comphy.programs.program import Program
from models.pcr.parser.sentences import SentenceKind, read_program

_THOUGHT: Final = re.compile(r".*</think(?:ing)?>", re.DOTALL)
_FENCE: Final = re.compile(r"^```\w*\s*$")
_LABEL: Final = re.compile(r"^\s*(?:program|answer)\s*:\s*", re.IGNORECASE)
_SHOWN: Final = 200  # characters of an answer in a message


@dataclass(frozen=True)
class Reply:
    """What a model said, the log-probability of each of its tokens if the server gives them, and tokens read and written."""

    text: str
    scores: tuple[tuple[str, float], ...] = ()
    tokens_read: int = 0
    tokens_written: int = 0


def read_reply(record: Any, where: str) -> Reply:
    """The reply in the JSON of a server. Raises `EndpointError` for anything but the protocol's."""
    try:
        choice = record["choices"][0]
        text = choice["message"]["content"]
    except (KeyError, IndexError, TypeError):
        text = None
    if not isinstance(text, str):
        raise EndpointError(
            f"{where}: expected a reply of the chat protocol, with choices[0].message.content (found "
            f"{shown(str(record))}). Check the address: it ends where /chat/completions begins, mostly in /v1."
        )
    usage = record.get("usage") or {}
    return Reply(text, _scores(choice), _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _scores(choice: Any) -> tuple[tuple[str, float], ...]:
    try:
        tokens = choice["logprobs"]["content"]
        return tuple((str(one["token"]), float(one["logprob"])) for one in tokens)
    except (KeyError, TypeError, ValueError):
        return ()


def _count(usage: Any, name: str) -> int:
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) else 0


def program_line(text: str) -> str:
    """The last line of an answer that says something, without thoughts, fences and labels."""
    lines = [line.strip() for line in _THOUGHT.sub("", text).splitlines()]
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


def shown(text: str) -> str:
    """The beginning of a text, on one line, for a message."""
    line = " ".join(text.split())
    return f"'{line[:_SHOWN]}…'" if len(line) > _SHOWN else f"'{line}'"
