"""The whole perceiver: the five videos of a set in; its objects with their tracks and appearance embeddings out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.sources.source import STANDARD, TARGET, VideoLengths
from models.perceiver.detection.checkpoint import MODEL, load_detector, load_lighting
from models.perceiver.detection.contract import Detections, Detector
from models.perceiver.detection.lighting import STUDIO, Lighting
from models.perceiver.perceived import PerceivedSet, assemble
from models.perceiver.tracking.alignment import align_tracks
from models.perceiver.tracking.appearance import mean_feature
from models.perceiver.tracking.tracker import TrackerSettings, Tracks, track
from models.train.checkpoint import checkpoint_files
from models.train.precision import autocast, memory_errors

BATCH: Final = {"cuda": 512, "cpu": 8}  # frames that the detector takes at once
OUT_OF_MEMORY: Final = "What was finished is kept; run the same command again with a smaller --batch, or --device cpu."


@dataclass(frozen=True)
class SetTracks:
    """Tracks of a set's videos, before they are aligned.

    Attributes:
        index: number of the set.
        videos: tracks by the name of the video."""

    index: int
    videos: dict[str, Tracks]


@dataclass(frozen=True)
class Perceiver:
    """Detector, tracker and alignment: from the frames of a set to its objects.

    Attributes:
        detector: finds and describes objects in frames.
        device: where the detector computes.
        batch: how many frames the detector takes at once, at most.
        tracking: settings of the tracker.
        lengths: how many videos a set has, and how many of their frames are looked at.
        lighting: the light that the detector knows, to which videos under another one are brought."""

    detector: Detector
    device: torch.device
    batch: int
    tracking: TrackerSettings = field(default_factory=TrackerSettings)
    lengths: VideoLengths = STANDARD
    lighting: Lighting = STUDIO

    def tracks(self, frames: Tensor, index: int, videos: Sequence[str] | None = None) -> SetTracks:
        """Detect and track in all frames of a set's videos, or of some of them.

        Args:
            frames: 8-bit RGB frames [F, H, W, 3], one video after the other.
            index: number of the set.
            videos: names of the videos that the frames are of; by default all of a set.

        Returns:
            The tracks of each video."""
        names = self.lengths.videos if videos is None else videos
        parts = frames.split([self.lengths.of(name) for name in names])
        return self.tracked(self.detect(torch.cat([self.lighting.adapted(part) for part in parts])), index, videos)

    def tracked(self, found: Detections, index: int, videos: Sequence[str] | None = None) -> SetTracks:
        """Track what `detect` has found.

        Args:
            found: detections in the frames, one video after the other.
            index: number of the set.
            videos: names of the videos that the frames are of; by default all of a set.

        Returns:
            The tracks of each video."""
        videos = self.lengths.videos if videos is None else videos
        boxes, scores, features = (values.numpy() for values in (found.boxes, found.scores, found.features))
        centre = mean_feature(scores, features)
        starts = np.cumsum([0, *(self.lengths.of(video) for video in videos)])
        parts = {video: slice(a, b) for video, a, b in zip(videos, starts[:-1], starts[1:], strict=True)}
        tracks = {
            video: track(boxes[part], scores[part], features[part], self.tracking, centre)
            for video, part in parts.items()
        }
        return SetTracks(index, tracks)

    def detect(self, frames: Tensor) -> Detections:
        """Detect the objects in frames.

        Args:
            frames: 8-bit RGB frames [F, H, W, 3].

        Returns:
            Boxes, scores and features, on the CPU."""
        with torch.no_grad(), autocast(self.device, bf16=True), memory_errors(self.batch, OUT_OF_MEMORY):
            parts = [self.detector.detect(part.to(self.device)) for part in frames.split(self.batch)]
        return Detections(
            torch.cat([part.boxes for part in parts]).cpu(),
            torch.cat([part.scores for part in parts]).cpu(),
            torch.cat([part.features for part in parts]).cpu(),
        )

    def sets(self, frames: FrameBatches, indices: Iterable[int]) -> Iterator[PerceivedSet]:
        """Perceive sets, one after the other.

        Args:
            frames: where the frames of the videos come from.
            indices: numbers of the sets.

        Yields:
            The sets in this order."""
        for index in indices:
            yield self.aligned(self.tracks(draw_set(frames, index, self.lengths), index))

    def aligned(self, tracked: SetTracks) -> PerceivedSet:
        """Align the tracks of the references with the target's by their features.

        Args:
            tracked: tracks of all videos of a set.

        Returns:
            The set, whose objects are the target's tracks."""
        target, references = tracked.videos[TARGET], [tracked.videos[name] for name in self.lengths.videos[1:]]
        return assemble(tracked.index, self.detector.size, target, references, align_tracks(target, references))


def draw_set(
    frames: FrameBatches, index: int, lengths: VideoLengths = STANDARD, videos: Sequence[str] | None = None
) -> Tensor:
    """Draw all frames of a set's videos, or of some of them.

    Args:
        frames: where they come from.
        index: number of the set.
        lengths: how many videos a set has, and how many of their frames are looked at.
        videos: names of the videos; by default all of a set.

    Returns:
        8-bit RGB frames [F, H, W, 3], one video after the other."""
    names = lengths.videos if videos is None else videos
    return frames.draw([FrameKey(index, video, frame) for video in names for frame in range(lengths.of(video))])


def is_perceiver(path: Path) -> bool:
    """Tell whether a path is a perceiver.

    Args:
        path: any path.

    Returns:
        Whether it is the folder of a perceiver's run, or its detector's weights."""
    return bool(checkpoint_files(path / MODEL)) or path.suffix == Path(MODEL).suffix


def open_perceiver(
    path: Path, device: torch.device, batch: int | None = None, lengths: VideoLengths = STANDARD
) -> Perceiver:
    """Load a perceiver.

    Args:
        path: folder of its run, or its detector's weights.
        device: where the detector computes.
        batch: how many frames the detector takes at once; by default as many as suit the device.
        lengths: how many videos a set has, and how many of their frames are looked at.

    Returns:
        The perceiver."""
    detector = load_detector(path, device)
    return Perceiver(detector, device, batch or BATCH[device.type], lengths=lengths, lighting=load_lighting(path))
