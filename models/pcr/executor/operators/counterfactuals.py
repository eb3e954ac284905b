"""Counterfactual operators: events under a premise about one object."""

from torch import Tensor

from models.pcr.executor.operators.events import happening
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.view import View


def filter_counterfact(at: View, among: SoftEvents, which: Tensor, premise: Tensor) -> SoftEvents:
    return among.having(among.probability * happening(among, counterfact_events(at, which, premise)))


def filter_counterfact_removal(at: View, among: SoftEvents, which: Tensor) -> SoftEvents:
    return among.having(among.probability * happening(among, counterfact_events_removal(at, which)))


def counterfact_events(at: View, which: Tensor, premise: Tensor) -> SoftEvents:
    return at.imagination.counterfactual(at.rows, which, premise)


def counterfact_events_removal(at: View, which: Tensor) -> SoftEvents:
    return at.imagination.removal(at.rows, which)
