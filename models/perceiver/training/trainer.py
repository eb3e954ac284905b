"""Trains the detector from boxes alone, on frames that are rendered or decoded when a batch asks for them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor

from comphy.dataset.frame_sampling import random_keys
from comphy.dataset.frames import FrameBatches
from models.perceiver.detection.building import TrainableDetector, build_detector
from models.perceiver.detection.checkpoint import MODEL, save_detector
from models.perceiver.detection.lighting import Lighting
from models.perceiver.detection.network import DetectorSettings, on_device
from models.perceiver.training.augmentation import AugmentedFrames, FrameAugmentation, augmented
from models.perceiver.training.sampler import BatchSize, FrameSampler, StillsSettings
from models.perceiver.truth import TrueBoxes
from models.train.cpu import without_onednn_on_arm
from models.train.device import pick_device
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.precision import autocast, memory_errors
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

CHECKPOINT: Final = "checkpoint.safetensors"
OUT_OF_MEMORY: Final = "The last checkpoint is kept; train with a smaller training.batch_size in another --out."
_LEARNED_FROM: Final = "sets (another --data, or one that has changed since)"
LIGHTING_FRAMES: Final = 16
_AUGMENTATION, _LIGHTING = 2, 3  # streams of random numbers; the sampler has others


@dataclass(frozen=True)
class TrainingSettings:
    RENAMED: ClassVar[Mapping[str, str]] = {"warmup": "warmup_steps"}

    steps: int = 6000
    batch_size: int = 64
    frames_per_video: int = 4  # in a batch: the contrastive loss needs views of an object at several times
    video_reuse: int = (
        1  # steps in a row in which a video is in the batch; more of them spare decoding where frames=videos
    )
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup_steps: int = 300  # of linear warm-up; then the rate falls along half a cosine
    max_gradient_norm: float = 5.0
    bf16: bool = True  # mixed precision, on GPUs only
    log_every: int = 50
    checkpoint_every: int = 1000

    def __post_init__(self) -> None:
        if (
            min(self.steps, self.batch_size, self.frames_per_video, self.video_reuse, self.log_every) < 1
            or min(self.checkpoint_every, self.learning_rate) <= 0
        ):
            raise ValueError(
                "expected steps, batch_size, frames_per_video, video_reuse, log_every, checkpoint_every and learning_rate "
                "above 0"
            )


@dataclass(frozen=True)
class PerceiverConfig:
    task: str = "perceiver"
    seed: int = 0
    frames: str = "raytrace"  # drawn while training; or "videos", decoded from the dataset's files
    device: str = "auto"  # cuda where there is one, else cpu
    detector: DetectorSettings = field(default_factory=DetectorSettings)
    augmentation: FrameAugmentation = field(default_factory=FrameAugmentation)
    stills: StillsSettings = field(default_factory=StillsSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    validation_sets: int = 20
    validation_stride: int = 5  # frames

    def __post_init__(self) -> None:
        if self.validation_sets < 1 or self.validation_stride < 1:
            raise ValueError("expected validation_sets and validation_stride of at least 1")


@dataclass(frozen=True)
class DetectorProgress:
    steps: int = 0


class DetectorTraining:
    """The detector's part of `run_steps`. A step's draws depend on the seed and the step alone, so that a resumed run sees
    the same frames."""

    def __init__(self, config: PerceiverConfig, run: Run, frames: FrameBatches, truth: TrueBoxes) -> None:
        self._config, self._run, self._frames, self._truth = config, run, frames, truth
        self._device = pick_device(config.device)
        torch.manual_seed(config.seed)
        self.detector = on_device(build_detector(config.detector), self._device)
        settings = config.training
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            self.detector.parameters(), settings.learning_rate, weight_decay=settings.weight_decay
        )
        stills = config.stills.read(truth)
        size = BatchSize(settings.batch_size, settings.frames_per_video, settings.video_reuse)
        self._sampler = FrameSampler(frames, truth, size, config.seed, stills, config.stills.video_fraction)
        learned_from = {"dataset": truth.source.fingerprint()} | ({"stills": stills.fingerprint()} if stills else {})
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, learned_from, _LEARNED_FROM)
        self._lighting = self._light_of_frames()

    def _light_of_frames(self) -> Lighting:
        """The light of some training frames before they are changed, which the perceiver later brings other videos to."""
        rng = np.random.default_rng((self._config.seed, _LIGHTING))
        keys = random_keys(self._truth.sets("train"), LIGHTING_FRAMES, rng, 1, self._truth.lengths)
        return Lighting.of(self._frames.draw(keys))

    def run(self) -> int:
        """Train until finished or stopped; returns the steps done so far."""
        settings = self._config.training
        loop = LoopSettings(
            "the detector",
            settings.steps,
            settings.checkpoint_every,
            settings.max_gradient_norm,
            "training.learning_rate",
            check_every=settings.log_every,
        )
        done = self._checkpoint.resume_state(self.detector, self.optimizer, DetectorProgress()).steps
        self.detector.train()
        with (
            MetricLog(self._run.out, done) as self._log,
            without_onednn_on_arm(self._device),
            memory_errors(settings.batch_size, OUT_OF_MEMORY),
        ):
            return run_steps(self, loop, self._run, done)

    def learning_rate(self, peak: float, step: int) -> float:
        return peak * schedule(step, self._config.training)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        seed, settings = self._config.seed, self._config.training
        generator = torch.Generator(self._device).manual_seed(_mixed_seed(seed, step))
        torch.manual_seed(_mixed_seed(seed, step) + 1)
        batch = self._sampler.batch(step)
        frames, boxes = batch.frames.to(self._device), batch.boxes.to(self._device)
        usual = None if batch.originals is None else batch.originals.to(self._device)
        seen = augmented(frames, boxes, self._config.augmentation, generator, usual)
        originals = self._reconstructed(seen, batch.stills)
        with autocast(self._device, settings.bf16):
            losses = self.detector.losses(seen.frames, seen.boxes, batch.videos.to(self._device), originals)
        return {LOSS: losses.total(), **losses.parts()}

    def _reconstructed(self, seen: AugmentedFrames, stills: Tensor | None) -> Tensor | None:
        """What embeddings are to reconstruct, if it is not what the detector sees."""
        if self._config.augmentation.denoise:
            return seen.originals
        if stills is None:
            return None
        return torch.where(stills.to(self._device)[:, None, None, None], seen.originals, seen.frames)

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self._log.log(done, {f"train/{name}": value for name, value in values.items()})

    def finished(self, done: int) -> bool:
        return done >= self._config.training.steps

    def save(self, done: int) -> None:
        self._checkpoint.save_state(self.detector, self.optimizer, DetectorProgress(done))
        save_detector(self._run.out / MODEL, self.detector, done, self._lighting)


def fit_detector(
    config: PerceiverConfig, run: Run, frames: FrameBatches, truth: TrueBoxes
) -> tuple[TrainableDetector, int]:
    """Train until finished or stopped; returns the detector and the steps done so far."""
    training = DetectorTraining(config, run, frames, truth)
    done = training.run()
    return training.detector.eval(), done


def schedule(step: int, settings: TrainingSettings) -> float:
    """Share of the peak learning rate: linear warm-up, then cosine decay to zero."""
    if step < settings.warmup_steps:
        return (step + 1) / settings.warmup_steps
    progress = (step - settings.warmup_steps) / max(1, settings.steps - settings.warmup_steps)
    return 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


def _mixed_seed(seed: int, step: int) -> int:
    return int(np.random.SeedSequence((seed, _AUGMENTATION, step)).generate_state(1)[0])
