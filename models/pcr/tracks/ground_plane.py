"""From boxes to places on the ground plane, by back-projection through the known camera.

On the ground, motion looks the same near and far. A box shows only the visible part of an object. Where another object or
the image border hides one of its edges, the centre follows from the opposite edge and the object's median size.

Shapes: leading dimensions (...) are sets, references or both; T frames, N objects. Boxes are x0, y0, x1, y1 in pixels,
all zero where the object is absent.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.vocabulary import OBJECT_RADIUS
from models.pcr.tracks.projection import Cameras
from models.perceiver.representation import present

_BORDER: Final = 2 / 480  # of the image width: a box this close to the border may be cut off by it
_NEAR: Final = 3 / 480  # tolerance: a hidden edge lies inside the box of the occluder
_FREE: Final = 0.1  # share of an edge that must be unoccluded for it to be seen
_ROUNDS: Final = 2  # fixed-point iterations: the size in pixels depends on the place, and the place on the size


@dataclass(frozen=True)
class GroundTracks:
    """position [..., T, N, 2] in scene units; valid [..., T, N] where it can be trusted; present [..., T, N] where the
    object was seen at all; centre [..., T, N, 2] in the image, in image widths. boxes [..., T, N, 4] as they were perceived,
    in image widths, and unhidden [..., T, N, 4]: which of their edges are the object's own, not the image border's or an
    occluder's. `camera`: the one that they were seen with, or one for each video."""

    position: Tensor
    valid: Tensor
    present: Tensor
    centre: Tensor
    boxes: Tensor
    unhidden: Tensor
    camera: Camera | Cameras = BENCHMARK


@dataclass(frozen=True)
class _Rays:
    """Rays of the camera for one image size: pixel (u, v) is seen along u * across + v * down + ahead."""

    across: Tensor
    down: Tensor
    ahead: Tensor
    position: Tensor
    focal: float

    @staticmethod
    def of(width: int, like: Tensor, full: Camera) -> "_Rays":
        camera = full.resized(width, width * full.height // full.width)
        right, down, forward = (torch.as_tensor(axis, dtype=like.dtype, device=like.device) for axis in camera.axes())
        across, downwards = right / camera.focal, down / camera.focal
        ahead = forward - across * camera.width / 2 - downwards * camera.height / 2
        position = torch.tensor(camera.position, dtype=like.dtype, device=like.device)
        return _Rays(across, downwards, ahead, position, camera.focal)

    def ground(self, centre: Tensor) -> tuple[Tensor, Tensor]:
        """Places [..., 2] where the rays of pixels [..., 2] meet the height of object centres, and their depths [...]."""
        ray = centre[..., :1] * self.across + centre[..., 1:] * self.down + self.ahead
        # A ray above the horizon never meets the plane; it is taken to meet it far away.
        distance = (OBJECT_RADIUS - self.position[2]) / ray[..., 2].clamp(max=-1e-3)
        return self.position[:2] + ray[..., :2] * distance[..., None], distance


def ground_tracks(boxes: Tensor, width: int, height: int, camera: Camera = BENCHMARK) -> GroundTracks:
    """Places of the objects whose boxes [..., T, N, 4] lie in an image of this size."""
    shown = present(boxes)
    hidden = _hidden_edges(boxes, shown, width, height)
    rays = _Rays.of(width, boxes, camera)
    low, high = boxes[..., :2], boxes[..., 2:]
    centre = (low + high) / 2
    whole = shown & ~hidden.any(dim=-1)
    position, depth = rays.ground(centre)
    for _ in range(_ROUNDS):
        size = _median_size(high - low, depth, whole) / depth[..., None]
        centre = _centre(low, high, hidden, size)
        position, depth = rays.ground(centre)
    lost = (hidden[..., :2] & hidden[..., 2:]).any(dim=-1)
    unhidden = shown[..., None] & ~hidden
    position = position * shown[..., None]
    return GroundTracks(position, shown & ~lost, shown, centre / width, boxes / width, unhidden, camera)


def unhidden_edges(boxes: Tensor, width: int, height: int) -> Tensor:
    """[..., T, N, 4]: which edges of boxes are the object's own, not the image border's or an occluder's."""
    shown = present(boxes)
    return shown[..., None] & ~_hidden_edges(boxes, shown, width, height)


def _hidden_edges(boxes: Tensor, shown: Tensor, width: int, height: int) -> Tensor:
    """[..., T, N, 4]: whether an edge may be hidden: at the image border, or behind a nearer object."""
    border = _BORDER * width
    size = boxes.new_tensor([width, height])
    at_border = torch.cat([boxes[..., :2] < border, boxes[..., 2:] > size - border], dim=-1)
    mine, others = boxes[..., :, None, :], boxes[..., None, :, :]
    low = torch.maximum(mine[..., :2], others[..., :2])
    high = torch.minimum(mine[..., 2:], others[..., 2:])
    overlap = (high > low).all(dim=-1) & shown[..., :, None] & shown[..., None, :]
    nearer = others[..., 3] > mine[..., 3]  # the camera looks down: lower in the image is nearer
    same = torch.eye(boxes.shape[-2], dtype=torch.bool, device=boxes.device)
    behind = (overlap & nearer & ~same)[..., None]
    reach = _NEAR * width
    inside = torch.cat([others[..., :2] <= mine[..., :2] + reach, others[..., 2:] >= mine[..., 2:] - reach], dim=-1)
    hidden = behind & (inside & _spans(mine, others))
    return at_border | hidden.any(dim=-2)


def _spans(mine: Tensor, others: Tensor) -> Tensor:
    """[..., 4]: whether the other box is long enough to hide the whole edge. A vertical edge whose upper part is
    unoccluded is still seen, and so is a lower edge that is unoccluded around its middle."""
    size = mine[..., 2:] - mine[..., :2]
    middle = mine[..., 0] + size[..., 0] / 2
    sideways = others[..., 1] <= mine[..., 1] + _FREE * size[..., 1]
    upright = (others[..., 0] <= middle - _FREE * size[..., 0]) & (others[..., 2] >= middle + _FREE * size[..., 0])
    return torch.stack([sideways, upright, sideways, upright], dim=-1)


def _median_size(size: Tensor, depth: Tensor, whole: Tensor) -> Tensor:
    """[..., 1, N, 2]: each object's median size times depth, over the frames in which no edge is hidden (or over all
    frames, if there are none)."""
    enough = whole.any(dim=-2, keepdim=True)
    usable = (whole | ~enough)[..., None]
    scaled = torch.where(usable, size * depth[..., None], torch.nan)
    return torch.nanmedian(scaled, dim=-3, keepdim=True).values


def _centre(low: Tensor, high: Tensor, hidden: Tensor, size: Tensor) -> Tensor:
    """The centre of a box, from the edges that can be trusted."""
    no_low, no_high = hidden[..., :2], hidden[..., 2:]
    middle = (low + high) / 2
    middle = torch.where(no_low & ~no_high, high - size / 2, middle)
    return torch.where(no_high & ~no_low, low + size / 2, middle)
