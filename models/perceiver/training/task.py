"""The perceiver as a task of tools/train.py: train the detector, score it on held-out sets, save pictures."""

from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from comphy.dataset.frames import FrameBatches, FrameKey
from comphy.dataset.manifest import Manifest
from comphy.evaluation.perception.detection import DetectionAccumulator, DetectionScores
from comphy.evaluation.perception.tables import detection_table
from comphy.files import write_json
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.perceive import BATCH
from models.perceiver.training.pictures import write_detections
from models.perceiver.training.trainer import PerceiverConfig, fit_detector
from models.perceiver.truth import VIDEOS, TrueBoxes, asked_for, frames_of
from models.train.device import pick_device
from models.train.precision import autocast
from models.train.run import Run, TrainingOutcome

SCORES: Final = "scores.json"
PICTURES: Final = "pictures"


def data_width(root: Path) -> int:
    """Width in pixels of the pictures in which a dataset's boxes are given."""
    return int(Manifest.read(root).recipe.config["picture"]["width"])


def run_perceiver(config: PerceiverConfig, run: Run) -> TrainingOutcome:
    """Train the detector; unless a signal came, score what there is on validation sets and draw some detections."""
    device = pick_device(config.device)
    frames = run.frames(config.frames, config.detector.width, str(device))
    truth = TrueBoxes(run.data, config.detector.width, data_width(run.data))
    detector, step = fit_detector(config, run, frames, truth)
    if run.interrupted_by is not None:
        return run.stopped(f"at step {step}")
    sets = truth.sets("val")[: config.validation_sets]
    scores = score_detector(detector, frames, truth, sets, config.validation_stride)
    write_json(run.out / SCORES, {"step": step, "sets": sets, **scores.record()}, indent=1)
    shown = [FrameKey(index, video, frames_of(video) // 2) for index in sets[:4] for video in VIDEOS[:2]]
    write_detections(run.out / PICTURES / f"step_{step:06d}.png", detector, frames.draw(shown))
    done = step >= config.training.steps
    note = f"Training finished: {step} steps." if done else run.stopped(f"at step {step}").note
    return TrainingOutcome(note, tables=[detection_table(scores)])


def score_detector(
    detector: FasterRCNN, frames: FrameBatches, truth: TrueBoxes, sets: list[int], stride: int
) -> DetectionScores:
    """Average precision on every `stride`-th frame of the sets."""
    keys = [
        FrameKey(index, video, frame)
        for index in sets
        for video in VIDEOS
        for frame in range(0, frames_of(video), stride)
    ]
    accumulator = DetectionAccumulator()
    device = next(detector.parameters()).device
    size = BATCH[device.type]
    for start in range(0, len(keys), size):
        batch = keys[start : start + size]
        with autocast(device, bf16=True):
            found = detector.detect(frames.draw(batch).to(device)).cpu()
        for row, key in enumerate(batch):
            video = truth.video(key.name)
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
