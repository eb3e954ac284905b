"""Operators on objects. Sets are membership probabilities [B, N], one object a distribution [B, N], a pair one [B, P]."""

from torch import Tensor

from comphy.programs.types import COUNTS
from models.pcr.executor.soft_logic import any_of, counted, only
from models.pcr.executor.view import View


def objects(at: View) -> Tensor:
    return at.objects


def unique(at: View, among: Tensor) -> Tensor:
    return only(at.object_logits(among))


def unique_pair(at: View, among: Tensor) -> Tensor:
    logits, pairs = at.object_logits(among), at.scene.pairs
    return only(logits.index_select(1, pairs[:, 0]) + logits.index_select(1, pairs[:, 1]))


def count(at: View, among: Tensor) -> Tensor:
    return counted(among, len(COUNTS) - 1)


def exist(at: View, among: Tensor) -> Tensor:
    return any_of(among)


def negate(at: View, truth: Tensor) -> Tensor:
    return 1 - truth


def intersect(at: View, a: Tensor, b: Tensor) -> Tensor:
    return a * b


def union(at: View, a: Tensor, b: Tensor) -> Tensor:
    return a + b - a * b


def filter_color(at: View, among: Tensor, color: Tensor) -> Tensor:
    return among * _having(at, at.scene.color, color)


def filter_shape(at: View, among: Tensor, shape: Tensor) -> Tensor:
    return among * _having(at, at.scene.shape, shape)


def filter_material(at: View, among: Tensor, material: Tensor) -> Tensor:
    return among * _having(at, at.scene.material, material)


def filter_moving(at: View, among: Tensor, frame: Tensor | None) -> Tensor:
    if frame is None:
        return among * at.of(at.scene.status)[..., 0]
    return among * _at_frame(at, at.scene.moves_in_picture, frame)


def filter_stationary(at: View, among: Tensor, frame: Tensor | None) -> Tensor:
    if frame is None:
        return among * at.of(at.scene.status)[..., 1]
    return among * _at_frame(at, at.scene.rests_in_picture, frame)


def filter_status(at: View, among: Tensor, status: Tensor) -> Tensor:
    return among * at.column(at.scene.status, status)


def _having(at: View, table: Tensor, word: Tensor) -> Tensor:
    """[B, N]: the probability that an object has an attribute value, given by index [B] (a literal) or as a distribution
    (the result of a query)."""
    if word.dim() == 1:
        return at.column(table, word)
    return (at.of(table) @ word[:, :, None])[..., 0]


def _at_frame(at: View, table: Tensor, frame: Tensor) -> Tensor:
    """[S, T, N] to [B, N], expected over frames [B, T]."""
    return (frame[:, :, None] * at.of(table)).sum(dim=1)
