"""What a vision-language model is told and shown, out of prompts.yaml or a user's own file."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Final, NamedTuple

from comphy.dataset.sources.source import TARGET, VideoLengths
from comphy.errors import DatasetError
from comphy.questions.model import Question, QuestionKind
from comphy.scene.objects import FPS
from models.baselines.lvlm.config import ShownFrames
from models.llm.messages import Role
from models.llm.templates import check_slots, fill, read_template
from models.questions.question_types import ANSWERS, PAIR_JOINT, AnswerType, answer_type

CORRECT, WRONG = "correct", "wrong"
_VIDEO: Final = ("frames", "seconds")
_SLOTS: Final = {
    "system": (),
    "reference": ("number", "count", *_VIDEO),
    "target": _VIDEO,
    "factual": ("question", "answers"),
    "pair": ("question", "answers"),
    "choices": ("question", "options", "form"),
}
_NEEDED: Final = {"factual": ("question",), "pair": ("question",), "choices": ("question", "options")}


@dataclass(frozen=True)
class Template:
    """The texts of prompts.yaml, or of a user's own; their slots are checked."""

    system: str
    reference: str
    target: str
    factual: str
    pair: str
    choices: str

    def __post_init__(self) -> None:
        for name, slots in _SLOTS.items():
            check_slots(name, getattr(self, name), slots, _NEEDED.get(name, ()))


def load_template(path: Path | None = None) -> Template:
    """The template that ships with the toolkit, or the one in a file."""
    return read_template(Template, path, __package__, "prompts.yaml", "docs/howto/lvlm.md")


class Shown(NamedTuple):
    """Frames of a video of a set that are to be shown."""

    scene: int
    video: str
    numbers: tuple[int, ...]


class Turn(NamedTuple):
    """One turn of a conversation, with frames that are not drawn yet."""

    role: Role
    parts: tuple[str | Shown, ...]


Conversation = tuple[Turn, ...]


class Example(NamedTuple):
    """A question with its answer, about a set."""

    scene: int
    question: Question


class Prompter:
    """Makes conversations that end with a question about a set."""

    def __init__(self, template: Template, frames: ShownFrames, lengths: VideoLengths, show_examples: bool) -> None:
        self._template, self._frames, self._lengths = template, frames, lengths
        self._show_examples = show_examples

    def conversation(self, index: int, question: Question, examples: Sequence[Example] = ()) -> Conversation:
        turns = [Turn("system", (self._template.system,))]
        for example in examples:
            turns.append(self._asked(*example, shown=self._show_examples))
            turns.append(Turn("assistant", (answer_text(example.question),)))
        return (*turns, self._asked(index, question, shown=True))

    def _asked(self, index: int, question: Question, shown: bool) -> Turn:
        videos = self._videos(index) if shown else ()
        return Turn("user", (*videos, question_text(self._template, question)))

    def _videos(self, index: int) -> tuple[str | Shown, ...]:
        parts: list[str | Shown] = []
        references = self._lengths.references if self._frames.reference else 0
        for number, video in enumerate(self._lengths.videos[1 : references + 1], start=1):
            said = {"number": number, "count": references, **self._facts(video)}
            parts += [fill(self._template.reference, said), self._shown(index, video)]
        return (*parts, fill(self._template.target, self._facts(TARGET)), self._shown(index, TARGET))

    def _shown(self, index: int, video: str) -> Shown:
        return Shown(index, video, self._frames.numbers(video, self._lengths))

    def _facts(self, video: str) -> dict[str, str]:
        seconds = self._lengths.of(video) / FPS
        return {"frames": str(len(self._frames.numbers(video, self._lengths))), "seconds": f"{seconds:g}"}


def question_text(template: Template, question: Question) -> str:
    if question.kind is not QuestionKind.FACTUAL:
        letters = option_letters(question)
        options = "\n".join(f"{a}: {choice.text}" for a, choice in zip(letters, question.choices, strict=True))
        form = "\n".join(f"{letter}: {CORRECT} or {WRONG}" for letter in letters)
        return fill(template.choices, {"question": question.text, "options": options, "form": form})
    asked = answer_type(question)
    text = template.pair if is_pair(asked) else template.factual
    return fill(text, {"question": question.text, "answers": ", ".join(single_words(asked))})


def answer_text(question: Question) -> str:
    """The true answer in the form that is asked for."""
    if question.kind is QuestionKind.FACTUAL:
        return question.answer or ""
    verdicts = [CORRECT if choice.correct else WRONG for choice in question.choices]
    return "\n".join(f"{a}: {verdict}" for a, verdict in zip(option_letters(question), verdicts, strict=True))


def option_letters(question: Question) -> str:
    """The letters that options are called by, in their order."""
    if len(question.choices) > len(ascii_uppercase):
        raise DatasetError(
            f"question {question.question_id} ('{question.text}'): expected at most {len(ascii_uppercase)} choices "
            f"(found {len(question.choices)})."
        )
    return ascii_uppercase[: len(question.choices)]


def is_pair(kind: AnswerType) -> bool:
    return PAIR_JOINT in ANSWERS[kind][0]


def single_words(kind: AnswerType) -> tuple[str, ...]:
    """The words that answers of a type are made of."""
    return tuple(dict.fromkeys(word for answer in ANSWERS[kind] for word in answer.split(PAIR_JOINT)))


def digest(conversation: Conversation) -> str:
    """A short hash of what is said and which frames are shown."""
    return hashlib.sha256(json.dumps(conversation).encode()).hexdigest()[:16]
