"""Object-centric features of perceived videos, as the paper defines them (5.1.1).

Averaged region features f^v [N, D] come from the tracker; here are those made of boxes. All functions work on any
batch: leading dimensions (...) may be sets, references, or both.

Shapes: T frames, N objects, P pairs of objects, S chosen times. Boxes are x0, y0, x1, y1; all zero where absent.
"""

from itertools import combinations
from typing import Final

import torch
from torch import Tensor

from models.perceiver.detection.boxes import area

REACH: Final = 2  # frames of a segment on either side of its centre
SEGMENT: Final = 2 * REACH + 1
SPATIAL_FEATURES: Final = SEGMENT * (1 + 4 + 4)


def normalise(boxes: Tensor, width: int, height: int) -> Tensor:
    """Pixels to shares of the picture's size, 0 to 1."""
    return boxes / boxes.new_tensor([width, height, width, height])


def present(boxes: Tensor) -> Tensor:
    """[..., T, N, 4] to [..., T, N]: whether the object is there. A box at the picture's edge or outside still is."""
    return (boxes != 0).any(dim=-1)


def trajectory_features(boxes: Tensor) -> Tensor:
    """f^t: an object's boxes in all frames. [..., T, N, 4] to [..., N, T * 4]."""
    return boxes.transpose(-3, -2).flatten(-2)


def coordinates(boxes: Tensor) -> Tensor:
    """p_n of a target and p_{n,r} of references: an object's centre in all frames, zero where it is absent.
    [..., T, N, 4] to [..., N, T * 2]."""
    centres = (boxes[..., :2] + boxes[..., 2:]) / 2
    return centres.transpose(-3, -2).flatten(-2)


def all_pairs(objects: int) -> Tensor:
    """[P, 2]: i < j, in lexical order."""
    return torch.tensor(list(combinations(range(objects), 2)), dtype=torch.long).reshape(-1, 2)


def interaction_features(boxes: Tensor, pairs: Tensor, times: Tensor | None = None) -> Tensor:
    """f^sp_{i,j,t}: how two objects' boxes relate over the frames t - 2 ... t + 2.

    From normalised boxes [..., T, N, 4], pairs [P, 2] and times [S] (all frames if not given) to [..., P, S, 45]: five
    overlaps (IoU), five differences and five products of the four coordinates. Beyond the ends of the video the first
    and last frame are repeated. Frames of a segment where one of the two is absent are zero, and all of it is where
    one is absent at t itself: coordinates of an absent object mean nothing.
    """
    both, relations = _relations(boxes, pairs)
    moments = _moments(boxes, times)
    steps = torch.arange(-REACH, REACH + 1, device=boxes.device)
    frames = (moments[:, None] + steps).clamp(0, boxes.shape[-3] - 1)
    segments = relations[..., frames, :] * both[..., moments, None, None]  # [..., P, S, 5, 9]
    overlaps, differences, products = segments.split([1, 4, 4], dim=-1)
    return torch.cat([part.flatten(-2) for part in (overlaps, differences, products)], dim=-1)


def union_regions(boxes: Tensor, pairs: Tensor, times: Tensor | None = None) -> Tensor:
    """The region around both objects, whose features are f^u: [..., T, N, 4] to [..., P, S, 4], zero where one of the
    two is absent."""
    first, second = _pair_boxes(boxes, pairs)
    low = torch.minimum(first[..., :2], second[..., :2])
    high = torch.maximum(first[..., 2:], second[..., 2:])
    both = (present(first) & present(second))[..., None]
    return (torch.cat([low, high], dim=-1) * both)[..., _moments(boxes, times), :]


def _moments(boxes: Tensor, times: Tensor | None) -> Tensor:
    return torch.arange(boxes.shape[-3], device=boxes.device) if times is None else times


def _pair_boxes(boxes: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
    """The first and the second objects of pairs: [..., P, T, 4] each."""
    objects = boxes.transpose(-3, -2)
    return objects[..., pairs[:, 0], :, :], objects[..., pairs[:, 1], :, :]


def _relations(boxes: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
    """Of every frame: whether both are there [..., P, T], and overlap, difference, product [..., P, T, 9]."""
    first, second = _pair_boxes(boxes, pairs)
    both = present(first) & present(second)
    relations = torch.cat([_overlap(first, second)[..., None], first - second, first * second], dim=-1)
    return both, relations * both[..., None]


def _overlap(a: Tensor, b: Tensor) -> Tensor:
    """IoU of boxes [..., 4], one to one."""
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    shared = area(torch.cat([low, high], dim=-1))
    return shared / (area(a) + area(b) - shared).clamp(min=1e-9)
