"""Sentences with their programs: the training and evaluation data of the parser."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comphy.errors import DatasetError, ProgramError
from comphy.programs.program import Program, parse
from comphy.programs.types import ANSWER_TYPES, ValueType
from comphy.questions.model import QuestionKind, SceneQuestions, Tokens
from models.pcr.parser.automaton import Automaton, Types


class SentenceKind(StrEnum):
    """Kinds of sentences; the programs of each kind have their own input and output types."""

    FACTUAL = "factual"
    MULTIPLE_CHOICE = "multiple_choice"  # the question only; its choices are sentences of their own
    CHOICE = "choice"

    @property
    def word(self) -> str:
        """The special token that precedes a sentence to give the model its kind."""
        return f"[{self}]"


@dataclass(frozen=True)
class Form:
    """The type signature of a kind's programs: types on the stack at the start, and allowed types of the result."""

    given: tuple[ValueType, ...]
    wanted: Types

    def automaton(self) -> Automaton:
        return Automaton(tuple(frozenset({kind}) for kind in self.given), self.wanted)


FORMS: Final = {
    SentenceKind.FACTUAL: Form((), ANSWER_TYPES),
    SentenceKind.MULTIPLE_CHOICE: Form((ValueType.EVENT,), frozenset({ValueType.BOOL})),
    SentenceKind.CHOICE: Form((), frozenset({ValueType.EVENT})),
}


@dataclass(frozen=True)
class Sentence:
    """A sentence and its program, with the operators' published names (aliases in the file are resolved)."""

    kind: SentenceKind
    text: str
    program: Tokens


def read_program(tokens: Sequence[str], kind: SentenceKind, where: str = "") -> Program:
    """Parse and type-check the program of a sentence. Raises `ProgramError` if it has not the form of its kind."""
    form = FORMS[kind]
    only = next(iter(form.wanted)) if len(form.wanted) == 1 else None
    program = parse(tokens, form.given, only, where)
    if program.root.type not in form.wanted or program.given != form.given:
        raise ProgramError(
            f"{where + ': ' if where else ''}expected a program that takes ({', '.join(form.given)}) and gives "
            f"{' or '.join(sorted(form.wanted))} (found one that takes ({', '.join(program.given)}) and gives "
            f"{program.root.type}): {program}"
        )
    return program


def scene_sentences(scene: SceneQuestions) -> Iterator[Sentence]:
    """Every question and every choice whose program is known."""
    for question in scene.questions:
        where = f"scene {scene.scene_index}: question {question.question_id}"
        factual = question.kind is QuestionKind.FACTUAL
        kind = SentenceKind.FACTUAL if factual else SentenceKind.MULTIPLE_CHOICE
        if question.program:
            yield Sentence(kind, question.text, read_program(question.program, kind, where).tokens)
        for choice in question.choices:
            if choice.program:
                program = read_program(choice.program, SentenceKind.CHOICE, f"{where}: choice {choice.choice_id}")
                yield Sentence(SentenceKind.CHOICE, choice.text, program.tokens)


def distinct_sentences(scenes: Sequence[SceneQuestions], split: str) -> list[Sentence]:
    """The distinct sentences in order of first occurrence. Raises `DatasetError` if no question has a program."""
    found = dict.fromkeys(sentence for scene in scenes for sentence in scene_sentences(scene))
    if not found:
        raise DatasetError(
            f"the {split} split holds no question with a program (found {len(scenes)} sets). "
            "Expected a dataset made by comphy generate, or a release with programs."
        )
    return list(found)
