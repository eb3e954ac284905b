"""Weights for playing take a quarter of their space: large matrices are kept as whole numbers of 8 bits, with a scale for
each row (symmetric quantisation). The published networks have ten million weights each, and there are 90 of a kind."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from models.train.checkpoint import Tensors

LARGE: Final = 2**16  # weights of a tensor from which on it is packed
_LEVELS: Final = 127
_SCALE: Final = ".scale"


def packed(weights: Mapping[str, Tensor]) -> Tensors:
    found: Tensors = {}
    for name, tensor in weights.items():
        if tensor.is_floating_point() and tensor.dim() > 1 and tensor.numel() >= LARGE:
            scale = tensor.abs().flatten(1).amax(dim=1).clamp_min(1e-12) / _LEVELS
            found[name] = (tensor / _along(scale, tensor)).round().to(torch.int8)
            found[name + _SCALE] = scale
        else:
            found[name] = tensor
    return found


def unpacked(tensors: Mapping[str, Tensor]) -> Tensors:
    """What `packed` was given, up to half a level of each row."""
    return {
        name: tensor.float() * _along(tensors[name + _SCALE], tensor) if name + _SCALE in tensors else tensor
        for name, tensor in tensors.items()
        if not name.endswith(_SCALE)
    }


def _along(scale: Tensor, tensor: Tensor) -> Tensor:
    """A scale for each row, as it multiplies a tensor."""
    return scale.view(-1, *[1] * (tensor.dim() - 1))
