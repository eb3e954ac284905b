"""What runs take for what: of every family, how often a true answer was given which one. Of questions with choices, every
choice is a case: it is correct or wrong, and was held to be so."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from comphy.dataset.submission import Answer, Submission
from comphy.questions.model import Question, SceneQuestions

Json = dict[str, Any]
NOTHING: Final = "no answer"
_HELD: Final = {True: "correct", False: "wrong"}


def confusion(truth: Sequence[SceneQuestions], answers: Submission) -> list[Json]:
    """By kind and family, cells of a true answer, a given one, and how often this was so."""
    families: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for scene in truth:
        for question in scene.questions:
            cases = _cases(question, answers.get((scene.scene_index, question.question_id)))
            families.setdefault((str(question.kind), question.family), Counter()).update(cases)
    return [
        {"kind": kind, "family": family, "cells": [[true, given, count] for (true, given), count in found.items()]}
        for (kind, family), found in families.items()
        if found
    ]


def _cases(question: Question, answer: Answer | None) -> Iterator[tuple[str, str]]:
    if not question.choices:
        if question.answer is not None:
            yield question.answer, answer if isinstance(answer, str) else NOTHING
        return
    for choice in question.choices:
        if choice.correct is not None:
            held = answer.get(choice.choice_id) if not isinstance(answer, str) and answer is not None else None
            yield _HELD[choice.correct], NOTHING if held is None else _HELD[held]
