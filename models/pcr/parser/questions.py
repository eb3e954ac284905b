"""Replaces the programs of a dataset's questions by parsed ones."""

from collections.abc import Sequence
from dataclasses import replace

from comphy.questions.model import Question, QuestionKind, SceneQuestions
from models.pcr.parser.parser import Parser
from models.pcr.parser.sentences import SentenceKind


def as_read(parser: Parser, scenes: Sequence[SceneQuestions]) -> list[SceneQuestions]:
    """Questions with the parser's program for each sentence, whether it was understood or not."""
    texts: dict[SentenceKind, list[str]] = {kind: [] for kind in SentenceKind}
    for question in (question for scene in scenes for question in scene.questions):
        texts[_kind(question)].append(question.text)
        texts[SentenceKind.CHOICE] += [choice.text for choice in question.choices]
    programs = {
        (kind, parsed.text): parsed.tokens
        for kind, written in texts.items()
        for parsed in parser.parse_questions(written, kind)
    }

    def read(question: Question) -> Question:
        choices = (replace(one, program=programs[SentenceKind.CHOICE, one.text]) for one in question.choices)
        return replace(question, program=programs[_kind(question), question.text], choices=tuple(choices))

    return [replace(scene, questions=tuple(map(read, scene.questions))) for scene in scenes]


def _kind(question: Question) -> SentenceKind:
    factual = question.kind is QuestionKind.FACTUAL
    return SentenceKind.FACTUAL if factual else SentenceKind.MULTIPLE_CHOICE
