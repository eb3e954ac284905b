"""Data augmentation: small changes to training frames, so that the detector does not depend on one renderer's look.

Shapes: frames [B, H, W, 3] 8-bit, boxes [B, G, 4] in pixels.
"""

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

BRIGHTNESS: Final = 0.25
CONTRAST: Final = 0.25
TINT: Final = 0.08
NOISE: Final = 4.0  # of 255
BLURRED_SHARE: Final = 0.3


def augmented(frames: Tensor, boxes: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Random brightness, contrast, tint, noise and blur for each frame; half of the frames are flipped, boxes with them."""
    batch, _, width, _ = frames.shape
    images = frames.float()
    gain = 1 + CONTRAST * _spread(batch, 1, generator, images)
    shift = 255 * BRIGHTNESS * _spread(batch, 1, generator, images)
    tint = 1 + TINT * _spread(batch, 3, generator, images)
    images = ((images - 128) * gain + 128 + shift) * tint
    images = torch.where(_coin(batch, BLURRED_SHARE, generator, images), _blurred(images), images)
    images = images + NOISE * torch.randn(images.shape, generator=generator, device=images.device)
    mirrored = _coin(batch, 0.5, generator, images)
    images = torch.where(mirrored, images.flip(2), images)
    flipped = torch.stack([width - boxes[..., 2], boxes[..., 1], width - boxes[..., 0], boxes[..., 3]], dim=-1)
    real = (boxes[..., 2:3] > boxes[..., 0:1]).to(boxes.dtype)
    boxes = torch.where(mirrored[:, 0, 0, :, None].to(boxes.device), flipped * real, boxes)
    return images.round().clamp(0, 255).to(torch.uint8), boxes


def _spread(batch: int, channels: int, generator: torch.Generator, like: Tensor) -> Tensor:
    """Uniform in -1 … 1, one number per frame and channel."""
    return torch.rand(batch, 1, 1, channels, generator=generator, device=like.device) * 2 - 1


def _coin(batch: int, share: float, generator: torch.Generator, like: Tensor) -> Tensor:
    return torch.rand(batch, 1, 1, 1, generator=generator, device=like.device) < share


def _blurred(images: Tensor) -> Tensor:
    channels_first = images.permute(0, 3, 1, 2)
    padded = functional.pad(channels_first, (1, 1, 1, 1), mode="replicate")
    return functional.avg_pool2d(padded, 3, stride=1).permute(0, 2, 3, 1)
