"""Operators on the temporal order of events. Times are compared exactly, so no gradient flows through them."""

import torch
from torch import Tensor
from torch.nn import functional

from comphy.programs.types import Order
from models.pcr.executor.operators.events import events, intersect, union, unseen_events
from models.pcr.executor.soft_logic import EPS, any_of, log_absent, normalised
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.view import View

_SECOND, _LAST = (tuple(Order).index(order) for order in (Order.SECOND, Order.LAST))


def filter_order(at: View, among: SoftEvents, order: Tensor) -> SoftEvents:
    """P(event is the k-th) = P(it happens and exactly k - 1 earlier ones do); the last is the first in reversed order."""
    places = among.moment.argsort(dim=1, stable=True)
    places = torch.where((order == _LAST)[:, None], places.flip(1), places)
    chances = among.probability.gather(1, places)
    none = log_absent(chances)
    first = chances * _earlier(none).exp()
    second = first * _earlier(chances * (-none).exp())  # exactly one earlier event happens: sum of odds times P(none)
    wanted = torch.where((order == _SECOND)[:, None], second, first)
    found = torch.zeros_like(wanted).scatter(1, places, wanted)
    return among.having(normalised(found, among.probability + EPS))


def filter_before(at: View, among: SoftEvents, event: SoftEvents) -> SoftEvents:
    return among.having(among.probability * _before(among, event))


def filter_after(at: View, among: SoftEvents, event: SoftEvents) -> SoftEvents:
    later = among.moment[:, :, None] > event.moment[:, None]
    return among.having(among.probability * _sum_where(later, event.probability))


def filter_ancestor(at: View, among: SoftEvents, event: SoftEvents) -> SoftEvents:
    """Causal ancestors: walks back in time from the event, keeping the probability that each object is involved so far."""
    chain = events(at)
    if at.scene.imagination is not None:
        chain = union(at, chain, unseen_events(at))
    happens = chain.probability * _before(chain, event)
    involved = event.probability @ event.members
    places = chain.moment.argsort(dim=1, stable=True).flip(1)
    leads = []
    for place in places.unbind(dim=1):
        members = chain.members.index_select(0, place)
        lead = happens.gather(1, place[:, None])[:, 0] * any_of(involved * members)
        involved = involved + (1 - involved) * lead[:, None] * members
        leads.append(lead)
    found = torch.zeros_like(happens).scatter(1, places, torch.stack(leads, dim=1))
    return intersect(at, among, chain.having(found))


def _before(among: SoftEvents, event: SoftEvents) -> Tensor:
    """[B, E]: the probability that each comes earlier than the event."""
    return _sum_where(among.moment[:, :, None] < event.moment[:, None], event.probability)


def _sum_where(truth: Tensor, chances: Tensor) -> Tensor:
    """[B, Ea, Eb], [B, Eb] to [B, Ea]."""
    return torch.where(truth, chances[:, None], 0.0).sum(dim=-1)


def _earlier(values: Tensor) -> Tensor:
    """[B, E]: exclusive cumulative sum."""
    return functional.pad(values, (1, 0)).cumsum(dim=1)[:, :-1]
