"""Questions of whole sets in batches, made once before training.

A batch holds all wanted questions about its sets, so that the scene of a set is computed once for all of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.programs.ops import OPS, Group
from comphy.programs.types import LITERALS, Premise, ValueType
from comphy.questions.model import Question, QuestionKind, SceneQuestions, Tokens
from models.pcr.executor.answers import Asked, ProgramBatch, asked_of, group

_HIDDEN: Final = (Group.HIDDEN, Group.COUNTERFACTUAL)
# What a premise presupposes about its object: "if it were heavier" says that it is light.
_PRESUPPOSED: Final = {
    Premise.HEAVIER: "filter_light",
    Premise.LIGHTER: "filter_heavy",
    Premise.UNCHARGED: "filter_charged",
    Premise.OPPOSITE: "filter_charged",
}

QuestionFilter = Callable[[Question], bool]


@dataclass(frozen=True)
class QuestionBatch:
    """Sets (rows of an `Observed`) with the questions about them."""

    rows: Tensor
    programs: ProgramBatch

    def to(self, device: torch.device | str) -> "QuestionBatch":
        return QuestionBatch(self.rows.to(device), self.programs.to(device))


def is_visible(question: Question) -> bool:
    """Whether it is a factual question about visible properties alone: stage 1 of the curriculum."""
    groups = {OPS[token].group for token in question.program if token in OPS}
    return is_factual(question) and not groups.intersection(_HIDDEN)


def is_factual(question: Question) -> bool:
    return question.kind is QuestionKind.FACTUAL


def is_any(question: Question) -> bool:
    return True


def make_question_batches(
    scenes: Sequence[SceneQuestions], wanted: QuestionFilter, size: int, imagine: bool
) -> list[QuestionBatch]:
    """Batches of `size` sets; row i is set `scenes[i]`. With `imagine`, the facts that counterfactual premises presuppose
    are added, as questions whose answer is yes."""
    batches = []
    for start in range(0, len(scenes), size):
        asked: list[Asked] = []
        for row, scene in enumerate(scenes[start : start + size]):
            asked += [item for question in scene.questions if wanted(question) for item in asked_of(question, row)]
            if imagine:
                asked += [item for question in presupposed_facts(scene.questions) for item in asked_of(question, row)]
        if asked:
            batches.append(QuestionBatch(torch.arange(start, min(start + size, len(scenes))), group(asked)))
    return batches


def mean_questions(batches: Sequence[QuestionBatch]) -> float:
    """Questions of a batch, on average; each choice of a question counts as one."""
    return sum(len(batch.programs) for batch in batches) / len(batches)


def presupposed_facts(questions: Iterable[Question]) -> list[Question]:
    """Learning by imagination (5.2.2): "if the red cube were heavier" presupposes that there is a red cube, and that it is
    light. Each fact is a question whose answer is yes."""
    statements: dict[Tokens, Question] = {}
    for question in questions:
        premise = next((LITERALS[token][1] for token in question.program if _is_premise(token)), None)
        if not isinstance(premise, Premise):
            continue
        named = _named_object(question.program)
        for program in ((*named, "exist"), (*named, _PRESUPPOSED[premise], "exist")):
            statements[program] = Question(question.question_id, QuestionKind.FACTUAL, "", program, answer="yes")
    return list(statements.values())


def _is_premise(token: str) -> bool:
    return token in LITERALS and LITERALS[token][0] is ValueType.PREMISE


def _named_object(program: Tokens) -> Tokens:
    """The part of a counterfactual question's program that picks the premise's object."""
    start = program.index("objects")
    return program[start : program.index("unique", start)]
