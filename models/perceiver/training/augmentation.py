"""Data augmentation: changed training frames, so that the detector does not depend on one renderer's look, on the light, or
on frames without noise and compression.

Shapes: frames [B, H, W, 3] 8-bit, boxes [B, G, 4] in pixels.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import torch
from torch import Tensor

from models.perceiver.training.distortions import (
    WHITE,
    blurred,
    brightened,
    compressed,
    contrasted,
    gamma_corrected,
    noised,
    saturated,
)

USUAL_WIDTH: Final = 480  # pixels of the picture that `blur` speaks of
BEST_QUALITY: Final = 95


@dataclass(frozen=True)
class FrameAugmentation:
    """How training frames are changed. Names of colours are learned from such frames: hues hardly turn."""

    RENAMED: ClassVar[Mapping[str, str]] = {
        "share": "probability",
        "lowest_quality": "min_jpeg_quality",
        "each": "degradation_probability",
    }

    probability: float = 0.5  # of a frame to be changed; the others are mirrored at most
    brightness: float = 0.35  # a factor of at most 1 ± this
    contrast: float = 0.2  # likewise, about middle grey
    gamma: float = 0.1  # an exponent of at most 1 ± this
    saturation: float = 0.15  # a factor of at most 1 ± this
    tint: float = 0.05  # a factor of each channel of at most 1 ± this, as of a wrong white balance
    noise: float = 6.0  # its standard deviation at most, of 255
    blur: float = 1.2  # sigma at most, in pixels of a picture 480 wide
    min_jpeg_quality: float = 60.0  # of JPEG, 1 to 100
    degradation_probability: float = 0.4  # of a changed frame: to have noise; likewise blur, and compression
    denoise: bool = False  # the appearance embedding is to reconstruct the frame as it was before it was changed

    def __post_init__(self) -> None:
        if not (0 <= self.probability <= 1 and 0 <= self.degradation_probability <= 1):
            raise ValueError(
                "expected probability and degradation_probability from 0 to 1 "
                f"(got {self.probability} and {self.degradation_probability})"
            )
        factors = (self.brightness, self.contrast, self.gamma, self.saturation, self.tint)
        if not all(0 <= factor < 1 for factor in factors):
            raise ValueError(
                f"expected brightness, contrast, gamma, saturation and tint from 0 to below 1 (got {factors})"
            )
        if min(self.noise, self.blur) < 0 or not 1 <= self.min_jpeg_quality <= BEST_QUALITY:
            raise ValueError(f"expected noise and blur of at least 0, and min_jpeg_quality from 1 to {BEST_QUALITY}")


@dataclass(frozen=True)
class AugmentedFrames:
    """`frames` are what the detector sees, `originals` the same frames before their pixels were changed, mirrored alike."""

    frames: Tensor
    originals: Tensor
    boxes: Tensor


def augmented(
    frames: Tensor,
    boxes: Tensor,
    settings: FrameAugmentation,
    generator: torch.Generator,
    originals: Tensor | None = None,
) -> AugmentedFrames:
    """Frames of which a share is changed, each in its own way; half of all are mirrored, boxes with them. `originals`: those
    of frames in another look; by default the frames themselves."""
    mirrored = _coin(len(frames), 0.5, generator)
    plain = torch.where(mirrored, frames.flip(2), frames)
    changed = _coin(len(frames), settings.probability, generator)
    images = torch.where(changed, _changed(plain, settings, generator), plain)
    usual = plain if originals is None else torch.where(mirrored, originals.flip(2), originals)
    return AugmentedFrames(images, usual, _mirrored_boxes(boxes, mirrored[:, 0, 0], frames.shape[2]))


def _changed(frames: Tensor, settings: FrameAugmentation, generator: torch.Generator) -> Tensor:
    """In the order in which it happens to a video: light, lens, sensor, file."""
    batch = len(frames)

    def factor(most: float) -> Tensor:
        return 1 + most * _spread(batch, 1, generator)[:, 0]

    images = brightened(frames.float(), factor(settings.brightness))
    images = contrasted(images, factor(settings.contrast))
    images = gamma_corrected(images, factor(settings.gamma))
    images = saturated(images, factor(settings.saturation))
    images = images * (1 + settings.tint * _spread(batch, 3, generator)[:, None, None])
    widest = settings.blur * frames.shape[2] / USUAL_WIDTH
    smoothed = blurred(images, widest * _uniform(batch, generator), widest)
    images = torch.where(_coin(batch, settings.degradation_probability, generator), smoothed, images)
    deviation = settings.noise * _uniform(batch, generator)
    images = torch.where(
        _coin(batch, settings.degradation_probability, generator), noised(images, deviation, generator), images
    )
    quality = settings.min_jpeg_quality + (BEST_QUALITY - settings.min_jpeg_quality) * _uniform(batch, generator)
    images = torch.where(_coin(batch, settings.degradation_probability, generator), compressed(images, quality), images)
    return images.round().clamp(0, WHITE).to(torch.uint8)


def _mirrored_boxes(boxes: Tensor, mirrored: Tensor, width: int) -> Tensor:
    """Boxes of no area are padding and stay as they are."""
    flipped = torch.stack([width - boxes[..., 2], boxes[..., 1], width - boxes[..., 0], boxes[..., 3]], dim=-1)
    real = (boxes[..., 2:3] > boxes[..., 0:1]).to(boxes.dtype)
    return torch.where(mirrored[..., None].to(boxes.device), flipped * real, boxes)


def _uniform(batch: int, generator: torch.Generator) -> Tensor:
    return torch.rand(batch, generator=generator, device=generator.device)


def _spread(batch: int, channels: int, generator: torch.Generator) -> Tensor:
    """Uniform in -1 … 1: [B, channels]."""
    return torch.rand(batch, channels, generator=generator, device=generator.device) * 2 - 1


def _coin(batch: int, probability: float, generator: torch.Generator) -> Tensor:
    return (_uniform(batch, generator) < probability).reshape(-1, 1, 1, 1)
