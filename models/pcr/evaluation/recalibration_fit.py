"""Fits the recalibration of answers whose truth is known, by maximum likelihood.

Shapes: Q questions (a choice counts as one, answered yes or no), A answers.
"""

import math
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from comphy.evaluation.qa.calibration.calibration import Recalibration, rights
from comphy.questions.model import QuestionKind, SceneQuestions
from models.pcr.reasoner.answering import AnswerDistributions

COLDEST: Final = 0.05  # bounds of temperatures
HOTTEST: Final = 100.0
_STEPS: Final = 12  # of a range, each time it is narrowed
_ROUNDS: Final = 6
_MOST_BIAS: Final = 16.0
_HALVINGS: Final = 40


def fit_recalibrations(
    truth: Sequence[SceneQuestions], given: AnswerDistributions
) -> dict[QuestionKind, Recalibration]:
    """One for each kind of question that was asked; `truth` are the questions of `given` with their answers."""
    right = torch.tensor(
        [
            one
            for scene in truth
            for question in scene.questions
            for one in rights(question, given.answers[scene.scene_index, question.question_id])
        ]
    )
    kinds = given.kinds
    asked = {kind: torch.tensor([other is kind for other in kinds]) for kind in QuestionKind if kind in kinds}
    return {kind: fit_recalibration(given.chances[rows], right[rows]) for kind, rows in asked.items()}


def fit_recalibration(chances: Tensor, right: Tensor) -> Recalibration:
    """The temperature and bias under which it is most likely that just those answers are `right` [Q] that are: each is a
    Bernoulli variable with the confidence in the given answer, the most likely one of its distribution [Q, A], as its mean.

    Not the likelihood of the true answers is taken: a question that was parsed wrongly may have one that its program
    cannot give. Targets are smoothed as in Platt scaling, so that a few answers, all right, do not give 100 %."""
    chances = chances[:, chances.any(dim=0)].double()  # without answers that none of the questions can have
    targets = _smoothed(right)
    low, high = math.log(COLDEST), math.log(HOTTEST)
    for _ in range(_ROUNDS):
        grid = torch.linspace(low, high, _STEPS + 1, dtype=torch.double).tolist()
        found = [_with_best_bias(chances, targets, math.exp(point)) for point in grid]
        best = min(range(len(grid)), key=lambda number: found[number][0])
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, _STEPS)]
    return Recalibration(math.exp(grid[best]), found[best][1])


def _smoothed(right: Tensor) -> Tensor:
    """Platt's targets: (N₊ + 1) / (N₊ + 2) for right answers and 1 / (N₋ + 2) for wrong ones."""
    many = int(right.sum())
    return torch.where(right, (many + 1) / (many + 2), 1 / (len(right) - many + 2)).double()


def _with_best_bias(chances: Tensor, targets: Tensor, temperature: float) -> tuple[float, float]:
    """The negative log-likelihood under a temperature and the bias that fits best, and that bias, by bisection: with it
    the mean confidence is that of the targets."""
    odds = _log_odds(chances, temperature)
    low, high = 0.0, _MOST_BIAS
    if float((odds.sigmoid() - targets).sum()) >= 0:
        high = 0.0
    for _ in range(_HALVINGS if high else 0):
        middle = (low + high) / 2
        too_sure = float(((odds + middle).sigmoid() - targets).sum()) > 0
        low, high = (low, middle) if too_sure else (middle, high)
    logits = odds + low
    return -float((targets * logsigmoid(logits) + (1 - targets) * logsigmoid(-logits)).sum()), low


def _log_odds(chances: Tensor, temperature: float) -> Tensor:
    """[Q]: of the given answer against all others."""
    logits = chances.log() / temperature
    given = chances.argmax(dim=1, keepdim=True)
    others = logits.scatter(1, given, -torch.inf).logsumexp(dim=1)
    return (logits.gather(1, given)[:, 0] - others).clamp(max=1 / torch.finfo(logits.dtype).eps)
