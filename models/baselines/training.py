"""Training of baselines on question-answer pairs; stops when validation no longer becomes better.

Every epoch draws its order and its dropout from (seed, epoch), and a checkpoint within an epoch holds the state of the
random numbers: on a CPU, a run that was stopped and resumed has the same weights, bit for bit, as one that was not.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from comphy.errors import ComphyError
from models.baselines.answering import Logits, Watch, watch_nothing
from models.baselines.examples import NO_ANSWER, ExampleBatch, batches, shuffled
from models.train.cpu import one_thread
from models.train.finite import require_finite
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.precision import autocast
from models.train.randomness import continued
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

CHECKPOINT: Final = "checkpoint.safetensors"


class EarlyStoppingMetric(StrEnum):
    """What the best epoch is best in. The loss rises as soon as a model is too sure of some choices, when its answers may
    still become better."""

    LOSS = "loss"
    ACCURACY = "accuracy"  # the mean of the shares of right answers and of rightly judged choices


_VALIDATION_BATCH: Final = 512  # at most
_RANDOM_STATE: Final = "random_state"
_SHARES: Final = ("val/factual", "val/per_option")


class TrainingConfig(Protocol):
    """What the config of every trained baseline has."""

    @property
    def seed(self) -> int: ...

    @property
    def epochs(self) -> int:
        """At most."""
        ...

    @property
    def patience(self) -> int:
        """Epochs without a better validation before the training stops."""
        ...

    @property
    def batch_size(self) -> int: ...

    @property
    def learning_rate(self) -> float: ...

    @property
    def weight_decay(self) -> float: ...

    @property
    def max_gradient_norm(self) -> float: ...


def check_config(config: TrainingConfig) -> None:
    """Raises ValueError for values that nothing can be trained with."""
    if config.seed < 0:
        raise ValueError(f"expected a seed of at least 0 (got {config.seed})")
    if min(config.epochs, config.patience, config.batch_size) < 1:
        raise ValueError(
            "expected epochs, patience and batch_size of at least 1 "
            f"(got {config.epochs}, {config.patience} and {config.batch_size})"
        )
    if min(config.learning_rate, config.max_gradient_norm) <= 0 or config.weight_decay < 0:
        raise ValueError("expected learning_rate and max_gradient_norm above 0, and weight_decay not below 0")


@dataclass(frozen=True)
class Examples:
    """Of both splits; `fingerprint` tells a resumed run whether it has the same as before."""

    train: ExampleBatch
    val: ExampleBatch
    fingerprint: Mapping[str, Any]


@dataclass(frozen=True)
class AnswerProgress:
    """How far a training has come. Epochs count from 1. Within an epoch: the `batch` it is at, and the sum of its
    examples' losses so far."""

    epoch: int = 0
    best_epoch: int = 0
    best_loss: float = float("inf")  # or share of what is wrong, as `EarlyStoppingMetric` says
    batch: int = 0
    loss: float = 0.0

    def finished(self, config: TrainingConfig) -> bool:
        """All epochs are done, or early stopping ends the training."""
        return self.epoch >= config.epochs or self.epoch - self.best_epoch >= config.patience

    def validated(self, loss: float) -> "AnswerProgress":
        """After one epoch more, with this validation loss, or share of what is wrong."""
        epoch = self.epoch + 1
        if loss < self.best_loss:
            return AnswerProgress(epoch, epoch, loss)
        return AnswerProgress(epoch, self.best_epoch, self.best_loss)


@dataclass(frozen=True)
class TrainableModel:
    """What is trained: its `name` in messages, the `module`, what it is shown beside words, and how to `keep` its weights
    when they are the best so far. `bf16`: mixed precision, on GPUs only."""

    name: str
    module: nn.Module
    keep: Callable[[], None]
    watch: Watch = watch_nothing
    warmup_steps: int = 0  # over which the learning rate rises
    bf16: bool = False
    early_stopping_metric: str = EarlyStoppingMetric.LOSS

    @property
    def device(self) -> torch.device:
        return next(self.module.parameters()).device

    def logits(self, batch: ExampleBatch) -> Logits:
        """In single precision, whatever the module works in."""
        with autocast(self.device, self.bf16):
            found: Logits = self.module(batch.tokens, batch.lengths, *self.watch(batch.scenes))
        auxiliary = None if found.auxiliary is None else found.auxiliary.float()
        return Logits(found.answers.float(), found.correct.float(), auxiliary)


