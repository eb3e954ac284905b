"""What is said about a sentence that was not understood: why, and what may have been meant, in English."""

from collections.abc import Sequence
from dataclasses import dataclass

from comphy.language.meanings.descriptions import EventSelection
from comphy.language.meanings.from_program import meaning_of
from comphy.language.meanings.meaning import Compare, Count, Exist, Meaning, Option, Related
from comphy.language.sentences import canonical
from comphy.programs.program import Program
from models.pcr.parser.words.beyond import AUXILIARIES
from models.pcr.parser.words.reading import MAX_WORDS, words_of


def in_english(program: Program) -> str | None:
    """The plainest question that a program stands for; None if the language has no words for it, or if it asks how an
    object is related to itself."""
    meaning = meaning_of(program)
    return canonical(meaning) if meaning is not None and not _of_itself(meaning) else None


def _of_itself(meaning: Meaning) -> bool:
    if isinstance(meaning, Compare | Related | Option):
        return meaning.first == meaning.second
    what = meaning.what if isinstance(meaning, Exist | Count) else None
    return isinstance(what, EventSelection) and len(set(what.objects)) < len(what.objects)


@dataclass(frozen=True)
class NotUnderstood:
    """Why a sentence was refused. `unknown` maps each unknown word to similarly spelled known ones, the closest first;
    `words_differ` tells whether the most likely program mentions other colors, shapes and so on than the sentence,
    `left_out` are words that it has nothing for.
    `readings` are the nearest questions that can be answered, the likeliest first. `failure` is the reason where no program
    was found at all."""

    text: str
    unknown: dict[str, tuple[str, ...]]
    words_differ: bool
    program: Program
    probability: float
    readings: tuple[str, ...] = ()
    failure: str = ""
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.complaint} Did you mean: {_listed(self.readings)}" if self.readings else self.complaint

    @property
    def complaint(self) -> str:
        """What was not understood, without readings."""
        return f"I did not understand '{self.text}': {self._reason()}."

    def _reason(self) -> str:
        if self.failure:
            return self.failure
        count = len(words_of(self.text))
        if not 1 <= count <= MAX_WORDS:
            return f"expected 1 to {MAX_WORDS} words (found {count})"
        if self.left_out and self.left_out[0] in AUXILIARIES:
            return "it asks for yes or no, but the likeliest reading does not"
        if self.left_out:
            return "the likeliest reading leaves out " + " and ".join(f"'{word}'" for word in self.left_out)
        if self.unknown:
            hints = (
                f"'{word}'" + (f" (perhaps {' or '.join(close)}?)" if close else "")
                for word, close in self.unknown.items()
            )
            return f"unknown words: {'; '.join(hints)}"
        if self.words_differ:
            return "its words are known, but the likeliest reading has other colors, shapes or the like"
        return "its words are known, but what they ask together is not clear"


def _listed(readings: Sequence[str]) -> str:
    return " Or: ".join(readings)
