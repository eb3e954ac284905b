"""What a language model is told: the question language out of the op table, examples, and the sentence to be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from comphy.programs.ops import OPS, Group, Op
from comphy.programs.types import LITERALS
from models.llm.messages import Message
from models.llm.templates import check_slots, fill, read_template
from models.pcr.parser.llm.examples import Examples
from models.pcr.parser.sentences import FORMS, SentenceKind

_SLOTS: Final = {
    "system": ("operators", "literals", "kinds"),
    "sentence": ("kind", "text"),
    "program": (),
    "retry": ("error",),
}
_NEEDED: Final = {"sentence": ("text",), "retry": ("error",)}
_UNKNOWN_KIND: Final = "question"


@dataclass(frozen=True)
class Template:
    """The texts of prompt.yaml, or of a user's own; their slots are checked."""

    system: str
    sentence: str
    program: str
    retry: str

    def __post_init__(self) -> None:
        for name, slots in _SLOTS.items():
            check_slots(name, getattr(self, name), slots, _NEEDED.get(name, ()))


def load_template(path: Path | None = None) -> Template:
    """The template that ships with the toolkit, or the one in a file."""
    return read_template(Template, path, __package__, "prompt.yaml", "docs/howto/llm_parser.md")


@dataclass(frozen=True)
class Prompt:
    """A conversation that ends with a sentence to be read."""

    text: str
    messages: tuple[Message, ...]
    lead: str  # stands before a program in plain text

    def plain(self) -> str:
        """For a model that continues a text: turns one below the other, up to where the program begins."""
        lines = []
        for message in self.messages:
            answered = message.role == "assistant"
            lines.append(f"{self.lead} {message.text}\n" if answered else message.text)
            if message.role == "system":
                lines.append("")
        return "\n".join([*lines, self.lead])


class Prompter:
    """Makes the prompts of sentences, each with the `count` examples that are nearest to it."""

    def __init__(self, template: Template, examples: Examples, count: int) -> None:
        self.template = template
        self._examples, self._count = examples, count

    def prompt(self, text: str, kinds: Sequence[SentenceKind]) -> Prompt:
        """The prompt of a sentence that is of one of the kinds; the nearest example comes last."""
        turns: list[Message] = []
        for example in reversed(self._examples.nearest(text, kinds, self._count)):
            said = self._said(example.text, (example.kind,) if len(kinds) == 1 else kinds)
            turns += [said, Message("assistant", " ".join(example.program))]
        return Prompt(text, (self._system, *turns, self._said(text, kinds)), self.template.program)

    @cached_property
    def _system(self) -> Message:
        slots = {"operators": _operators(), "literals": _literals(), "kinds": _kinds()}
        return Message("system", fill(self.template.system, slots))

    def _said(self, text: str, kinds: Sequence[SentenceKind]) -> Message:
        kind = kinds[0].replace("_", " ") if len(kinds) == 1 else _UNKNOWN_KIND
        return Message("user", fill(self.template.sentence, {"kind": kind, "text": text}))


def _operators() -> str:
    groups = ((group, [op for op in OPS.values() if op.group is group]) for group in Group)
    return "\n".join(line for group, ops in groups for line in (f"{group}:", *map(_operator, ops)))


def _operator(op: Op) -> str:
    takes = " | ".join(f"{', '.join(one.params) or 'nothing'} -> {one.result}" for one in op.signatures)
    return f"- {op.name}: {takes}; {op.meaning}"


def _literals() -> str:
    by_type: dict[str, list[str]] = {}
    for word, (kind, _) in LITERALS.items():
        by_type.setdefault(kind, []).append(word)
    return "\n".join(f"- {kind}: {', '.join(words)}" for kind, words in by_type.items())


def _kinds() -> str:
    lines = []
    for kind, form in FORMS.items():
        given = f"begins with {', '.join(form.given)} on the stack and " if form.given else ""
        lines.append(f"- {kind.replace('_', ' ')}: the program {given}ends in {' or '.join(sorted(form.wanted))}.")
    either = " or ".join(str(kind).replace("_", " ") for kind in FORMS if kind is not SentenceKind.CHOICE)
    return "\n".join([*lines, f"- {_UNKNOWN_KIND}: {either}."])
