"""Replaces the programs of a dataset's questions by parsed ones, and counts those that mean the same."""

from collections.abc import Sequence
from dataclasses import replace

from comphy.evaluation.intervals import Accuracy, grouped_accuracy
from comphy.programs.equivalence import same_meaning
from comphy.questions.model import Question, QuestionKind, SceneQuestions, Tokens
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.sentences import Sentence, SentenceKind, read_program, scene_sentences


def as_read(parser: QuestionParser, scenes: Sequence[SceneQuestions]) -> list[SceneQuestions]:
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


def read_as_meant(meant: Sequence[SceneQuestions], read: Sequence[SceneQuestions]) -> dict[SentenceKind, Accuracy]:
    """The share of sentences whose read program means the same as the true one, by kind; only of those that have one."""
    tallies: dict[SentenceKind, list[tuple[int, int]]] = {kind: [] for kind in SentenceKind}
    for truly, found in zip(meant, read, strict=True):
        programs = {(one.kind, one.text): one.program for one in scene_sentences(found)}
        pairs = [(one, programs[one.kind, one.text]) for one in scene_sentences(truly)]
        for kind, tally in tallies.items():
            rights = [means_same(one, program) for one, program in pairs if one.kind is kind]
            tally.append((sum(rights), len(rights)))
    shares = {kind: grouped_accuracy(tally) for kind, tally in tallies.items()}
    return {kind: share for kind, share in shares.items() if share is not None}


def means_same(sentence: Sentence, program: Tokens) -> bool:
    """Whether a program of a sentence means what its own does."""
    if program == sentence.program:
        return True
    return same_meaning(read_program(sentence.program, sentence.kind), read_program(program, sentence.kind))


def _kind(question: Question) -> SentenceKind:
    factual = question.kind is QuestionKind.FACTUAL
    return SentenceKind.FACTUAL if factual else SentenceKind.MULTIPLE_CHOICE
