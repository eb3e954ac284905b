"""Questions of a dataset in other words, made from their programs alone, and questions that no dataset asks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from comphy.language.meanings.from_program import meaning_of
from comphy.language.meanings.meaning import Meaning
from comphy.language.meanings.random_meanings import RandomMeanings
from comphy.language.noise import contracted, with_typing_errors
from comphy.language.options import Part
from comphy.language.sentences import sentence
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions, Tokens

CONTRACTED: Final = 0.35  # share of sentences with contractions
_MISSPELT: Final = 0.1  # share of words
Rewrite = Callable[[Meaning], str | None]


def held_out(
    scenes: Sequence[SceneQuestions], rng: np.random.Generator, words: bool, frames: bool, part: Part = Part.TEST
) -> list[SceneQuestions]:
    """The same questions and choices, each with at least one word or frame of a held-out part; those without a wording of
    the kind are left out."""
    return _rewritten(scenes, lambda meaning: held_out_sentence(meaning, part, words, frames, rng))


def misspelt(scenes: Sequence[SceneQuestions], rng: np.random.Generator) -> list[SceneQuestions]:
    """The same questions and choices in training's words and frames, each with at least one typing error."""

    def rewrite(meaning: Meaning) -> str | None:
        text = sentence(meaning, rng)
        return with_typing_errors(text, _MISSPELT, rng) if text is not None else None

    return _rewritten(scenes, rewrite)


def held_out_sentence(meaning: Meaning, part: Part, words: bool, frames: bool, rng: np.random.Generator) -> str | None:
    """A sentence with held-out words, frames or both; None if there is none."""
    text = sentence(meaning, rng, part if words else Part.TRAIN, part if frames else Part.TRAIN)
    return contracted(text) if text is not None and rng.random() < CONTRACTED else text


def random_questions(count: int, rng: np.random.Generator) -> list[SceneQuestions]:
    """Sets of one factual question and one with a choice, about anything, in canonical words."""
    meanings = RandomMeanings(rng)
    scenes = []
    for index in range(count):
        asked, option = meanings.open(), meanings.option()
        kind = QuestionKind.PREDICTIVE if asked.counterfactual is None else QuestionKind.COUNTERFACTUAL
        choices = (Choice(0, "", option.tokens, None),)
        factual = Question(0, QuestionKind.FACTUAL, "", meanings.factual().tokens)
        scenes.append(SceneQuestions(index, "", (factual, Question(1, kind, "", asked.tokens, choices=choices))))
    return scenes


def _rewritten(scenes: Sequence[SceneQuestions], rewrite: Rewrite) -> list[SceneQuestions]:
    return [replace(one, questions=tuple(_questions(one.questions, rewrite))) for one in scenes]


def _questions(questions: Sequence[Question], rewrite: Rewrite) -> list[Question]:
    found = []
    for question in questions:
        factual = question.kind is QuestionKind.FACTUAL
        text = _text(question.program, () if factual else (ValueType.EVENT,), None, rewrite)
        choices = tuple(
            replace(choice, text=said)
            for choice in question.choices
            if (said := _text(choice.program, (), ValueType.EVENT, rewrite)) is not None
        )
        if text is not None:
            found.append(replace(question, text=text, choices=choices))
    return found


def _text(program: Tokens, given: tuple[ValueType, ...], wanted: ValueType | None, rewrite: Rewrite) -> str | None:
    meaning = meaning_of(parse(program, given, wanted))
    return rewrite(meaning) if meaning is not None else None
