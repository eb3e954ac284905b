"""Tokenisation of questions: words to token ids."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from comphy.questions.model import Choice, Question

PAD: Final = "[PAD]"  # fills a batch's shorter rows
UNKNOWN: Final = "[UNK]"  # stands for words that are not in the training split
SEPARATOR: Final = "[SEP]"  # between a question and one of its choices
SPECIAL: Final = (PAD, UNKNOWN, SEPARATOR)
PAD_ID: Final = 0

_WORD = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")


def words(text: str) -> list[str]:
    """Lower-case words without punctuation, which is the same in all questions."""
    return _WORD.findall(text.lower())


def question_words(question: Question) -> list[str]:
    return words(question.text)


def choice_words(question: Question, choice: Choice) -> list[str]:
    """A choice is read after its question, since the question may ask what would not happen."""
    return [*words(question.text), SEPARATOR, *words(choice.text)]


@dataclass(frozen=True)
class Vocabulary:
    """The words a model knows, in the order of their ids; the special tokens come first."""

    words: tuple[str, ...]
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.words[: len(SPECIAL)] != SPECIAL or len(set(self.words)) != len(self.words):
            raise ValueError(
                f"expected different words that begin with {', '.join(SPECIAL)} (got {self.words[:5]} ...)"
            )
        object.__setattr__(self, "_numbers", {word: number for number, word in enumerate(self.words)})

    @classmethod
    def of(cls, sentences: Iterable[Iterable[str]]) -> "Vocabulary":
        found = {word for sentence in sentences for word in sentence}
        return cls((*SPECIAL, *sorted(found - set(SPECIAL))))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, sentence: Iterable[str]) -> list[int]:
        unknown = self._numbers[UNKNOWN]
        return [self._numbers.get(word, unknown) for word in sentence]
