"""What is taught: sets as they are seen, with the questions about them, in batches that are made once.

Batches hold whole sets, so that what a set shows is worked out once for all its questions.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.programs.ops import OPS, Group
from comphy.programs.types import LITERALS, Premise, ValueType
from comphy.questions.model import Question, QuestionKind, SceneQuestions, Tokens
from models.pcr.executor.answers import Asked, Batch, asked_of, group
from models.pcr.tracks.observed import Observed, joined
from models.perceiver.cache.feature_cache import FeatureCache

_CHUNK: Final = 250  # sets that are turned into motion together
_HIDDEN: Final = (Group.HIDDEN, Group.COUNTERFACTUAL)
# What a premise takes for granted about the object: nothing that is heavy could become heavier.
_GRANTED: Final = {
    Premise.HEAVIER: "filter_light",
    Premise.LIGHTER: "filter_heavy",
    Premise.UNCHARGED: "filter_charged",
    Premise.OPPOSITE: "filter_charged",
}

Wanted = Callable[[Question], bool]


@dataclass(frozen=True)
class Lesson:
    """Sets (rows of what is observed) with the questions about them."""

    rows: Tensor
    batch: Batch

    def to(self, device: torch.device | str) -> "Lesson":
        return Lesson(self.rows.to(device), self.batch.to(device))


def observe(cache: FeatureCache, sets: Sequence[int]) -> Observed:
    """Sets of a cache in the given order."""
    parts = [sets[start : start + _CHUNK] for start in range(0, len(sets), _CHUNK)]
    return joined([Observed.of(cache.batch(part)) for part in parts])


def is_visible(question: Question) -> bool:
    """A factual question that no hidden property is needed for: lesson 1."""
    groups = {OPS[token].group for token in question.program if token in OPS}
    return is_factual(question) and not groups.intersection(_HIDDEN)


def is_factual(question: Question) -> bool:
    return question.kind is QuestionKind.FACTUAL


def is_any(question: Question) -> bool:
    return True


def make_lessons(scenes: Sequence[SceneQuestions], wanted: Wanted, size: int, imagine: bool) -> list[Lesson]:
    """Lessons of `size` sets; row i is set `scenes[i]`. With `imagine`, what the premises of counterfactual questions
    take for granted is taught along, as questions whose answer is yes."""
    lessons = []
    for start in range(0, len(scenes), size):
        asked: list[Asked] = []
        for row, scene in enumerate(scenes[start : start + size]):
            asked += [item for question in scene.questions if wanted(question) for item in asked_of(question, row)]
            if imagine:
                asked += [item for question in granted(scene.questions) for item in asked_of(question, row)]
        if asked:
            lessons.append(Lesson(torch.arange(start, min(start + size, len(scenes))), group(asked)))
    return lessons


def questions_in(lessons: Sequence[Lesson]) -> float:
    """Of one lesson, on average; each choice of a question is one."""
    return sum(len(lesson.batch) for lesson in lessons) / len(lessons)


def granted(questions: Iterable[Question]) -> list[Question]:
    """Learning by imagination: "if the red cube were heavier" says that there is a red cube, and that it is light."""
    statements: dict[Tokens, Question] = {}
    for question in questions:
        premise = next((LITERALS[token][1] for token in question.program if _is_premise(token)), None)
        if not isinstance(premise, Premise):
            continue
        named = _named_object(question.program)
        for program in ((*named, "exist"), (*named, _GRANTED[premise], "exist")):
            statements[program] = Question(question.question_id, QuestionKind.FACTUAL, "", program, answer="yes")
    return list(statements.values())


def _is_premise(token: str) -> bool:
    return token in LITERALS and LITERALS[token][0] is ValueType.PREMISE


def _named_object(program: Tokens) -> Tokens:
    """The part of a counterfactual question's program that picks the object."""
    start = program.index("objects")
    return program[start : program.index("unique", start)]
