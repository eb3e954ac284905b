"""Scores a perceiver on held-out sets: detection, identity over whole videos, alignment of the references."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from comphy.dataset.box_table import VideoBoxes
from comphy.evaluation.detection import DetectionAccumulator, DetectionScores, pairwise_iou
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.tracking import Alignment, TrackingScores, alignment_accuracy, total, tracking_scores
from models.perceiver.align import align_tracks
from models.perceiver.frames import FrameBatches
from models.perceiver.perceive import Perceiver, SetTracks, draw_set
from models.perceiver.tracker import Tracks
from models.perceiver.truth import VIDEOS, TrueBoxes, asked_for

MATCH: float = 0.5


@dataclass(frozen=True)
class PerceptionScores:
    """`frames_per_s` counts detection, features, tracking and alignment; where frames come from is another matter."""

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
    report: Callable[[int, int], None] = lambda done, total: None,
) -> PerceptionScores:
    """Every frame of every video of the sets. Detections are scored as tracked: by the boxes the tracker keeps."""
    tally = DetectionAccumulator()
    videos: list[TrackingScores] = []
    alignments: list[Alignment] = []
    looked_at, seconds = 0, 0.0
    for number, index in enumerate(sets, start=1):
        drawn = draw_set(frames, index)
        if drawn.is_cuda:
            torch.cuda.synchronize()
        start = time.perf_counter()
        tracked = perceiver.tracks_in(drawn, index)
        perceiver.aligned(tracked)
        if number > 1 or len(sets) == 1:  # the first set also pays for the start
            looked_at, seconds = looked_at + len(drawn), seconds + time.perf_counter() - start
        for name in VIDEOS:
            true = truth.video(f"{index:05d}/{name}")
            ignored = ~asked_for(true, truth.width)
            _add_detections(tally, tracked.videos[name], true, ignored)
            videos.append(tracking_scores(tracked.videos[name].boxes, true.boxes, ignored))
        alignments += _alignments(tracked, truth)
        report(number, len(sets))
    return PerceptionScores(tally.scores(), total(videos), alignment_accuracy(alignments), looked_at / seconds)


def _add_detections(tally: DetectionAccumulator, tracks: Tracks, true: VideoBoxes, ignored: NDArray[np.bool_]) -> None:
    for frame in range(len(true.boxes)):
        seen, present = tracks.seen[frame], true.visibility[frame] > 0
        tally.add(
            tracks.boxes[frame][seen].astype(float),
            tracks.scores[frame][seen].astype(float),
            true.boxes[frame][present].astype(float),
            ignored[frame][present],
        )


def _alignments(tracked: SetTracks, truth: TrueBoxes) -> list[Alignment]:
    target = tracked.videos["target"]
    references = [tracked.videos[name] for name in VIDEOS[1:]]
    target_identities = _identities(target, truth, tracked.index, "target")
    return [
        Alignment(
            [int(owner) if owner >= 0 else None for owner in owners],
            _identities(reference, truth, tracked.index, name),
            target_identities,
        )
        for name, reference, owners in zip(VIDEOS[1:], references, align_tracks(target, references), strict=True)
    ]


def _identities(tracks: Tracks, truth: TrueBoxes, index: int, video: str) -> list[int | None]:
    """The true object, numbered as in the target, that each track lies on most of the time."""
    true = truth.video(f"{index:05d}/{video}")
    hits = (pairwise_iou(tracks.boxes.astype(float), true.boxes.astype(float)) >= MATCH).sum(axis=0)
    names = truth.object_ids(index, video)
    return [names[int(row.argmax())] if row.any() else None for row in hits]