class AnswerTraining:
    """A baseline's part of `run_steps`: a step is a batch, and every epoch ends with a validation."""

    def __init__(self, config: TrainingConfig, model: TrainableModel, examples: Examples, run: Run) -> None:
        self._config, self._model, self._examples, self._run = config, model, examples, run
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            model.module.parameters(), config.learning_rate, weight_decay=config.weight_decay
        )
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, examples.fingerprint)
        self.progress, memory = self._checkpoint.resume_with_memory(model.module, self.optimizer, AnswerProgress())
        self._epoch = list(self._shuffled())
        self._random_state = memory.get(_RANDOM_STATE)  # of dropout, within an epoch

    def run(self) -> AnswerProgress:
        """Train until finished or stopped; the best weights so far and a checkpoint are in `run.out`."""
        count, config = len(self._epoch), self._config
        name = self._model.name
        settings = LoopSettings(name, config.epochs * count, count, config.max_gradient_norm, "learning_rate")
        with one_thread(), MetricLog(self._run.out, self.progress.epoch) as self._log:
            try:
                run_steps(self, settings, self._run, self.progress.epoch * count + self.progress.batch)
            except torch.OutOfMemoryError as error:
                raise ComphyError(self._too_large()) from error
        return self.progress

    def _too_large(self) -> str:
        """What to say when the memory is full: how many questions fit at once."""
        size = self._config.batch_size
        fits = largest_batch(self._model, self._examples.train, size)
        advice = (
            f"batch_size={fits} fits" if fits else "not even batch_size=1 fits; choose a smaller model or device=cpu"
        )
        return (
            f"The GPU's memory is too small for {self._model.name} with batch_size={size}: {advice}. The last checkpoint is "
            "kept; train with it into another --out."
        )

    def learning_rate(self, peak: float, step: int) -> float:
        return peak * min(1.0, (step + 1) / max(1, self._model.warmup_steps))

    def losses(self, step: int) -> Mapping[str, Tensor]:
        self._model.module.train()
        batch, progress = self._epoch[self.progress.batch].to(self._model.device), self.progress
        # The batch's number seeds dropout on a GPU, whose random state is not kept.
        with continued(self._random_state, self._config.seed, progress.epoch + 1, progress.batch):
            logits = self._model.logits(batch)
            self._random_state = torch.get_rng_state()
        answers, choices = losses(logits, batch)
        parts = {"answers": answers, "choices": choices}
        if logits.auxiliary is not None:
            parts["auxiliary"] = logits.auxiliary.sum()
        return {LOSS: sum(parts.values(), start=torch.zeros_like(answers)) / len(batch), **parts}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        batch = self._epoch[self.progress.batch]
        total = self.progress.loss + values[LOSS] * len(batch)
        self.progress = replace(self.progress, batch=self.progress.batch + 1, loss=total)
        if self.progress.batch == len(self._epoch):
            self._validate()

    def finished(self, done: int) -> bool:
        return self.progress.finished(self._config)

    def save(self, done: int) -> None:
        state = self._random_state  # None at the end of an epoch
        memory = {_RANDOM_STATE: state} if state is not None else {}
        self._checkpoint.save_state(self._model.module, self.optimizer, self.progress, memory)

    def _validate(self) -> None:
        """The end of an epoch: validate, log, keep the weights if they are the best so far."""
        # Without gradients, four times as many fit.
        size = min(_VALIDATION_BATCH, 4 * self._config.batch_size)
        validated = validate(self._model, self._examples.val, size)
        loss, number = validated["val/loss"], self.progress.epoch + 1
        where = f"after epoch {number} of {self._model.name}"
        require_finite({"validation": loss}, where, "learning_rate", self._config.learning_rate)
        self._log.log(number, {"train/loss": self.progress.loss / len(self._examples.train), **validated})
        by_loss = self._model.early_stopping_metric == EarlyStoppingMetric.LOSS
        self.progress = self.progress.validated(loss if by_loss else _wrong(validated))
        if self.progress.best_epoch == number:
            self._model.keep()
        self._epoch, self._random_state = list(self._shuffled()), None

    def _shuffled(self) -> Iterator[ExampleBatch]:
        rng = np.random.default_rng((self._config.seed, self.progress.epoch + 1))
        return shuffled(self._examples.train, self._config.batch_size, rng)


def losses(logits: Logits, batch: ExampleBatch) -> tuple[Tensor, Tensor]:
    """Sums of cross-entropies: over the batch's factual questions, and over its choices."""
    answers = functional.cross_entropy(logits.answers, batch.answers, ignore_index=NO_ANSWER, reduction="sum")
    choices = functional.binary_cross_entropy_with_logits(
        logits.correct[batch.is_choice], batch.correct[batch.is_choice].float(), reduction="sum"
    )
    return answers, choices


def largest_batch(model: TrainableModel, examples: ExampleBatch, too_large: int) -> int:
    """How many of the longest sentences can be trained on at once: a half of what is too large, a quarter, …; 0 if not
    even one."""
    longest = examples.lengths.argsort(descending=True)
    size = too_large // 2
    while size:
        try:
            model.module.zero_grad(set_to_none=True)
            batch = examples.rows(longest[:size]).to(model.device)
            torch.stack(losses(model.logits(batch), batch)).sum().backward()
            return size
        except torch.OutOfMemoryError:
            size //= 2
    return 0


@torch.no_grad()
def validate(model: TrainableModel, examples: ExampleBatch, size: int) -> dict[str, float]:
    """Mean loss, and the shares of right answers and rightly judged choices where there are any; `size` examples at a
    time."""
    model.module.eval()
    total, right = 0.0, [0, 0]
    for batch in batches(examples, size):
        batch = batch.to(model.device)
        logits = model.logits(batch)
        total += sum(loss.item() for loss in losses(logits, batch))
        right[0] += int(((logits.answers.argmax(-1) == batch.answers) & ~batch.is_choice).sum())
        right[1] += int(((logits.correct > 0).long() == batch.correct).sum())
    choices = int(examples.is_choice.sum())
    counts = dict(zip(_SHARES, (len(examples) - choices, choices), strict=True))
    shares = {name: right[i] / count for i, (name, count) in enumerate(counts.items()) if count}
    return {"val/loss": total / len(examples), **shares}


def _wrong(validated: Mapping[str, float]) -> float:
    """The mean share of what is wrong; questions and choices count alike."""
    shares = [validated[name] for name in _SHARES if name in validated]
    return 1 - sum(shares) / len(shares)
