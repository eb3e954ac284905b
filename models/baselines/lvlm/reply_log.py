"""Every reply of a model in the run's folder, one JSON object per line, so that nothing is asked twice."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from comphy.errors import DatasetError
from comphy.files import write_bytes
from models.llm.replies import Reply

REPLIES: Final = "replies.jsonl"


class ReplyKey(NamedTuple):
    """What a reply is to."""

    split: str
    scene_index: int
    question_id: int


@dataclass(frozen=True)
class KeptReply:
    """A reply, and the hash of what the model was told and shown."""

    prompt: str
    text: str
    tokens_read: int
    tokens_written: int
    cut_off: bool


class ReplyLog:
    """A line that a killed run left half-written is dropped; that question is asked again."""

    def __init__(self, out: Path) -> None:
        self._path = out / REPLIES
        self.replies: dict[ReplyKey, KeptReply] = {}
        if not self._path.is_file():
            return
        text = self._path.read_text(errors="replace")
        whole, _, rest = text.rpartition("\n")
        for number, line in enumerate(whole.splitlines(), start=1):
            key, kept = self._read(line, number)
            self.replies[key] = kept
        if rest:
            write_bytes(self._path, f"{whole}\n".encode() if whole else b"")

    def add(self, key: ReplyKey, prompt: str, reply: Reply) -> None:
        kept = KeptReply(prompt, reply.text, reply.tokens_read, reply.tokens_written, reply.cut_off)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a") as file:
            file.write(json.dumps(key._asdict() | vars(kept)) + "\n")
        self.replies[key] = kept

    def has(self, key: ReplyKey, prompt: str) -> bool:
        """Whether there is a reply to this prompt. Raises `DatasetError` if there is one to another prompt."""
        kept = self.replies.get(key)
        if kept is not None and kept.prompt != prompt:
            raise DatasetError(
                f"{self._path}: the reply to question {key.question_id} of set {key.scene_index} ({key.split}) was to "
                "another prompt: the template or the dataset has changed since. Choose another --out."
            )
        return kept is not None

    def _read(self, line: str, number: int) -> tuple[ReplyKey, KeptReply]:
        try:
            record: dict[str, Any] = json.loads(line)
            key = ReplyKey(*(record.pop(name) for name in ReplyKey._fields))
            return key, KeptReply(**record)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DatasetError(
                f"{self._path}, line {number}: expected a reply of this command (found {line[:60]!r}). Delete the line, and "
                "the question is asked again; or choose another --out."
            ) from None
