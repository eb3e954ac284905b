"""What the perceiver hands on: the tracks of a set of videos, with boxes and appearance embeddings.

Every video keeps its tracks in their own order. Which object of the target a reference track is stands beside them
(`owners`), so that references can be aligned again by whatever is learned later.

Shapes: B sets, T frames of a target, R references of Tr frames, N objects of the target, M tracks of a video, D
features. Boxes are x0, y0, x1, y1 in pixels, all zero where the object is absent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from models.perceiver.tracking.alignment import NOBODY, stacked_owners
from models.perceiver.tracking.appearance import Array
from models.perceiver.tracking.tracker import Tracks


@dataclass(frozen=True)
class PerceivedVideo:
    """boxes [T, M, 4]; seen [T, M] tells detected boxes from those filled in; features [M, D], averaged over frames."""

    boxes: Array
    seen: NDArray[np.bool_]
    features: Array

    def __post_init__(self) -> None:
        fits = self.boxes.ndim == 3 and self.boxes.shape == (*self.seen.shape, 4)
        if not fits or self.features.ndim != 2 or len(self.features) != self.boxes.shape[1]:
            raise ValueError(
                "Expected boxes [T, M, 4], seen [T, M] and features [M, D] "
                f"(got {self.boxes.shape}, {self.seen.shape} and {self.features.shape})."
            )

    def __len__(self) -> int:
        return len(self.features)


@dataclass(frozen=True)
class PerceivedSet:
    """One set, whose objects are the target's tracks. owners [R, M]: the object of each track of the references, -1
    for none, and where a reference has fewer tracks. `width` and `height` are those of the picture the boxes are in."""

    index: int
    width: int
    height: int
    target: PerceivedVideo
    references: tuple[PerceivedVideo, ...]
    owners: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len({len(video.boxes) for video in self.references}) > 1:
            lengths = ", ".join(str(len(video.boxes)) for video in self.references)
            raise ValueError(f"Expected references of one length (got {lengths} frames).")
        widths = {video.features.shape[1] for video in (self.target, *self.references)}
        if len(widths) > 1:
            raise ValueError(f"Expected as many features in every video (got {', '.join(map(str, sorted(widths)))}).")
        most = max((len(video) for video in self.references), default=0)
        if self.owners.ndim != 2 or len(self.owners) != len(self.references) or self.owners.shape[1] < most:
            raise ValueError(
                f"Expected owners of {len(self.references)} references with up to {most} tracks "
                f"(got {self.owners.shape})."
            )
        for number, (video, owners) in enumerate(zip(self.references, self.owners, strict=True)):
            self._check_owners(number, owners, len(video))

    def _check_owners(self, number: int, owners: NDArray[np.int64], tracks: int) -> None:
        owned = owners[owners != NOBODY]
        inside = ((owned >= 0) & (owned < len(self))).all() and (owners[tracks:] == NOBODY).all()
        if not inside or len(set(owned.tolist())) < len(owned):
            raise ValueError(
                f"Expected each of the {tracks} tracks of reference {number} to have one of {len(self)} objects or "
                f"none, and no object twice (got {owners.tolist()})."
            )

    def __len__(self) -> int:
        return len(self.target)


@dataclass(frozen=True)
class PerceivedBatch:
    """Sets as tensors, padded with zeros, owners with -1; N is the room for objects and for tracks of a reference.

    indices [B]; objects [B] and tracks [B, R] tell how many there are. Of targets: target [B, T, N, 4], target_seen
    [B, T, N], target_features [B, N, D]. Of references, in their own order: references [B, R, Tr, N, 4],
    reference_seen [B, R, Tr, N], reference_features [B, R, N, D], owners [B, R, N].
    """

    width: int
    height: int
    indices: Tensor
    objects: Tensor
    tracks: Tensor
    target: Tensor
    target_seen: Tensor
    target_features: Tensor
    references: Tensor
    reference_seen: Tensor
    reference_features: Tensor
    owners: Tensor

    def to(self, device: str) -> "PerceivedBatch":
        moved = {name: value.to(device) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return PerceivedBatch(self.width, self.height, **moved)


def aligned_references(batch: PerceivedBatch, owners: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Boxes [B, R, Tr, N, 4] and seen [B, R, Tr, N] in the order of the target's objects; zero where a reference does
    not show an object. `owners` [B, R, N] replaces the batch's own."""
    owners = batch.owners if owners is None else owners
    if owners.shape != batch.owners.shape:
        raise ValueError(f"Expected owners {tuple(batch.owners.shape)} (got {tuple(owners.shape)}).")
    room = owners.shape[-1]
    # Tracks of nobody go to one place more, which is cut off.
    place = owners.masked_fill(owners == NOBODY, room)[:, :, None].expand(batch.reference_seen.shape)
    boxes = batch.references.new_zeros(*place.shape[:-1], room + 1, 4)
    seen = batch.reference_seen.new_zeros(*place.shape[:-1], room + 1)
    boxes.scatter_(3, place[..., None].expand(batch.references.shape), batch.references)
    seen.scatter_(3, place, batch.reference_seen)
    return boxes[..., :room, :], seen[..., :room]


def assemble(
    index: int,
    size: tuple[int, int],
    target: Tracks,
    references: Sequence[Tracks],
    assignments: Sequence[NDArray[np.intp]],
) -> PerceivedSet:
    """A set from its tracks, given the target track of each reference track, -1 for none."""
    videos = tuple(_video(tracks) for tracks in references)
    return PerceivedSet(index, *size, _video(target), videos, stacked_owners(assignments))


def _video(tracks: Tracks) -> PerceivedVideo:
    return PerceivedVideo(tracks.boxes, tracks.seen, tracks.features)
