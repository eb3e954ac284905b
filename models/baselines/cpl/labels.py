"""What CPL is told of the objects of training sets, in the order of their tracks.

Shapes: S sets, N tracks, P pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from comphy.dataset.sources.source import TARGET, VideoSource
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Color, Material, Shape
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.tracks.tensor_trees import mapped
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.truth import TrueBoxes

_UNKNOWN: Final = -1
# Weights of classes, as published: hidden properties are rare.
_MASS_WEIGHTS: Final = (0.15, 1.0)  # light, heavy
_CHARGE_WEIGHTS: Final = (0.025, 1.0, 1.0)  # none, same, opposite
_LEAST: Final = 1e-6  # of a probability


@dataclass(frozen=True)
class Labels:
    """Numbers of classes, -1 where a track lies on no object: color, shape, material and heavy [S, N], charge [S, P] (0
    none, 1 of the same sign, 2 of opposite signs)."""

    color: Tensor
    shape: Tensor
    material: Tensor
    heavy: Tensor
    charge: Tensor

    def rows(self, rows: Tensor) -> "Labels":
        return mapped(self, lambda tensor: tensor.index_select(0, rows))

    def to(self, device: torch.device) -> "Labels":
        return mapped(self, lambda tensor: tensor.to(device))

    def attribute_loss(self, scene: SoftScene) -> Tensor:
        """Of the scene's colours, shapes and materials."""
        pairs = ((scene.color, self.color), (scene.shape, self.shape), (scene.material, self.material))
        return torch.stack([_cross_entropy(chances, true) for chances, true in pairs]).sum()

    def property_loss(self, heavy: Tensor, same: Tensor, opposite: Tensor) -> Tensor:
        """Of the probabilities of masses [S, N] and of charges [S, P]."""
        masses = torch.stack([1 - heavy, heavy], dim=-1)
        charges = torch.stack([1 - same - opposite, same, opposite], dim=-1)
        return _cross_entropy(masses, self.heavy, _MASS_WEIGHTS) + _cross_entropy(charges, self.charge, _CHARGE_WEIGHTS)

    def told(self, scene: SoftScene) -> SoftScene:
        """The scene with the true hidden properties; those of tracks on no object are light and uncharged."""
        kind = scene.heavy.dtype
        same, opposite = (self.charge == 1).to(kind), (self.charge == 2).to(kind)
        return replace(scene, heavy=(self.heavy == 1).to(kind), same=same, opposite=opposite)


def read_labels(source: VideoSource, cache: FeatureCache, sets: Sequence[int], room: int) -> Labels:
    """The labels of sets, whose tracks are in a cache, padded to `room` tracks."""
    boxes = TrueBoxes(source, cache.shape.width)
    found = []
    for index in sets:
        objects = source.objects(index)
        identities = boxes.identities(cache.read(index).target.boxes, index, TARGET)
        specs = [None if one is None else objects[one] for one in identities[:room]]
        found.append(_labels([*specs, *[None] * (room - len(specs))]))
    return Labels(*(torch.stack(parts) for parts in zip(*found, strict=True)))


def _labels(specs: Sequence[ObjectSpec | None]) -> tuple[Tensor, ...]:
    def numbers(attribute: str, kinds: type[StrEnum]) -> Tensor:
        words = list(kinds)
        return torch.tensor([_UNKNOWN if spec is None else words.index(getattr(spec, attribute)) for spec in specs])

    heavy = [_UNKNOWN if spec is None else int(spec.mass == HEAVY_MASS) for spec in specs]
    return (
        numbers("color", Color),
        numbers("shape", Shape),
        numbers("material", Material),
        torch.tensor(heavy),
        torch.tensor([_relation(a, b) for a, b in combinations(specs, 2)]),
    )


def _relation(first: ObjectSpec | None, second: ObjectSpec | None) -> int:
    if first is None or second is None:
        return _UNKNOWN
    product = first.charge * second.charge
    return 0 if product == 0 else 1 if product > 0 else 2


def _cross_entropy(chances: Tensor, true: Tensor, weights: Sequence[float] | None = None) -> Tensor:
    """Of probabilities [..., K] against class numbers [...]."""
    weight = None if weights is None else chances.new_tensor(weights)
    logs = chances.clamp(min=_LEAST).log().flatten(0, -2)
    total = functional.nll_loss(logs, true.flatten(), weight, ignore_index=_UNKNOWN, reduction="sum")
    return total / (true != _UNKNOWN).sum().clamp(min=1)
