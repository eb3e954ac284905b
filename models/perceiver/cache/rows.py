"""One set as rows of a cache's arrays, padded to the room there is, and back.

Boxes and features are rounded. Features are stored in half precision and read in single precision.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.perceiver.cache.index import CacheShape
from models.perceiver.cache.rounding import round_boxes, round_features
from models.perceiver.perceived import PerceivedBatch, PerceivedSet, PerceivedVideo
from models.perceiver.tracking.alignment import NOBODY

Row = Mapping[str, NDArray[Any]]


def padded_row(perceived: PerceivedSet, shape: CacheShape) -> Row:
    """A set's numbers by array, rounded, each of the shape of its row."""
    references = perceived.references
    tracks = [len(video) for video in references]
    frames = len(references[0].boxes) if references else 0
    extent = (len(perceived), len(perceived.target.boxes), len(references), frames)
    _check_fits(perceived, extent, max(tracks, default=0), shape)
    row = {name: np.zeros(size, kind) for name, (size, kind) in shape.arrays().items()}
    row["extent"][:] = extent
    row["tracks"][: len(tracks)] = tracks
    row["owners"][:] = NOBODY
    _target(row).put(perceived.target, shape.width)
    for number, (video, owners) in enumerate(zip(references, perceived.owners, strict=True)):
        row["owners"][number, : len(video)] = owners[: len(video)]
        _reference(row, number).put(video, shape.width)
    return row


def perceived_set(number: int, row: Row, shape: CacheShape) -> PerceivedSet:
    """Without padding; boxes are views of the row."""
    objects, frames, references, reference_frames = (int(n) for n in row["extent"])
    tracks = [int(n) for n in row["tracks"][:references]]
    videos = tuple(_reference(row, k).take(reference_frames, count) for k, count in enumerate(tracks))
    owners = row["owners"][:references, : max(tracks, default=0)]
    return PerceivedSet(number, shape.width, shape.height, _target(row).take(frames, objects), videos, owners)


def perceived_batch(numbers: Sequence[int], rows: Mapping[str, Tensor], shape: CacheShape) -> PerceivedBatch:
    """Of rows of several sets, stacked by array."""
    return PerceivedBatch(
        width=shape.width,
        height=shape.height,
        indices=torch.tensor(list(numbers), dtype=torch.long),
        objects=rows["extent"][:, 0],
        tracks=rows["tracks"],
        target=rows["target_boxes"],
        target_seen=rows["target_seen"],
        target_features=rows["target_features"].float(),
        references=rows["reference_boxes"],
        reference_seen=rows["reference_seen"],
        reference_features=rows["reference_features"].float(),
        owners=rows["owners"],
    )


class _VideoRow(NamedTuple):
    """The room for one video's numbers."""

    boxes: NDArray[Any]
    seen: NDArray[Any]
    features: NDArray[Any]

    def put(self, video: PerceivedVideo, width: int) -> None:
        frames, tracks = video.seen.shape
        self.boxes[:frames, :tracks] = round_boxes(video.boxes, width)
        self.seen[:frames, :tracks] = video.seen
        self.features[:tracks] = round_features(video.features)

    def take(self, frames: int, tracks: int) -> PerceivedVideo:
        features = self.features[:tracks].astype(np.float32)
        return PerceivedVideo(self.boxes[:frames, :tracks], self.seen[:frames, :tracks], features)


def _target(row: Row) -> _VideoRow:
    return _VideoRow(row["target_boxes"], row["target_seen"], row["target_features"])


def _reference(row: Row, number: int) -> _VideoRow:
    names = ("reference_boxes", "reference_seen", "reference_features")
    return _VideoRow(*(row[name][number] for name in names))


def _check_fits(perceived: PerceivedSet, extent: tuple[int, ...], tracks: int, shape: CacheShape) -> None:
    picture, features = (perceived.width, perceived.height), perceived.target.features.shape[1]
    if picture != (shape.width, shape.height) or features != shape.features:
        raise ValueError(
            f"Expected a set of {shape.width}x{shape.height} pictures with {shape.features} features "
            f"(got {picture[0]}x{picture[1]} with {features})."
        )
    room = (shape.objects, shape.frames, shape.references, shape.reference_frames, shape.objects)
    found = (*extent, tracks)
    if any(need > there for need, there in zip(found, room, strict=True)):
        raise ValueError(
            f"Expected at most {room} objects, frames, references, frames and tracks of a reference "
            f"(got {found} in set {perceived.index})."
        )
