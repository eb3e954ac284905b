"""Query operators. Word answers are distributions over `ANSWERS`, in that order."""

from functools import cache

import torch
from torch import Tensor

from comphy.scene.events import EventKind
from models.pcr.executor.soft_logic import normalised
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.view import View
from models.questions.question_types import ANSWERS, PAIR_JOINT, AnswerType

_ATTRIBUTES = (AnswerType.COLOR, AnswerType.SHAPE, AnswerType.MATERIAL)  # in the order of Attribute
_PAIRS = (AnswerType.COLOR_PAIR, AnswerType.SHAPE_PAIR, AnswerType.MATERIAL_PAIR)


def query_color(at: View, which: Tensor) -> Tensor:
    return _expected(which, at.of(at.scene.color))


def query_shape(at: View, which: Tensor) -> Tensor:
    return _expected(which, at.of(at.scene.shape))


def query_material(at: View, which: Tensor) -> Tensor:
    return _expected(which, at.of(at.scene.material))


def query(at: View, which: Tensor, attribute: Tensor) -> Tensor:
    """[B, 13]: colors, shapes, materials; only those of the attribute are possible."""
    return _expected(which, at.of(at.scene.attributes)) * _of_attribute(attribute, _ATTRIBUTES)


def query_direction(at: View, which: Tensor, frame: Tensor | None) -> Tensor:
    if frame is None:
        found = _expected(which, at.of(at.scene.main_direction))
    else:
        seen = frame[:, :, None] * at.of(at.scene.shown)  # [B, T, N]
        found = torch.einsum("bn,btn,btnd->bd", which, seen, at.of(at.scene.direction))
    return normalised(found)


def query_both_color(at: View, pair: Tensor) -> Tensor:
    return _both(at, pair, at.scene.color, AnswerType.COLOR_PAIR)


def query_both_shape(at: View, pair: Tensor) -> Tensor:
    return _both(at, pair, at.scene.shape, AnswerType.SHAPE_PAIR)


def query_both_material(at: View, pair: Tensor) -> Tensor:
    return _both(at, pair, at.scene.material, AnswerType.MATERIAL_PAIR)


def query_both(at: View, pair: Tensor, attribute: Tensor) -> Tensor:
    """[B, 45]: pairs of colors, of shapes, of materials; only those of the attribute are possible."""
    tables = (at.scene.color, at.scene.shape, at.scene.material)
    words = [_both(at, pair, table, kind) for table, kind in zip(tables, _PAIRS, strict=True)]
    return torch.cat(words, dim=1) * _of_attribute(attribute, _PAIRS)


def query_frame(at: View, event: SoftEvents) -> Tensor:
    """[B, T]. The end of the video has the time T and is clamped to the last frame."""
    frames = event.moment.round().long().clamp(0, at.scene.frames - 1)
    nothing = event.probability.new_zeros(len(frames), at.scene.frames)
    return nothing.scatter_add(1, frames, event.probability)


def query_object(at: View, event: SoftEvents) -> Tensor:
    passes = event.probability * (event.of_kind(EventKind.IN) + event.of_kind(EventKind.OUT))
    return normalised(passes @ event.members, at.objects)


def query_collision_partner(at: View, event: SoftEvents, which: Tensor) -> Tensor:
    """P(j) is the sum over i != j of P(collision of i and j) P(i is the given object)."""
    collides = event.probability * event.of_kind(EventKind.COLLISION)
    meant = which @ event.members.T
    with_itself = which * (collides @ event.members)
    return normalised((collides * meant) @ event.members - with_itself, at.objects)


def _expected(which: Tensor, table: Tensor) -> Tensor:
    """[B, N], [B, N, C] to [B, C]."""
    return torch.bmm(which[:, None], table)[:, 0]


def _both(at: View, pair: Tensor, table: Tensor, kind: AnswerType) -> Tensor:
    """[B, P], [S, N, C] to a distribution over unordered pairs of the C words, such as 'blue and red'."""
    words = at.of(table)
    ordered = words.transpose(1, 2) @ at.scene.matrix(pair) @ words  # [B, C, C]
    places = _unordered(kind, pair.device)
    chances = ordered.flatten(1).index_select(1, places[:, 0] * table.shape[-1] + places[:, 1])
    return torch.where(places[:, 0] == places[:, 1], chances / 2, chances)  # each pair is in the matrix twice


@cache
def _unordered(kind: AnswerType, device: torch.device) -> Tensor:
    """[pairs, 2]: indices of the two words of each answer."""
    words = ANSWERS[_ATTRIBUTES[_PAIRS.index(kind)]]
    pairs = [[words.index(word) for word in answer.split(PAIR_JOINT)] for answer in ANSWERS[kind]]
    return torch.tensor(pairs, device=device)


def _of_attribute(attribute: Tensor, kinds: tuple[AnswerType, ...]) -> Tensor:
    """[B, words of all kinds]: whether a word belongs to the attribute."""
    return _owners(kinds, attribute.device) == attribute[:, None]


@cache
def _owners(kinds: tuple[AnswerType, ...], device: torch.device) -> Tensor:
    return torch.tensor([owner for owner, kind in enumerate(kinds) for _ in ANSWERS[kind]], device=device)
