"""What happens to pictures between a scene and a viewer: light, blur, sensor noise and compression, as batched torch.

Every function takes one strength for all pictures or one for each of them, and runs on the pictures' device.
Shapes: B pictures [B, H, W, 3] of 0 … 255 in float; strengths are numbers or [B].
"""

from functools import cache
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

Strength = float | Tensor

MIDDLE: Final = 128.0
WHITE: Final = 255.0
LUMA: Final = (0.299, 0.587, 0.114)  # of JPEG, BT.601
BLOCK: Final = 8  # pixels along a side of what is transformed at once
WIDEST: Final = 3  # standard deviations of a Gaussian that are summed

# The example tables of the JPEG standard (ITU-T T.81, annex K), which encoders scale by the quality.
LUMA_STEPS: Final = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
CHROMA_STEPS: Final = (
    (17, 18, 24, 47, 99, 99, 99, 99),
    (18, 21, 26, 66, 99, 99, 99, 99),
    (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99),
    *((99,) * BLOCK,) * 4,
)


def brightened(images: Tensor, factor: Strength) -> Tensor:
    """Every value times a factor."""
    return images * _each(factor, images)


def contrasted(images: Tensor, factor: Strength) -> Tensor:
    """Differences from middle grey times a factor."""
    return (images - MIDDLE) * _each(factor, images) + MIDDLE


def gamma_corrected(images: Tensor, exponent: Strength) -> Tensor:
    """Values of 0 … 1 to a power: above 1 darkens middle tones, below 1 brightens them."""
    return WHITE * (images.clamp(0, WHITE) / WHITE) ** _each(exponent, images)


def saturated(images: Tensor, factor: Strength) -> Tensor:
    """Differences from the pixel's grey times a factor, so that the hue stays."""
    grey = (images * torch.tensor(LUMA, device=images.device)).sum(dim=-1, keepdim=True)
    return grey + (images - grey) * _each(factor, images)


def noised(images: Tensor, deviation: Strength, generator: torch.Generator) -> Tensor:
    """With Gaussian noise of each pixel and channel."""
    noise = torch.randn(images.shape, generator=generator, device=images.device)
    return images + noise * _each(deviation, images)


def blurred(images: Tensor, sigma: Strength) -> Tensor:
    """A Gaussian blur; `sigma` in pixels. Pixels beyond the edge are those of the edge."""
    widths = _each(sigma, images).reshape(-1, 1).clamp(min=1e-3)
    reach = max(1, round(WIDEST * float(widths.max())))
    taps = torch.arange(-reach, reach + 1, device=images.device)
    weights = torch.exp(-0.5 * (taps / widths) ** 2)
    weights = (weights / weights.sum(dim=1, keepdim=True)).expand(len(images), -1)
    padded = functional.pad(images.permute(0, 3, 1, 2), (reach,) * 4, mode="replicate").permute(0, 2, 3, 1)
    return _summed(_summed(padded, weights, axis=1), weights, axis=2)


def compressed(images: Tensor, quality: Strength) -> Tensor:
    """What is left of pictures after JPEG: half the resolution of colour (4:2:0), and 8 x 8 cosine coefficients rounded to
    steps that grow as the quality (1 … 100) falls. The intra frames of a video codec lose the same things."""
    height, width = images.shape[1:3]
    whole = 2 * BLOCK  # a block of colour covers 16 pixels along a side
    channels = functional.pad(
        images.permute(0, 3, 1, 2).round().clamp(0, WHITE), (0, -width % whole, 0, -height % whole), mode="replicate"
    )
    luma, chroma = _to_luma(channels)
    percent = _percent(_each(quality, images))
    luma = _quantised(luma, LUMA_STEPS, percent)
    chroma = _quantised(functional.avg_pool2d(chroma, 2), CHROMA_STEPS, percent)
    chroma = functional.interpolate(chroma, scale_factor=2, mode="bilinear", align_corners=False)
    return _to_rgb(luma, chroma)[:, :, :height, :width].permute(0, 2, 3, 1).round().clamp(0, WHITE)


def _each(strength: Strength, images: Tensor) -> Tensor:
    """A strength as [B or 1, 1, 1, 1] on the pictures' device."""
    return torch.as_tensor(strength, dtype=torch.float32, device=images.device).reshape(-1, 1, 1, 1)


def _summed(images: Tensor, weights: Tensor, axis: int) -> Tensor:
    """The weighted sum [B, taps] of neighbours along an axis; the picture gets shorter by the taps beyond the first."""
    length = images.shape[axis] - weights.shape[1] + 1
    total = torch.zeros_like(images.narrow(axis, 0, length))
    for k in range(weights.shape[1]):
        total += images.narrow(axis, k, length) * weights[:, k].reshape(-1, 1, 1, 1)
    return total


def _to_luma(channels: Tensor) -> tuple[Tensor, Tensor]:
    """RGB [B, 3, H, W] as brightness [B, 1, H, W] and two colour differences [B, 2, H, W], all around 0."""
    red, green, blue = channels.split(1, dim=1)
    luma = LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue
    differences = torch.cat([(blue - luma) / (2 - 2 * LUMA[2]), (red - luma) / (2 - 2 * LUMA[0])], dim=1)
    return luma - MIDDLE, differences


def _to_rgb(luma: Tensor, chroma: Tensor) -> Tensor:
    luma = luma + MIDDLE
    blue, red = (luma + chroma[:, k : k + 1] * (2 - 2 * share) for k, share in ((0, LUMA[2]), (1, LUMA[0])))
    return torch.cat([red, (luma - LUMA[0] * red - LUMA[2] * blue) / LUMA[1], blue], dim=1)


def _percent(quality: Tensor) -> Tensor:
    """The scale of the tables in percent, as libjpeg has it."""
    quality = quality.clamp(1, 100)
    return torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)


def _quantised(channels: Tensor, steps: tuple[tuple[int, ...], ...], percent: Tensor) -> Tensor:
    """Channels [B, C, H, W] with the cosine coefficients of their blocks rounded to whole steps."""
    batch, count, height, width = channels.shape
    cosines = _cosines().to(channels.device)
    table = torch.tensor(steps, dtype=torch.float32, device=channels.device)
    step = ((table * percent[:, 0] + 50) / 100).floor().clamp(1, 255)[:, None, None, None]  # [B, 1, 1, 1, 8, 8]
    blocks = channels.reshape(batch, count, height // BLOCK, BLOCK, width // BLOCK, BLOCK).transpose(3, 4)
    rounded = (cosines @ blocks @ cosines.T / step).round() * step
    return (cosines.T @ rounded @ cosines).transpose(3, 4).reshape(batch, count, height, width)


@cache
def _cosines() -> Tensor:
    """The orthonormal discrete cosine transform of 8 values, a row for each frequency."""
    position, frequency = torch.arange(BLOCK, dtype=torch.float32), torch.arange(BLOCK, dtype=torch.float32)[:, None]
    waves = torch.cos(torch.pi * (2 * position + 1) * frequency / (2 * BLOCK)) * (2 / BLOCK) ** 0.5
    return torch.cat([waves[:1] / 2**0.5, waves[1:]])
