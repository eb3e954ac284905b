"""Recalibration of answers, so that a confidence of 87 % means that 87 % of such answers are right.

A distribution p over answers becomes softmax(log p / T + b · [is the given answer]): temperature scaling (Guo et al., On
Calibration of Modern Neural Networks, 2017) with the bias of Platt scaling (1999). Of two answers, yes and no, the
log-odds of the given one become log-odds / T + b. The bias is never negative, so the given answer stays the most likely.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

import torch
from torch import Tensor

from comphy.evaluation.qa.calibration.calibration import Recalibration
from comphy.questions.model import QuestionKind
from models.pcr.executor.soft_logic import normalised

Recalibrations: TypeAlias = Mapping[QuestionKind, Recalibration]  # kinds that were not fitted have none
NEUTRAL: Final = Recalibration(temperature=1.0, bias=0.0)  # changes nothing


def recalibrated(chances: Tensor, temperature: Tensor | float, bias: Tensor | float) -> Tensor:
    """Distributions [..., A] in double precision. `temperature` and `bias` are numbers, or tensors [..., 1]. What is
    impossible stays so."""
    logits = chances.double().log() / temperature
    given = chances.argmax(dim=-1, keepdim=True)
    towards = torch.as_tensor(bias, dtype=logits.dtype).expand(given.shape)
    return logits.scatter_add(-1, given, towards).softmax(dim=-1)


def recalibrated_truth(chance: float, how: Recalibration) -> float:
    """The probability that something is true; the executor's answer yes has the same."""
    pair = normalised(torch.tensor([chance, 1 - chance]))
    return float(recalibrated(pair, how.temperature, how.bias)[0])
