"""Trains the detector from boxes alone, on frames that need not exist before they are asked for."""

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from comphy.dataset import layout
from comphy.dataset.files import sha256
from comphy.errors import ComphyError
from models.perceiver.detection.checkpoint import MODEL, save_detector
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.network import DetectorSettings, on_device
from models.perceiver.frames import FrameBatches
from models.perceiver.training.augmentation import augmented
from models.perceiver.truth import TrueBoxes, random_keys, video_numbers
from models.train.cpu import quick_backward
from models.train.device import pick_device
from models.train.metrics import MetricLog
from models.train.resuming import Checkpoint
from models.train.run import Run

CHECKPOINT: Final = "checkpoint.safetensors"
OUT_OF_MEMORY: Final = "What was saved is kept; go on with a smaller training.batch_size in another --out."
_LEARNED_FROM: Final = "sets (another --data, or one that has changed since)"
_FRAME_DRAWS, _AUGMENTATION = 1, 2  # purposes of random draws


@dataclass(frozen=True)
class TrainingSettings:
    steps: int = 6000
    batch_size: int = 64
    frames_per_video: int = 4  # of a batch, so that objects can be recognised at another time
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup: int = 300  # steps
    max_gradient_norm: float = 5.0
    bf16: bool = True  # on GPUs
    log_every: int = 50
    checkpoint_every: int = 1000

    def __post_init__(self) -> None:
        if (
            min(self.steps, self.batch_size, self.frames_per_video, self.log_every, self.checkpoint_every) < 1
            or self.learning_rate <= 0
        ):
            raise ValueError("expected steps, batch_size, log_every, checkpoint_every and learning_rate above 0")


@dataclass(frozen=True)
class PerceiverConfig:
    task: str = "perceiver"
    seed: int = 0
    frames: str = "raytrace"  # drawn while training; or "videos", decoded from the dataset's files
    device: str = "auto"  # cuda where there is one, else cpu
    detector: DetectorSettings = field(default_factory=DetectorSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    validation_sets: int = 20
    validation_stride: int = 5  # frames

    def __post_init__(self) -> None:
        if self.validation_sets < 1 or self.validation_stride < 1:
            raise ValueError("expected validation_sets and validation_stride of at least 1")


@dataclass(frozen=True)
class Progress:
    steps: int = 0


def autocast(device: torch.device, bf16: bool) -> AbstractContextManager[Any]:
    return torch.autocast("cuda", torch.bfloat16) if bf16 and device.type == "cuda" else nullcontext()


@contextmanager
def memory_errors(frames: int, advice: str) -> Iterator[None]:
    """Turns a full GPU into an error that says what to do."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise ComphyError(f"The GPU's memory is too small for batches of {frames} frames. {advice}") from error


def fit_detector(config: PerceiverConfig, run: Run, frames: FrameBatches, truth: TrueBoxes) -> tuple[FasterRCNN, int]:
    """Train until finished or out of time; returns the detector and the steps done so far."""
    device = pick_device(config.device)
    torch.manual_seed(config.seed)
    detector = on_device(FasterRCNN(config.detector), device)
    optimizer = torch.optim.AdamW(
        detector.parameters(), config.training.learning_rate, weight_decay=config.training.weight_decay
    )
    checkpoint = Checkpoint(run.out / CHECKPOINT, {"dataset": sha256(run.data / layout.MANIFEST)}, _LEARNED_FROM)
    step = checkpoint.resume_state(detector, optimizer, Progress()).steps

    def save() -> None:
        checkpoint.save_state(detector, optimizer, Progress(step))
        save_detector(run.out / MODEL, detector, step)

    sets = truth.sets("train")
    detector.train()
    with MetricLog(run.out, step) as log, quick_backward(device):
        while step < config.training.steps and not (step and run.time_is_up()):
            parts = _train_step(detector, optimizer, config, frames, truth, sets, step)
            step += 1
            if step % config.training.log_every == 0 or step == config.training.steps:
                log.log(step, _finite(parts, step, run.out))
            if step % config.training.checkpoint_every == 0:
                save()
            run.report(step, config.training.steps)
    save()
    return detector.eval(), step


def _train_step(
    detector: FasterRCNN,
    optimizer: torch.optim.Optimizer,
    config: PerceiverConfig,
    frames: FrameBatches,
    truth: TrueBoxes,
    sets: Sequence[int],
    step: int,
) -> dict[str, Tensor]:
    """One step. Its draws depend on the seed and the step alone, so that a resumed run sees the same frames."""
    device = next(detector.parameters()).device
    settings = config.training
    keys = random_keys(
        sets, settings.batch_size, np.random.default_rng((config.seed, _FRAME_DRAWS, step)), settings.frames_per_video
    )
    generator = torch.Generator(device).manual_seed(_mixed_seed(config.seed, step))
    torch.manual_seed(_mixed_seed(config.seed, step) + 1)
    images, boxes = augmented(frames.draw(keys).to(device), truth.batch(keys).to(device), generator)
    for group in optimizer.param_groups:
        group["lr"] = settings.learning_rate * schedule(step, settings)
    with memory_errors(settings.batch_size, OUT_OF_MEMORY):
        with autocast(device, settings.bf16):
            losses = detector.losses(images, boxes, video_numbers(keys).to(device))
        optimizer.zero_grad(set_to_none=True)
        losses.total().backward()
    norm = torch.nn.utils.clip_grad_norm_(detector.parameters(), settings.max_gradient_norm)
    optimizer.step()
    return {"loss": losses.total().detach(), "gradient_norm": norm, **losses.parts()}


def schedule(step: int, settings: TrainingSettings) -> float:
    """Share of the learning rate: a linear start, then half a cosine to zero."""
    if step < settings.warmup:
        return (step + 1) / settings.warmup
    progress = (step - settings.warmup) / max(1, settings.steps - settings.warmup)
    return 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


def _mixed_seed(seed: int, step: int) -> int:
    return int(np.random.SeedSequence((seed, _AUGMENTATION, step)).generate_state(1)[0])


def _finite(parts: dict[str, Tensor], step: int, out: Path) -> dict[str, float]:
    values = {f"train/{name}": float(value.detach()) for name, value in parts.items()}
    broken = [f"{name} = {value}" for name, value in values.items() if not math.isfinite(value)]
    if broken:
        raise ComphyError(
            f"Step {step}: the training has broken down ({', '.join(broken)}). The last checkpoint is in {out}; "
            "train anew with a smaller training.learning_rate."
        )
    return values
