"""Boxes as tensors, always in batches.

Shapes: B images, N and M boxes of one image; boxes are x0, y0, x1, y1 in pixels.
"""

import math
from typing import Final

import torch
from torch import Tensor

# Regression targets are divided by these, to be of unit scale: the usual weights of Faster R-CNN.
_DELTA_SCALE: Final = (0.1, 0.1, 0.2, 0.2)
_LARGEST_GROWTH: Final = math.log(4.0)
SUPPRESSION_ROUNDS: Final = 16


def area(boxes: Tensor) -> Tensor:
    return (boxes[..., 2] - boxes[..., 0]).clamp(min=0) * (boxes[..., 3] - boxes[..., 1]).clamp(min=0)


def iou(a: Tensor, b: Tensor) -> Tensor:
    """[..., N, 4] and [..., M, 4] to [..., N, M]."""
    low = torch.maximum(a[..., :, None, :2], b[..., None, :, :2])
    high = torch.minimum(a[..., :, None, 2:], b[..., None, :, 2:])
    overlap = (high - low).clamp(min=0).prod(dim=-1)
    return overlap / (area(a)[..., :, None] + area(b)[..., None, :] - overlap).clamp(min=1e-6)


def of_images(regions: Tensor) -> Tensor:
    """Regions [B, R, 4] as `roi_align` takes them, [B R, 5]: the number of the image, then the box. NaN and infinite boxes,
    as of a training that diverges, are replaced by zeros: `roi_align` would read outside its input."""
    batch, count = regions.shape[:2]
    owner = torch.arange(batch, device=regions.device, dtype=torch.float32).repeat_interleave(count)
    boxes = regions.reshape(-1, 4).float().nan_to_num(nan=0.0, posinf=0.0, neginf=0.0)
    return torch.cat([owner[:, None], boxes], dim=1)


def encode(boxes: Tensor, origin: Tensor) -> Tensor:
    """Faster R-CNN's regression targets from `origin` to `boxes`: shifts of the centre in sizes of `origin`, logarithms of
    the growth."""
    scale = boxes.new_tensor(_DELTA_SCALE)
    (x, y, w, h), (ox, oy, ow, oh) = _centred(boxes), _centred(origin)
    deltas = torch.stack([(x - ox) / ow, (y - oy) / oh, torch.log(w / ow), torch.log(h / oh)], dim=-1)
    return deltas / scale


def decode(deltas: Tensor, origin: Tensor) -> Tensor:
    """The inverse of `encode`; growth is clamped, so that no prediction overflows."""
    dx, dy, dw, dh = (deltas * deltas.new_tensor(_DELTA_SCALE)).unbind(dim=-1)
    ox, oy, ow, oh = _centred(origin)
    x, y = ox + dx * ow, oy + dy * oh
    w, h = ow * dw.clamp(max=_LARGEST_GROWTH).exp(), oh * dh.clamp(max=_LARGEST_GROWTH).exp()
    return torch.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], dim=-1)


def _centred(boxes: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    x0, y0, x1, y1 = boxes.unbind(dim=-1)
    return (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0).clamp(min=1e-3), (y1 - y0).clamp(min=1e-3)


def clip(boxes: Tensor, width: int, height: int) -> Tensor:
    x0, y0, x1, y1 = boxes.unbind(dim=-1)
    return torch.stack([x0.clamp(0, width), y0.clamp(0, height), x1.clamp(0, width), y1.clamp(0, height)], dim=-1)


def ordered(boxes: Tensor) -> Tensor:
    """The same with x0 <= x1 and y0 <= y1."""
    return torch.cat([torch.minimum(boxes[..., :2], boxes[..., 2:]), torch.maximum(boxes[..., :2], boxes[..., 2:])], -1)


def keep_best(boxes: Tensor, valid: Tensor, overlap: float) -> Tensor:
    """Greedy non-maximum suppression of whole batches, without a loop over images. [B, N] of what is kept.

    Boxes come in descending order of their scores. A box is kept if no better kept box overlaps it; applying that rule
    again and again from "all are kept" reaches a fixed point after as many rounds as the longest chain of suppressions,
    which is the greedy result. The number of rounds is fixed: on a GPU, a test for the fixed point costs more.
    """
    better = torch.ones(boxes.shape[1], boxes.shape[1], dtype=torch.bool, device=boxes.device).triu(diagonal=1)
    rivals = (iou(boxes, boxes) > overlap) & better  # [B, i, j]: i suppresses j, if i is kept
    kept = valid
    for _ in range(min(boxes.shape[1], SUPPRESSION_ROUNDS)):
        kept = valid & ~(rivals & kept[:, :, None]).any(dim=1)
    return kept
