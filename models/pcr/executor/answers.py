"""From questions to answers: distributions over the answer vocabulary, their losses, and the most likely answers as text.

Shapes: Q questions (a choice counts as one, answered yes or no), A answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from comphy.errors import DatasetError, ProgramError, did_you_mean
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.model import Question, QuestionKind
from models.pcr.executor.compiled import Compiled, compile_program
from models.pcr.executor.run import execute, taken
from models.pcr.executor.schedule import Schedule, Scheduler, Use
from models.pcr.executor.soft_logic import normalised
from models.pcr.executor.soft_scene import SoftScene
from models.questions.question_types import ANSWERS, AnswerType, unordered

ANSWER_WORDS: Final = tuple(word for words in ANSWERS.values() for word in words)
_PLACES: Final = {word: place for place, word in enumerate(ANSWER_WORDS)}
_STARTS: Final = dict(zip(ANSWERS, accumulate(map(len, ANSWERS.values()), initial=0), strict=False))
UNKNOWN: Final = -1  # the target of a question whose answer is not known


@dataclass(frozen=True)
class Asked:
    """A factual question, or one choice of a multiple-choice question, about the set in one row of a scene.

    `answer` is written as in the dataset files; for a choice it is a truth value. None if it is not known.
    """

    program: Compiled
    row: int
    answer: str | bool | None = None
    choice: bool = False


def asked_of(question: Question, row: int, where: str = "") -> list[Asked]:
    """Compile a question: one entry for a factual question, one per choice for any other.

    Raises `ProgramError` if a program is not well-typed; `where` is the prefix of its message.
    """
    place = f"{where + ': ' if where else ''}question {question.question_id}"
    if question.kind is QuestionKind.FACTUAL:
        return [Asked(compile_program(parse(question.program, where=place)), row, question.answer)]
    joined = ((choice, (*choice.program, *question.program)) for choice in question.choices)
    return [
        Asked(compile_program(parse(tokens, wanted=ValueType.BOOL, where=place)), row, choice.correct, choice=True)
        for choice, tokens in joined
    ]


@dataclass(frozen=True)
class _Ending:
    """Questions with the same answer types: the slice of ANSWER_WORDS these cover, and where the final values are."""

    start: int
    width: int
    use: Use


@dataclass(frozen=True)
class ProgramBatch:
    """Questions that run in one batch. `targets` [Q] are indices into ANSWER_WORDS, UNKNOWN where the answer is unknown."""

    schedule: Schedule
    endings: tuple[_Ending, ...]
    order: Tensor  # [Q]: row of each question in the concatenated results of all endings
    targets: Tensor
    choice: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.choice)

    def to(self, device: torch.device | str) -> "ProgramBatch":
        return replace(
            self,
            schedule=self.schedule.to(device),
            order=self.order.to(device),
            targets=self.targets.to(device),
        )


def group(asked: Sequence[Asked]) -> ProgramBatch:
    """Batch questions; answers, targets and losses keep the order of `asked`.

    Raises `ValueError` for no questions, `ProgramError` for a program that gives no answer, and `DatasetError` for an
    annotated answer that its program cannot give.
    """
    if not asked:
        raise ValueError("Expected at least one question to be asked (got none).")
    endless = next((question for question in asked if not question.program.answers), None)
    if endless is not None:
        last = endless.program.structure.batch_keys[-1].signature[0]
        raise ProgramError(f"expected a program that ends in an answer (found one that ends in '{last}')")
    scheduler = Scheduler([question.program for question in asked], [question.row for question in asked])
    roots = scheduler.values[scheduler.lasts]
    kinds: dict[tuple[AnswerType, ...], list[int]] = {}
    for number, question in enumerate(asked):
        kinds.setdefault(question.program.answers, []).append(number)
    endings = [
        _Ending(_STARTS[kind[0]], sum(len(ANSWERS[part]) for part in kind), scheduler.use(roots[numbers]))
        for kind, numbers in kinds.items()
    ]
    placed = np.concatenate([np.array(numbers) for numbers in kinds.values()])
    return ProgramBatch(
        scheduler.schedule(),
        tuple(endings),
        torch.from_numpy(np.argsort(placed)),
        torch.tensor([_target(question) for question in asked]),
        tuple(question.choice for question in asked),
    )


def run(batch: ProgramBatch, scene: SoftScene) -> Tensor:
    """Execute a batch. Returns [Q, A]: a distribution over ANSWER_WORDS, zero outside the question's answer types."""
    values = execute(batch.schedule, scene)
    parts = batch.schedule.parts
    found = []
    for ending in batch.endings:
        value = taken(ending.use, values, parts)
        assert isinstance(value, Tensor)
        chances = torch.stack([value, 1 - value], dim=-1) if value.dim() == 1 else value
        certain = normalised(chances)
        found.append(functional.pad(certain, (ending.start, len(ANSWER_WORDS) - ending.start - ending.width)))
    return torch.cat(found).index_select(0, batch.order)


def answer_losses(batch: ProgramBatch, chances: Tensor) -> Tensor:
    """[Q]: negative log-likelihood of the true answers; zero where the answer is not known."""
    known = batch.targets != UNKNOWN
    true = chances.gather(1, batch.targets.clamp(min=0)[:, None])[:, 0]
    return -torch.where(known, true, 1.0).log()


def best_answers(batch: ProgramBatch, chances: Tensor) -> list[str | bool]:
    """The most likely answers as the dataset files write them; for a choice, whether it is correct."""
    words = [ANSWER_WORDS[place] for place in chances.argmax(dim=1).tolist()]
    return [word == "yes" if choice else word for word, choice in zip(words, batch.choice, strict=True)]


def _target(question: Asked) -> int:
    if question.answer is None:
        return UNKNOWN
    truth = {True: "yes", False: "no"}
    word = unordered(question.answer) if isinstance(question.answer, str) else truth[question.answer]
    possible = [other for kind in question.program.answers for other in ANSWERS[kind]]
    if word not in possible:
        raise DatasetError(
            f"'{question.answer}' is no answer that the program can give; {did_you_mean(word, possible)}"
        )
    return _PLACES[word]
