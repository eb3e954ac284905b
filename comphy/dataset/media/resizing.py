"""Pictures at another size."""

import torch
from torch import Tensor
from torch.nn import functional

from comphy.errors import DatasetError


def resized(frames: Tensor, size: tuple[int, int], where: str) -> Tensor:
    """8-bit frames [F, H, W, 3] at another size of the same shape."""
    width, height = size
    if frames.shape[2] * height != frames.shape[1] * width:
        raise DatasetError(
            f"{where}: expected frames of the shape {width}:{height} (got {frames.shape[2]}x{frames.shape[1]}). "
            "The perceiver knows the benchmark's 3:2 pictures only."
        )
    if frames.shape[1:3] == (height, width):
        return frames
    images = frames.permute(0, 3, 1, 2).float()
    smaller = functional.interpolate(images, (height, width), mode="bilinear", antialias=True, align_corners=False)
    return smaller.round().clamp(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous()
