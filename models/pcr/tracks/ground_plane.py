"""From boxes to places on the table: the camera is known, and on the ground motion is the same near and far.

A box shows only what is seen of an object. Where another object or the border of the picture hides one of its edges,
the opposite edge and the object's own usual size say where its middle is.

Shapes: leading dimensions (...) are sets, references or both; T frames, N objects. Boxes are x0, y0, x1, y1 in pixels,
all zero where the object is absent.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import Camera
from comphy.scene.vocabulary import OBJECT_RADIUS
from models.pcr.tracks.yaw_filter import Turning, turning_of
from models.perceiver.representation import present

_BORDER: Final = 2 / 480  # of the picture's width: a box that comes so near to the border may go on beyond it
_NEAR: Final = 3 / 480  # a hidden edge lies inside the box of what hides it, give or take this
_FREE: Final = 0.1  # share of an edge that must be free for it to be seen
_ROUNDS: Final = 2  # the size in pixels depends on the place, and the place on the size


@dataclass(frozen=True)
class GroundTracks:
    """position [..., T, N, 2] in scene units; valid [..., T, N] where it can be trusted; present [..., T, N] where the
    object was seen at all; centre [..., T, N, 2] its middle in the picture, in shares of the picture's width;
    turning: which way it is turned, if it has edges."""

    position: Tensor
    valid: Tensor
    present: Tensor
    centre: Tensor
    turning: Turning


@dataclass(frozen=True)
class _View:
    """The camera as numbers for one picture size: a point (u, v) is seen along u * across + v * down + ahead."""

    across: Tensor
    down: Tensor
    ahead: Tensor
    position: Tensor
    focal: float

    @staticmethod
    def of(width: int, like: Tensor) -> "_View":
        full = Camera()
        camera = full.resized(width, width * full.height // full.width)
        right, down, forward = (torch.as_tensor(axis, dtype=like.dtype, device=like.device) for axis in camera.axes())
        across, downwards = right / camera.focal, down / camera.focal
        ahead = forward - across * camera.width / 2 - downwards * camera.height / 2
        position = torch.tensor(camera.position, dtype=like.dtype, device=like.device)
        return _View(across, downwards, ahead, position, camera.focal)

    def ground(self, centre: Tensor) -> tuple[Tensor, Tensor]:
        """The places [..., 2] at the height of an object's middle that points [..., 2] show, and their depths [...]."""
        ray = centre[..., :1] * self.across + centre[..., 1:] * self.down + self.ahead
        # Above the horizon there is no place; such a point is taken to be far away.
        distance = (OBJECT_RADIUS - self.position[2]) / ray[..., 2].clamp(max=-1e-3)
        return self.position[:2] + ray[..., :2] * distance[..., None], distance


def ground_tracks(boxes: Tensor, width: int, height: int) -> GroundTracks:
    """Places of the objects whose boxes [..., T, N, 4] lie in a picture of this size."""
    shown = present(boxes)
    hidden = _hidden_edges(boxes, shown, width, height)
    view = _View.of(width, boxes)
    low, high = boxes[..., :2], boxes[..., 2:]
    centre = (low + high) / 2
    whole = shown & ~hidden.any(dim=-1)
    position, depth = view.ground(centre)
    for _ in range(_ROUNDS):
        usual = _usual_size(high - low, depth, whole) / depth[..., None]
        centre = _middle(low, high, hidden, usual)
        position, depth = view.ground(centre)
    lost = (hidden[..., :2] & hidden[..., 2:]).any(dim=-1)
    wide = shown & ~(hidden[..., 0] | hidden[..., 2])
    turning = turning_of(high[..., 0] - low[..., 0], position, wide, width)
    return GroundTracks(position * shown[..., None], shown & ~lost, shown, centre / width, turning)


def _hidden_edges(boxes: Tensor, shown: Tensor, width: int, height: int) -> Tensor:
    """[..., T, N, 4]: whether each edge may not be the object's own: at the border, or behind a nearer object."""
    border = _BORDER * width
    size = boxes.new_tensor([width, height])
    at_border = torch.cat([boxes[..., :2] < border, boxes[..., 2:] > size - border], dim=-1)
    mine, others = boxes[..., :, None, :], boxes[..., None, :, :]
    low = torch.maximum(mine[..., :2], others[..., :2])
    high = torch.minimum(mine[..., 2:], others[..., 2:])
    overlap = (high > low).all(dim=-1) & shown[..., :, None] & shown[..., None, :]
    nearer = others[..., 3] > mine[..., 3]  # what stands lower in the picture stands in front
    same = torch.eye(boxes.shape[-2], dtype=torch.bool, device=boxes.device)
    behind = (overlap & nearer & ~same)[..., None]
    reach = _NEAR * width
    covered = torch.cat([others[..., :2] <= mine[..., :2] + reach, others[..., 2:] >= mine[..., 2:] - reach], dim=-1)
    behind = behind & (covered & _spans(mine, others))
    return at_border | behind.any(dim=-2)


def _spans(mine: Tensor, others: Tensor) -> Tensor:
    """[..., 4]: whether the other box is long enough to hide the whole edge. A side of which the upper part is free is
    still seen where it is; so is a lower edge that is free at its middle."""
    size = mine[..., 2:] - mine[..., :2]
    middle = mine[..., 0] + size[..., 0] / 2
    sideways = others[..., 1] <= mine[..., 1] + _FREE * size[..., 1]
    upright = (others[..., 0] <= middle - _FREE * size[..., 0]) & (others[..., 2] >= middle + _FREE * size[..., 0])
    return torch.stack([sideways, upright, sideways, upright], dim=-1)


def _usual_size(size: Tensor, depth: Tensor, whole: Tensor) -> Tensor:
    """[..., 1, N, 2]: each object's median size times depth over the frames that show it whole (or over all, if none
    does)."""
    enough = whole.any(dim=-2, keepdim=True)
    usable = (whole | ~enough)[..., None]
    scaled = torch.where(usable, size * depth[..., None], torch.nan)
    return torch.nanmedian(scaled, dim=-3, keepdim=True).values


def _middle(low: Tensor, high: Tensor, hidden: Tensor, usual: Tensor) -> Tensor:
    """The middle of a box, from the edges that can be trusted."""
    no_low, no_high = hidden[..., :2], hidden[..., 2:]
    middle = (low + high) / 2
    middle = torch.where(no_low & ~no_high, high - usual / 2, middle)
    return torch.where(no_high & ~no_low, low + usual / 2, middle)
