"""The perceiver as a task of comphy train: train the detector, score it on held-out sets, save pictures."""

from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.sources.opening import open_source
from comphy.evaluation.perception.detection import DetectionAccumulator, DetectionScores
from comphy.evaluation.perception.tables import detection_table
from comphy.files import write_json
from models.perceiver.detection.building import TrainableDetector
from models.perceiver.perceive import BATCH
from models.perceiver.training.pictures import write_detections
from models.perceiver.training.trainer import PerceiverConfig, fit_detector
from models.perceiver.truth import TrueBoxes, asked_for
from models.train.device import pick_device
from models.train.precision import autocast
from models.train.run import Run, TrainingOutcome

SCORES: Final = "scores.json"
PICTURES: Final = "pictures"


def run_perceiver(config: PerceiverConfig, run: Run) -> TrainingOutcome:
    """Train the detector; unless a signal came, score what there is on validation sets and draw some detections."""
    device = pick_device(config.device)
    frames = run.frames(config.frames, config.detector.width, str(device))
    truth = TrueBoxes(open_source(run.data), config.detector.width)
    detector, step = fit_detector(config, run, frames, truth)
    if run.interrupted_by is not None:
        return run.stopped(f"at step {step}")
    sets = truth.sets("val")[: config.validation_sets]
    scores = score_detector(detector, frames, truth, sets, config.validation_stride)
    write_json(run.out / SCORES, {"step": step, "sets": sets, **scores.record()}, indent=1)
    names = truth.lengths.videos[:2]
    shown = [FrameKey(index, video, truth.lengths.of(video) // 2) for index in sets[:4] for video in names]
    write_detections(run.out / PICTURES / f"step_{step:06d}.png", detector, frames.draw(shown))
    done = step >= config.training.steps
    note = f"Training finished: {step} steps." if done else run.stopped(f"at step {step}").note
    return TrainingOutcome(note, tables=[detection_table(scores)])


def score_detector(
    detector: TrainableDetector, frames: FrameBatches, truth: TrueBoxes, sets: list[int], stride: int
) -> DetectionScores:
    """Average precision on every `stride`-th frame of the sets."""
    keys = [
        FrameKey(index, video, frame)
        for index in sets
        for video in truth.lengths.videos
        for frame in range(0, truth.lengths.of(video), stride)
    ]
    accumulator = DetectionAccumulator()
    device = next(detector.parameters()).device
    size = BATCH[device.type]
    for start in range(0, len(keys), size):
        batch = keys[start : start + size]
        with autocast(device, bf16=True):
            found = detector.detect(frames.draw(batch).to(device)).cpu()
        for row, key in enumerate(batch):
            video = truth.video(key.index, key.video)
            present = video.visibility[key.frame] > 0
            ignored = ~asked_for(video, truth.width)[key.frame]
            kept = found.scores[row] > 0
            accumulator.add(
                _numpy(found.boxes[row][kept]),
                _numpy(found.scores[row][kept]),
                video.boxes[key.frame][present].astype(float),
                ignored[present],
            )
    return accumulator.scores()


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.to(torch.float64).numpy()
