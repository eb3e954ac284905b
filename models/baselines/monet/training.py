"""MONet as a task of comphy train: train it on frames of the training sets, draw what it finds, and read it back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from comphy.config import build, to_plain
from comphy.damage import reading
from comphy.dataset.frame_sampling import random_keys
from comphy.dataset.frames import FrameBatches
from comphy.dataset.sources.opening import open_source
from comphy.errors import DatasetError
from models.baselines.monet.network import MONet, MONetSize
from models.perceiver.training.pictures import tiled
from models.train.checkpoint import load_tensors, load_weights, save_tensors
from models.train.cpu import without_onednn_on_arm
from models.train.device import pick_device
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.precision import autocast, memory_errors
from models.train.randomness import seeded
from models.train.run import Run, TrainingOutcome
from models.train.training_checkpoint import TrainingCheckpoint

MODEL: Final = "monet.safetensors"
CHECKPOINT: Final = "checkpoint.safetensors"
PICTURE: Final = "slots.png"
KIND: Final = "comphy MONet"
OUT_OF_MEMORY: Final = "The last checkpoint is kept; train with a smaller batch_size in another --out."
_SHOWN: Final = 6  # frames in the picture


@dataclass(frozen=True)
class MONetConfig:
    task: str = "monet"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    frames: str = "raytrace"  # drawn while training; or videos, decoded from the dataset's files
    steps: int = 20000
    batch_size: int = 64  # frames
    learning_rate: float = 1e-4
    max_gradient_norm: float = 1e6  # of losses that are sums over pixels
    bf16: bool = False  # mixed precision, on GPUs only
    log_every: int = 50
    checkpoint_every: int = 1000
    model: MONetSize = field(default_factory=MONetSize)

    def __post_init__(self) -> None:
        if min(self.steps, self.batch_size, self.log_every, self.checkpoint_every) < 1 or self.seed < 0:
            raise ValueError("expected steps, batch_size, log_every and checkpoint_every above 0, and seed not below 0")
        if min(self.learning_rate, self.max_gradient_norm) <= 0:
            raise ValueError("expected learning_rate and max_gradient_norm above 0")


@dataclass(frozen=True)
class MONetProgress:
    steps: int = 0


class MONetTraining:
    """MONet's part of `run_steps`. A step's draws depend on the seed and the step alone."""

    def __init__(self, config: MONetConfig, run: Run, frames: FrameBatches) -> None:
        self._config, self._run, self._frames = config, run, frames
        self._device, source = pick_device(config.device), open_source(run.data)
        self._lengths = source.lengths
        self._sets = [index for index in source.indices() if source.split_of(index) == "train"]
        if not self._sets:
            raise DatasetError(f"{run.data}: expected sets of the split 'train' (found none). Generate more sets.")
        with seeded(config.seed, 0):
            self.module = MONet(config.model).to(self._device)
        self.optimizer: torch.optim.Optimizer = torch.optim.RMSprop(self.module.parameters(), config.learning_rate)
        dataset = {"dataset": source.fingerprint(), "model": config.task}
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, dataset, "sets (another --data, or a changed one)")

    def run(self) -> int:
        """Train until finished or stopped; returns the steps done so far."""
        config = self._config
        loop = LoopSettings(
            "MONet",
            config.steps,
            config.checkpoint_every,
            config.max_gradient_norm,
            "learning_rate",
            check_every=config.log_every,
        )
        done = self._checkpoint.resume_state(self.module, self.optimizer, MONetProgress()).steps
        with (
            MetricLog(self._run.out, done) as self._log,
            without_onednn_on_arm(self._device),
            memory_errors(config.batch_size, OUT_OF_MEMORY),
        ):
            return run_steps(self, loop, self._run, done)

    def learning_rate(self, peak: float, step: int) -> float:
        return peak

    def losses(self, step: int) -> Mapping[str, Tensor]:
        config = self._config
        images = self.images(config.batch_size, np.random.default_rng((config.seed, step)))
        with seeded(config.seed, 1, step), autocast(self._device, config.bf16):
            parts = self.module.losses(images)
        means = {name: part.mean() for name, part in parts._asdict().items()}
        return {LOSS: means["pixels"] + means["latents"] + means["masks"], **means}

    def images(self, count: int, rng: np.random.Generator) -> Tensor:
        """Frames [count, 3, H, W] of training sets, from 0 to 1."""
        frames = self._frames.draw(random_keys(self._sets, count, rng, lengths=self._lengths)).to(self._device)
        return frames.permute(0, 3, 1, 2).float() / 255

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self._log.log(done, {f"train/{name}": value for name, value in values.items()})

    def finished(self, done: int) -> bool:
        return done >= self._config.steps

    def save(self, done: int) -> None:
        self._checkpoint.save_state(self.module, self.optimizer, MONetProgress(done))
        facts = {"kind": KIND, "settings": to_plain(self._config.model), "step": done}
        save_tensors(self._run.out / MODEL, self.module.state_dict(), facts)


def run_monet(config: MONetConfig, run: Run) -> TrainingOutcome:
    frames = run.frames(config.frames, config.model.width, str(pick_device(config.device)))
    training = MONetTraining(config, run, frames)
    done = training.run()
    if run.interrupted_by is not None:
        return run.stopped(f"at step {done}")
    write_slots(run.out / PICTURE, training.module, training.images(_SHOWN, np.random.default_rng(config.seed)))
    note = f"Training finished: {done} steps." if done >= config.steps else run.stopped(f"at step {done}").note
    return TrainingOutcome(f"{note} What it finds in frames: {run.out / PICTURE}.")


def load_monet(path: Path) -> MONet:
    """The MONet of a run's folder.

    Raises:
        DatasetError: no weights, or those of something else.
    """
    file = path / MODEL if path.is_dir() else path
    weights, facts = load_tensors(file)
    if facts.get("kind") != KIND:
        raise DatasetError(f"{file}: expected the weights of a {KIND} (got {facts.get('kind')!r}).")
    with reading(file):
        size = build(MONetSize, facts["settings"], str(file))
    module = MONet(size)
    load_weights(module, weights, file)
    return module.eval()


@torch.no_grad()
def write_slots(path: Path, module: MONet, images: Tensor) -> None:
    """A row for each frame: the frame, what is drawn of it, and each part of it, as far as its mask goes."""
    module.eval()
    parts = module.parts(images)
    pictures, _ = module.drawn(parts.mean)
    shares = parts.masks.exp()[:, :, None]
    whole = (shares * pictures).sum(dim=1, keepdim=True)
    cells = torch.cat([images[:, None], whole, shares * images[:, None] + (1 - shares)], dim=1)
    pixels = (cells.clamp(0, 1) * 255).round().byte().permute(0, 1, 3, 4, 2).cpu().numpy()
    tiles = [Image.fromarray(np.ascontiguousarray(cell)) for row in pixels for cell in row]
    path.parent.mkdir(parents=True, exist_ok=True)
    tiled(tiles, columns=cells.shape[1]).save(path)
