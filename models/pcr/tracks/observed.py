"""What the reasoner sees of perceived sets: boxes turned into motion, once, before any learning.

Shapes: S sets, T frames of a target, R references of Tr frames, N objects, D features.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, TypeVar

import torch
from torch import Tensor

from models.pcr.tracks.ground_plane import GroundTracks, ground_tracks
from models.pcr.tracks.line_fits import LineFit, Motion, fit_lines, motion_of
from models.perceiver.perceived import PerceivedBatch

_PICTURE_REACH: Final = 4
_OUTSIDE: Final = -0.05  # the margin of an object that is not seen

Tree = TypeVar("Tree")


@dataclass(frozen=True)
class Sight:
    """Videos: tracks and motion on the ground, motion in the picture (`picture`, in widths per second), and margin
    [..., T, N]: how far inside the picture the object's middle is, in widths; below 0 it is outside."""

    tracks: GroundTracks
    motion: Motion
    picture: LineFit
    margin: Tensor

    @staticmethod
    def of(boxes: Tensor, width: int, height: int) -> "Sight":
        tracks = ground_tracks(boxes, width, height)
        size = tracks.centre.new_tensor([1.0, height / width])
        room = torch.minimum(tracks.centre, size - tracks.centre).amin(dim=-1)
        margin = torch.where(tracks.present, room, _OUTSIDE)
        picture = fit_lines(tracks.centre, tracks.valid, -_PICTURE_REACH, _PICTURE_REACH)
        return Sight(tracks, motion_of(tracks), picture, margin)


@dataclass(frozen=True)
class Explained:
    """How much better the recorded motion is predicted if an object is heavy (heavy [S, N]), or if a pair repels or
    attracts (charge [S, P, 2]), than if not: what a second look tells."""

    heavy: Tensor
    charge: Tensor


@dataclass(frozen=True)
class Observed:
    """Sets as they enter the reasoner. Targets have leading dimensions [S], references [S, R] with tracks in their own
    order; owners [S, R, N] are the target's objects that these are, -1 for none."""

    objects: Tensor  # [S, N] bool
    features: Tensor  # [S, N, D]
    target: Sight
    references: Sight
    reference_tracks: Tensor  # [S, R, N] bool
    reference_features: Tensor  # [S, R, N, D]
    owners: Tensor
    explained: Explained | None = None

    @staticmethod
    def of(batch: PerceivedBatch) -> "Observed":
        room = torch.arange(batch.target.shape[2], device=batch.target.device)
        return Observed(
            room < batch.objects[:, None],
            batch.target_features.float(),
            Sight.of(batch.target, batch.width, batch.height),
            Sight.of(batch.references, batch.width, batch.height),
            room < batch.tracks[..., None],
            batch.reference_features.float(),
            batch.owners,
        )

    def __len__(self) -> int:
        return len(self.objects)

    def rows(self, rows: Tensor) -> "Observed":
        return mapped(self, lambda tensor: tensor.index_select(0, rows))

    def to(self, device: torch.device | str) -> "Observed":
        return mapped(self, lambda tensor: tensor.to(device))


def mapped(tree: Tree, change: Callable[[Tensor], Tensor]) -> Tree:
    """A dataclass of tensors and of such dataclasses, with every tensor changed."""
    if isinstance(tree, Tensor):
        return change(tree)  # type: ignore[return-value]
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    changed: dict[str, Any] = {field.name: mapped(getattr(tree, field.name), change) for field in fields(tree)}
    return type(tree)(**changed)


def joined(parts: list[Tree]) -> Tree:
    """The rows of several such trees, one after the other."""
    first = parts[0]
    if first is None:
        return first
    if isinstance(first, Tensor):
        return torch.cat(parts)  # type: ignore[arg-type, return-value]
    assert is_dataclass(first) and not isinstance(first, type)
    return type(first)(**{field.name: joined([getattr(part, field.name) for part in parts]) for field in fields(first)})
