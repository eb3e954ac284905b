"""Operators on mass and charge. A mass is the probability [B] of being heavy; the masses of a set of objects are passed
on as the set's membership probabilities [B, N]."""

import torch
from torch import Tensor

from models.pcr.executor.operators.objects import unique
from models.pcr.executor.soft_logic import any_of
from models.pcr.executor.view import View


def filter_heavy(at: View, among: Tensor) -> Tensor:
    return among * at.of(at.scene.heavy)


def filter_light(at: View, among: Tensor) -> Tensor:
    return among * (1 - at.of(at.scene.heavy))


def filter_charged(at: View, among: Tensor) -> Tensor:
    return among * any_of(_charges(at))


def filter_uncharged(at: View, among: Tensor) -> Tensor:
    return among * (1 - any_of(_charges(at)))


def filter_opposite(at: View, among: Tensor) -> Tensor:
    return _paired(among, at.of(at.scene.opposite_matrix))


def filter_same(at: View, among: Tensor) -> Tensor:
    return _paired(among, at.of(at.scene.same_matrix))


def filter_mass(at: View, which: Tensor) -> Tensor:
    return (which * at.of(at.scene.heavy)).sum(dim=-1)


def filter_mass_set(at: View, among: Tensor) -> Tensor:
    return filter_mass(at, unique(at, among))


def filter_mass_each(at: View, among: Tensor) -> Tensor:
    return among


def is_heavier(at: View, a: Tensor, b: Tensor) -> Tensor:
    return a * (1 - b)


def is_lighter(at: View, a: Tensor, b: Tensor) -> Tensor:
    return b * (1 - a)


def equal_charge(at: View, a: Tensor, b: Tensor) -> Tensor:
    return torch.einsum("bi,bij,bj->b", a, at.of(at.scene.same_matrix), b)


def _charges(at: View) -> Tensor:
    """[B, N, N]: the probability that the two objects are a charged pair, of either sign."""
    return at.of(at.scene.same_matrix + at.scene.opposite_matrix).clamp(max=1)


def _paired(among: Tensor, related: Tensor) -> Tensor:
    """Members of the set whose partner is in it too."""
    return among * any_of(related * among[:, None])
