"""Sentences with their programs: what the parser learns from and is scored on."""

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
    """What a sentence is; the programs of each kind have a form of their own."""

    FACTUAL = "factual"
    MULTIPLE_CHOICE = "multiple_choice"  # a question with choices, without them
    CHOICE = "choice"

    @property
    def word(self) -> str:
        """Stands before the sentence, to tell the model its kind. No text contains it."""
        return f"[{self}]"


@dataclass(frozen=True)
class Form:
    """What lies on the stack before the first token, and what the one value at the end may be."""

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
    """`program` has the operators' published names, whatever the file calls them."""

    kind: SentenceKind
    text: str
    program: Tokens


def read_program(tokens: Sequence[str], kind: SentenceKind, where: str = "") -> Program:
    """The typed program of a sentence, which has to be of the form of its kind."""
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
    """Each sentence once, in the order in which they first occur."""
    found = dict.fromkeys(sentence for scene in scenes for sentence in scene_sentences(scene))
    if not found:
        raise DatasetError(
            f"the {split} split holds no question with a program (found {len(scenes)} sets). "
            "Expected a dataset made by tools/generate.py, or a release with programs."
        )
    return list(found)
