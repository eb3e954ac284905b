"""What the reasoner sees of perceived sets: boxes turned into motion, once, before any learning.

Shapes: S sets, T frames of a target, R references of Tr frames, N objects, D features.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from comphy.scene.camera import BENCHMARK, Camera
from models.pcr.tracks.fitted_motion import FittedSets
from models.pcr.tracks.ground_plane import GroundTracks, ground_tracks
from models.pcr.tracks.line_fits import LineFit, Motion, fit_lines, motion_of
from models.pcr.tracks.projection import Cameras
from models.pcr.tracks.tensor_trees import joined, mapped
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.perceived import PerceivedBatch

_IMAGE_REACH: Final = 4  # frames to either side of a line fit in the image
_OUTSIDE: Final = -0.05  # the margin of an object that is not seen
_CHUNK: Final = 250  # sets that are turned into motion in one batch


@dataclass(frozen=True)
class VideoMotion:
    """Videos: tracks and motion on the ground plane; `image_fit`, line fits in the image (widths per second); and margin
    [..., T, N]: how far inside the image the object's centre is, in widths; below 0 it is outside."""

    tracks: GroundTracks
    motion: Motion
    image_fit: LineFit
    margin: Tensor

    @staticmethod
    def of(boxes: Tensor, width: int, height: int, camera: Camera = BENCHMARK) -> "VideoMotion":
        """Motion of the objects whose boxes [..., T, N, 4] lie in an image of this size."""
        tracks = ground_tracks(boxes, width, height, camera)
        size = tracks.centre.new_tensor([1.0, height / width])
        room = torch.minimum(tracks.centre, size - tracks.centre).amin(dim=-1)
        margin = torch.where(tracks.present, room, _OUTSIDE)
        image_fit = fit_lines(tracks.centre, tracks.valid, -_IMAGE_REACH, _IMAGE_REACH)
        return VideoMotion(tracks, motion_of(tracks), image_fit, margin)


@dataclass(frozen=True)
class RefinementEvidence:
    """Gains in the fit of predicted to recorded motion: if an object is heavy (heavy [S, N]), and if a pair repels or
    attracts (charge [S, P, 2]). They are what `models.pcr.properties.refinement` finds."""

    heavy: Tensor
    charge: Tensor


@dataclass(frozen=True)
class Observed:
    """Sets as they enter the reasoner. Targets have leading dimensions [S], references [S, R] with tracks in their own
    order; owners [S, R, N] are the target's objects that these are, -1 for none."""

    objects: Tensor  # [S, N] bool
    features: Tensor  # [S, N, D]
    target: VideoMotion
    references: VideoMotion
    reference_tracks: Tensor  # [S, R, N] bool
    reference_features: Tensor  # [S, R, N, D]
    owners: Tensor
    refinement: RefinementEvidence | None = None
    states: FittedSets | None = None

    @staticmethod
    def of(batch: PerceivedBatch, camera: Camera = BENCHMARK) -> "Observed":
        """What was perceived, with motion in place of boxes."""
        room = torch.arange(batch.target.shape[2], device=batch.target.device)
        return Observed(
            room < batch.objects[:, None],
            batch.target_features.float(),
            VideoMotion.of(batch.target, batch.width, batch.height, camera),
            VideoMotion.of(batch.references, batch.width, batch.height, camera),
            room < batch.tracks[..., None],
            batch.reference_features.float(),
            batch.owners,
        )

    def __len__(self) -> int:
        return len(self.objects)

    def rows(self, rows: Tensor) -> "Observed":
        """The sets of the given rows."""
        return mapped(self, lambda tensor: tensor.index_select(0, rows))

    def to(self, device: torch.device | str) -> "Observed":
        return mapped(self, lambda tensor: tensor.to(device))


def observe(cache: FeatureCache, sets: Sequence[int], camera: Camera | Sequence[Camera] = BENCHMARK) -> Observed:
    """Sets of a feature cache, in the given order, which were filmed with one camera, or each with its own."""
    if not isinstance(camera, Camera):
        return _filmed(cache, sets, camera)
    parts = [sets[start : start + _CHUNK] for start in range(0, len(sets), _CHUNK)]
    return joined([Observed.of(cache.batch(part), camera) for part in parts])


def _filmed(cache: FeatureCache, sets: Sequence[int], cameras: Sequence[Camera]) -> Observed:
    """Sets of one camera are turned into motion together."""
    rows: dict[Camera, list[int]] = defaultdict(list)
    for row, camera in enumerate(cameras):
        rows[camera].append(row)
    parts = [observe(cache, [sets[row] for row in chosen], camera) for camera, chosen in rows.items()]
    if len(parts) == 1:
        return parts[0]
    order = torch.tensor([row for chosen in rows.values() for row in chosen])
    each = [_with_cameras(part, Cameras.of([camera] * len(part))) for part, camera in zip(parts, rows, strict=True)]
    return joined(each).rows(order.argsort())


def _with_cameras(observed: Observed, cameras: Cameras) -> Observed:
    references = observed.owners.shape[1]
    of_references = mapped(cameras, lambda part: part[:, None].expand(-1, references, -1))
    return replace(
        observed,
        target=replace(observed.target, tracks=replace(observed.target.tracks, camera=cameras)),
        references=replace(observed.references, tracks=replace(observed.references.tracks, camera=of_references)),
    )
