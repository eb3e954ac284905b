"""What a server of the chat protocol replies."""

import re
from dataclasses import dataclass
from typing import Any, Final

from comphy.errors import EndpointError

_THOUGHT: Final = re.compile(r".*</think(?:ing)?>", re.DOTALL)
_CUT_OFF: Final = "length"  # the protocol's finish_reason of a text that reached max_tokens
_SHOWN: Final = 200  # characters of an answer in a message


@dataclass(frozen=True)
class Reply:
    """What a model said, the log-probability of each of its tokens if the server gives them, tokens read and written, and
    whether the text was cut off."""

    text: str
    scores: tuple[tuple[str, float], ...] = ()
    tokens_read: int = 0
    tokens_written: int = 0
    cut_off: bool = False


def read_reply(record: Any, where: str) -> Reply:
    """The reply in the JSON of a server; no content, as of a model that refuses, is an empty text.

    Raises `EndpointError` for anything but the protocol's."""
    try:
        choice = record["choices"][0]
        text = choice["message"]["content"]
    except (KeyError, IndexError, TypeError):
        choice, text = {}, False
    if not isinstance(text, str | None):
        raise EndpointError(
            f"{where}: expected a reply of the chat protocol, with choices[0].message.content (found "
            f"{shown(str(record))}). Check the address: it ends where /chat/completions begins, mostly in /v1."
        )
    usage = record.get("usage") or {}
    tokens = (_count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))
    return Reply(text or "", _scores(choice), *tokens, choice.get("finish_reason") == _CUT_OFF)


def _scores(choice: Any) -> tuple[tuple[str, float], ...]:
    try:
        tokens = choice["logprobs"]["content"]
        return tuple((str(one["token"]), float(one["logprob"])) for one in tokens)
    except (KeyError, TypeError, ValueError):
        return ()


def _count(usage: Any, name: str) -> int:
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) else 0


def without_thoughts(text: str) -> str:
    """An answer without what a model thought aloud before it."""
    return _THOUGHT.sub("", text)


def shown(text: str) -> str:
    """The beginning of a text, on one line, for a message."""
    line = " ".join(text.split())
    return f"'{line[:_SHOWN]}…'" if len(line) > _SHOWN else f"'{line}'"
