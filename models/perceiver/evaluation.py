"""Scores a perceiver on held-out sets: detection, identity over whole videos, alignment of the references."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from comphy.choices import Watched
from comphy.dataset.frames import FrameBatches
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.detection import DetectionAccumulator, DetectionScores
from comphy.evaluation.perception.tracking import Alignment, TrackingScores, alignment_accuracy, total, tracking_scores
from models.perceiver.perceive import Perceiver, SetTracks, draw_set
from models.perceiver.perceived import PerceivedSet
from models.perceiver.tracking.alignment import NOBODY
from models.perceiver.tracking.tracker import Tracks
from models.perceiver.truth import TrueBoxes, asked_for


@dataclass(frozen=True)
class PerceptionScores:
    """`frames_per_s` counts detection, features, tracking and alignment, without rendering or decoding of frames."""

    detection: DetectionScores
    tracking: TrackingScores
    alignment: Accuracy | None
    frames_per_s: float

    def record(self) -> dict[str, Any]:
        return {
            "detection": self.detection.record(),
            "tracking": self.tracking.record(),
            "alignment": vars(self.alignment) if self.alignment is not None else None,
            "frames_per_s": self.frames_per_s,
        }


def score_perceiver(
    perceiver: Perceiver,
    frames: FrameBatches,
    truth: TrueBoxes,
    sets: list[int],
    watched: Watched = Watched.ALL,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> PerceptionScores:
    """Score every frame of the watched videos. Detections are scored after tracking, by the boxes that the tracker keeps.
    Alignment is scored only if references and target are both watched."""
    names = watched.names(truth.lengths.videos)
    accumulator = DetectionAccumulator()
    videos: list[TrackingScores] = []
    alignments: list[Alignment] = []
    looked_at, seconds = 0, 0.0
    for number, index in enumerate(sets, start=1):
        drawn = draw_set(frames, index, truth.lengths, names)
        if drawn.is_cuda:
            torch.cuda.synchronize()
        start = time.perf_counter()
        tracked = perceiver.tracks(drawn, index, names)
        aligned = perceiver.aligned(tracked) if watched is Watched.ALL else None
        if number > 1 or len(sets) == 1:  # the first set also pays for the start
            looked_at, seconds = looked_at + len(drawn), seconds + time.perf_counter() - start
        for name in names:
            true = truth.video(index, name)
            ignored = ~asked_for(true, truth.width)
            _add_detections(accumulator, tracked.videos[name], true, ignored)
            videos.append(tracking_scores(tracked.videos[name].boxes, true.boxes, ignored))
        if aligned is not None:
            alignments += _alignments(tracked, aligned, truth)
        report(number, len(sets))
    return PerceptionScores(accumulator.scores(), total(videos), alignment_accuracy(alignments), looked_at / seconds)


def _add_detections(
    accumulator: DetectionAccumulator, tracks: Tracks, true: VideoBoxes, ignored: NDArray[np.bool_]
) -> None:
    for frame in range(len(true.boxes)):
        seen, present = tracks.seen[frame], true.visibility[frame] > 0
        accumulator.add(
            tracks.boxes[frame][seen].astype(float),
            tracks.scores[frame][seen].astype(float),
            true.boxes[frame][present].astype(float),
            ignored[frame][present],
        )


def _alignments(tracked: SetTracks, aligned: PerceivedSet, truth: TrueBoxes) -> list[Alignment]:
    identities = {name: truth.identities(tracks.boxes, tracked.index, name) for name, tracks in tracked.videos.items()}
    return [
        Alignment(
            [int(owner) if owner != NOBODY else None for owner in owners[: len(identities[name])]],
            identities[name],
            identities["target"],
        )
        for name, owners in zip(truth.lengths.videos[1:], aligned.owners, strict=True)
    ]
