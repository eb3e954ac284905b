"""Operators on events: sets are membership probabilities of the slots [B, E], one event is a distribution over them."""

import torch
from torch import Tensor
from torch.nn import functional

from comphy.programs.types import COUNTS
from comphy.scene.events import EventKind
from models.pcr.executor.soft_logic import any_linked, any_of, counted, log_odds, normalised, only
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents
from models.pcr.executor.view import View


def events(at: View) -> SoftEvents:
    return at.scene.events.take(at.rows)


def unseen_events(at: View) -> SoftEvents:
    return at.imagination.future(at.rows)


def all_events(at: View) -> SoftEvents:
    there, pairs = at.objects, at.scene.pairs
    probability = there.index_select(1, pairs[:, 0]) * there.index_select(1, pairs[:, 1])
    members = functional.one_hot(pairs, there.shape[1]).sum(dim=1).to(there.dtype)
    kind = torch.full_like(pairs[:, 0], EVENT_KINDS.index(EventKind.COLLISION))
    return SoftEvents(kind, members, probability, torch.zeros_like(probability), timed=False)


def start(at: View) -> SoftEvents:
    return filter_start(at, events(at))


def end(at: View) -> SoftEvents:
    return filter_end(at, events(at))


def unique(at: View, among: SoftEvents) -> SoftEvents:
    return among.having(only(log_odds(among.probability)))


def count(at: View, among: SoftEvents) -> Tensor:
    return counted(among.probability, len(COUNTS) - 1)


def exist(at: View, among: SoftEvents) -> Tensor:
    return any_of(among.probability)


def belong_to(at: View, event: SoftEvents, among: SoftEvents) -> Tensor:
    return (event.probability * happening(event, among)).sum(dim=1)


def belong_to_of_object(at: View, which: Tensor, among: SoftEvents) -> Tensor:
    return (which * any_linked(among.probability, among.members)).sum(dim=1)


def intersect(at: View, a: SoftEvents, b: SoftEvents) -> SoftEvents:
    return a.having(a.probability * any_of(_identical(a, b) * b.probability[:, None]))


def union(at: View, a: SoftEvents, b: SoftEvents) -> SoftEvents:
    """The slots of both, concatenated; an event that is in both counts once."""
    new = b.probability * (1 - any_of(_identical(b, a) * a.probability[:, None]))
    return SoftEvents(
        torch.cat([a.kind, b.kind]),
        torch.cat([a.members, b.members]),
        torch.cat([a.probability, new], dim=1),
        torch.cat([a.moment, b.moment], dim=1),
    )


def filter_start(at: View, among: SoftEvents) -> SoftEvents:
    return _only_of_kind(among, EventKind.START)


def filter_end(at: View, among: SoftEvents) -> SoftEvents:
    return _only_of_kind(among, EventKind.END)


def filter_in(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_any(among, EventKind.IN, who)


def filter_in_of_object(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_one(among, EventKind.IN, who)


def filter_out(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_any(among, EventKind.OUT, who)


def filter_out_of_object(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_one(among, EventKind.OUT, who)


def filter_collision(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_any(among, EventKind.COLLISION, who)


def filter_collision_of_object(at: View, among: SoftEvents, who: Tensor) -> SoftEvents:
    return _of_one(among, EventKind.COLLISION, who)


def _only_of_kind(among: SoftEvents, kind: EventKind) -> SoftEvents:
    wanted = among.of_kind(kind)
    return among.having(normalised(among.probability * wanted, wanted))


def _of_any(among: SoftEvents, kind: EventKind, who: Tensor) -> SoftEvents:
    """Events in which any of a set of objects takes part."""
    return among.having(among.probability * among.of_kind(kind) * any_linked(who, among.members.T))


def _of_one(among: SoftEvents, kind: EventKind, who: Tensor) -> SoftEvents:
    """Events in which one object takes part, given as a distribution over objects."""
    return among.having(among.probability * (who @ (among.members * among.of_kind(kind)[:, None]).T))


def _alike(a: SoftEvents, b: SoftEvents) -> Tensor:
    """[Ea, Eb]: the same kind and objects."""
    same = (a.kind[:, None] == b.kind) & (a.members[:, None] == b.members).all(dim=-1)
    return same.to(a.probability.dtype)


def _identical(a: SoftEvents, b: SoftEvents) -> Tensor:
    """[B, Ea, Eb]: the same kind and objects at the same time."""
    return _alike(a, b) * ((a.moment[:, :, None] - b.moment[:, None]).abs() < 0.5)


def happening(events: SoftEvents, among: SoftEvents) -> Tensor:
    """[B, E]: the probability that an event of the same kind and objects is in `among`, at any time."""
    return any_linked(among.probability, _alike(among, events))
