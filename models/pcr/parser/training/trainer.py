"""Supervised training of the parser; stops early once validation exact match has been perfect for `patience` checks.

Sampling and augmentation are seeded with (seed, step // 8) and dropout with (seed, step), so that a resumed run has the
same weights, bit for bit, as an uninterrupted one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from comphy.questions.model import SceneQuestions
from models.pcr.parser.network import ParserSize, ProgramTransformer
from models.pcr.parser.parser import Parser
from models.pcr.parser.storage import save_description, save_weights
from models.pcr.parser.training.augmentation import Augmentation
from models.pcr.parser.training.batches import NO_TOKEN, ParserBatch
from models.pcr.parser.training.calibration import calibrated_threshold
from models.pcr.parser.training.data import ParserData, prepare
from models.train.cpu import one_thread
from models.train.device import pick_device
from models.train.finite import require_finite
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.randomness import seeded
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

CHECKPOINT: Final = "checkpoint.safetensors"
_VALIDATION_BATCH: Final = 256
_POOL: Final = 8  # batches that are drawn together
_DRAWS, _CALIBRATION = 1, 2  # purposes of random draws


@dataclass(frozen=True)
class ParserConfig:
    RENAMED: ClassVar[Mapping[str, str]] = {"warmup": "warmup_steps"}

    weights: str | None = None  # a trained parser that is taken instead of training one: pcr, or the folder of a run
    seed: int = 0
    steps: int = 8000  # at most
    check_every: int = 2000  # steps
    patience: int = 5  # consecutive validations without a mistake before training stops
    batch_size: int = 32
    learning_rate: float = 2e-3
    warmup_steps: int = 300
    weight_decay: float = 0.01
    max_gradient_norm: float = 1.0
    grammar: float = 0.85  # share of training sentences that comphy.language makes; the others are the dataset's
    device: str = "auto"  # cuda where there is one, else cpu
    model: ParserSize = field(default_factory=ParserSize)
    augmentation: Augmentation = field(default_factory=Augmentation)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"expected a seed of at least 0 (got {self.seed})")
        if min(self.steps, self.check_every, self.patience, self.batch_size, self.warmup_steps) < 1:
            raise ValueError("expected steps, check_every, patience, batch_size and warmup_steps of at least 1")
        if not 0 <= self.grammar <= 1:
            raise ValueError(f"expected a share of grammar from 0 to 1 (got {self.grammar})")
        if min(self.learning_rate, self.max_gradient_norm) <= 0 or self.weight_decay < 0:
            raise ValueError("expected learning_rate and max_gradient_norm above 0, and weight_decay not below 0")

    def learning_rate_at(self, step: int) -> float:
        """Linear warm-up, then cosine decay to zero. Steps count from 0."""
        if step < self.warmup_steps:
            return self.learning_rate * (step + 1) / self.warmup_steps
        progress = (step - self.warmup_steps) / max(1, self.steps - self.warmup_steps)
        return self.learning_rate * 0.5 * (1 + math.cos(math.pi * progress))


@dataclass(frozen=True)
class TrainingState:
    """Progress of training. `flawless` counts consecutive validations without a mistake; `loss` sums up since the last."""

    step: int = 0
    best_step: int = 0
    best_match: float = -1.0
    best_loss: float = math.inf
    flawless: int = 0
    loss: float = 0.0

    def finished(self, config: ParserConfig) -> bool:
        return self.step >= config.steps or self.flawless >= config.patience

    def at_check(self, config: ParserConfig) -> bool:
        return self.step % config.check_every == 0 or self.step == config.steps

    def checked(self, match: float, loss: float) -> "TrainingState":
        flawless = self.flawless + 1 if match == 1 else 0
        state = replace(self, flawless=flawless, loss=0.0)
        if (match, -loss) > (self.best_match, -self.best_loss):
            return replace(state, best_step=self.step, best_match=match, best_loss=loss)
        return state


def train_parser(
    config: ParserConfig, run: Run, train: Sequence[SceneQuestions], val: Sequence[SceneQuestions]
) -> TrainingState:
    """Train until finished or out of time; the best parser and a checkpoint to resume from are written to `run.out`."""
    return fit(config, run, prepare(train, val, config.model, config.grammar, config.seed))


class ParserTraining:
    """The parser's side of `run_steps`: validates every `check_every` steps and saves the best weights so far."""

    def __init__(self, config: ParserConfig, run: Run, data: ParserData) -> None:
        self._config, self._run, self._data = config, run, data
        self._device = pick_device(config.device)
        with seeded(config.seed, 0):
            self._module = data.description.module().to(self._device)
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            self._module.parameters(), config.learning_rate, weight_decay=config.weight_decay, fused=True
        )
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, {"sentences": data.fingerprint()})
        self.state = self._checkpoint.resume_state(self._module, self.optimizer, TrainingState())
        self._drawn: tuple[int, list[ParserBatch]] = (-1, [])
        self._validation = [batch.to(self._device) for batch in data.validation(_VALIDATION_BATCH)]

    def run(self) -> None:
        """Train until finished or stopped; the best parser and a checkpoint are written to `run.out`."""
        config = self._config
        settings = LoopSettings(
            "the parser", config.steps, config.check_every, config.max_gradient_norm, "parser.learning_rate"
        )
        save_description(self._run.out, self._data.description)
        with one_thread(), MetricLog(self._run.out, self.state.step) as self._log:
            run_steps(self, settings, self._run, self.state.step)

    def learning_rate(self, peak: float, step: int) -> float:
        return self._config.learning_rate_at(step)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        config = self._config
        batch = self._batch(step).to(self._device)
        self._module.train()
        with seeded(config.seed, step + 1):
            logits = self._module(batch.words, batch.inputs)
        flat = logits.flatten(0, 1), batch.targets.flatten()
        return {LOSS: functional.cross_entropy(*flat, ignore_index=NO_TOKEN)}

    def _batch(self, step: int) -> ParserBatch:
        """The batch of a step. Several are drawn together, so that those of a batch can be of a length."""
        pool, place = divmod(step, _POOL)
        if self._drawn[0] != pool:
            rng = np.random.default_rng((self._config.seed, _DRAWS, pool))
            self._drawn = pool, self._data.draw(self._config.batch_size, self._config.augmentation, rng, _POOL)
        return self._drawn[1][place]

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self.state = replace(self.state, step=done, loss=self.state.loss + values[LOSS])
        if self.state.at_check(self._config):
            self._validate()

    def finished(self, done: int) -> bool:
        return self.state.finished(self._config)

    def save(self, done: int) -> None:
        self._checkpoint.save_state(self._module, self.optimizer, self.state)

    def _validate(self) -> None:
        """Validate, log, and save the parser if it is the best so far."""
        config, data, step = self._config, self._data, self.state.step
        match, loss = validate(self._module, self._validation)
        where = f"at step {step} of the parser"
        require_finite({"validation": loss}, where, "parser.learning_rate", config.learning_rate)
        steps = (step - 1) % config.check_every + 1
        self._log.log(step, {"train/loss": self.state.loss / steps, "val/loss": loss, "val/exact_match": match})
        self.state = self.state.checked(match, loss)
        if self.state.best_step == step:
            parser = Parser(data.vocabulary, self._module, -math.inf)
            rng = np.random.default_rng((config.seed, _CALIBRATION))
            threshold = calibrated_threshold(parser, data.val, data.val_grammar, rng)
            save_weights(self._run.out, data.description, self._module, threshold)


def fit(config: ParserConfig, run: Run, data: ParserData) -> TrainingState:
    """Train until finished or stopped; returns the final state."""
    training = ParserTraining(config, run, data)
    training.run()
    return training.state


@torch.no_grad()
def validate(module: ProgramTransformer, batches: Sequence[ParserBatch]) -> tuple[float, float]:
    """Exact match of greedy decoding, and the mean cross-entropy per token.

    Teacher forcing suffices: greedy decoding is exact if and only if every token is the argmax after the true prefix.
    """
    module.eval()
    right = count = tokens = 0
    total = 0.0
    for batch in batches:
        logits = module(batch.words, batch.inputs)
        wanted = batch.targets != NO_TOKEN
        right += int(((logits.argmax(-1) == batch.targets) | ~wanted).all(-1).sum())
        count += len(batch.words)
        tokens += int(wanted.sum())
        total += functional.cross_entropy(
            logits.flatten(0, 1), batch.targets.flatten(), ignore_index=NO_TOKEN, reduction="sum"
        ).item()
    return right / count, total / tokens
