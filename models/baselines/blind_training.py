"""Training of the Blind-LSTM on question-answer pairs alone; stops when the validation loss no longer falls.

Every epoch draws its order and its dropout from (seed, epoch), and a checkpoint within an epoch holds the state of the
random numbers: a run that was stopped and resumed has the same weights, bit for bit, as one that was not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from models.baselines.blind_lstm import BlindLSTM, Description, Logits, LSTMSize, save_description, save_weights
from models.baselines.examples import NO_ANSWER, ExampleBatch, batches, encode, labelled, shuffled
from models.questions.tokens import Vocabulary
from models.train.cpu import one_thread
from models.train.finite import require_finite
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.randomness import continued, seeded
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

CHECKPOINT: Final = "checkpoint.safetensors"
_VALIDATION_BATCH: Final = 512
_RANDOM_STATE: Final = "random_state"


@dataclass(frozen=True)
class BlindLSTMConfig:
    task: str = "blind_lstm"
    seed: int = 0
    epochs: int = 40  # at most
    patience: int = 5  # epochs without a lower validation loss before the training stops
    batch_size: int = 128
    learning_rate: float = 4e-3
    weight_decay: float = 1e-2
    max_gradient_norm: float = 1.0
    model: LSTMSize = field(default_factory=LSTMSize)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"expected a seed of at least 0 (got {self.seed})")
        if min(self.epochs, self.patience, self.batch_size) < 1:
            raise ValueError(
                "expected epochs, patience and batch_size of at least 1 "
                f"(got {self.epochs}, {self.patience} and {self.batch_size})"
            )
        if min(self.learning_rate, self.max_gradient_norm) <= 0 or self.weight_decay < 0:
            raise ValueError("expected learning_rate and max_gradient_norm above 0, and weight_decay not below 0")


@dataclass(frozen=True)
class BlindData:
    """The examples of both splits, encoded with one description's vocabulary."""

    description: Description
    train: ExampleBatch
    val: ExampleBatch

    def fingerprint(self) -> list[str]:
        return [self.description.fingerprint(), self.train.fingerprint(), self.val.fingerprint()]


@dataclass(frozen=True)
class BlindProgress:
    """How far a training has come. Epochs count from 1. Within an epoch: the `batch` it is at, and the sum of its
    examples' losses so far."""

    epoch: int = 0
    best_epoch: int = 0
    best_loss: float = float("inf")
    batch: int = 0
    loss: float = 0.0

    def finished(self, config: BlindLSTMConfig) -> bool:
        """All epochs are done, or early stopping ends the training."""
        return self.epoch >= config.epochs or self.epoch - self.best_epoch >= config.patience

    def validated(self, loss: float) -> "BlindProgress":
        """After one epoch more, with this validation loss."""
        epoch = self.epoch + 1
        if loss < self.best_loss:
            return BlindProgress(epoch, epoch, loss)
        return BlindProgress(epoch, self.best_epoch, self.best_loss)


def prepare(train: Sequence[SceneQuestions], val: Sequence[SceneQuestions], size: LSTMSize) -> BlindData:
    """Encode both splits with the vocabulary and the answers of the training questions."""
    examples = labelled(train, "train")
    answers = sorted({example.answer for example in examples if example.answer is not None})
    if not answers or all(example.correct is None for example in examples):
        missing = "choices" if answers else "factual questions"
        raise DatasetError(f"the train split holds no answered {missing}; the Blind-LSTM learns from both kinds.")
    vocabulary = Vocabulary.of(example.words for example in examples)
    description = Description(size, list(vocabulary.words), answers)
    return BlindData(
        description,
        encode(examples, vocabulary, answers),
        encode(labelled(val, "val"), vocabulary, answers),
    )


class BlindTraining:
    """The Blind-LSTM's part of `run_steps`: a step is a batch, and every epoch ends with a validation."""

    def __init__(self, config: BlindLSTMConfig, data: BlindData, run: Run) -> None:
        self._config, self._data, self._run = config, data, run
        with seeded(config.seed, 0):
            self._module = data.description.module()
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            self._module.parameters(), config.learning_rate, weight_decay=config.weight_decay
        )
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, {"examples": data.fingerprint()})
        self.progress, memory = self._checkpoint.resume_with_memory(self._module, self.optimizer, BlindProgress())
        self._epoch = list(self._shuffled())
        self._random_state = memory.get(_RANDOM_STATE)  # of dropout, within an epoch

    def run(self) -> None:
        """Train until finished or stopped; the best weights so far and a checkpoint are in `run.out`."""
        count = len(self._epoch)
        settings = LoopSettings(
            "the Blind-LSTM", self._config.epochs * count, count, self._config.max_gradient_norm, "learning_rate"
        )
        save_description(self._run.out, self._data.description)
        with one_thread(), MetricLog(self._run.out, self.progress.epoch) as self._log:
            run_steps(self, settings, self._run, self.progress.epoch * count + self.progress.batch)

    def learning_rate(self, peak: float, step: int) -> float:
        return peak

    def losses(self, step: int) -> Mapping[str, Tensor]:
        self._module.train()
        batch = self._epoch[self.progress.batch]
        with continued(self._random_state, self._config.seed, self.progress.epoch + 1):
            logits = self._module(batch.tokens, batch.lengths)
            self._random_state = torch.get_rng_state()
        answers, choices = losses(logits, batch)
        return {LOSS: (answers + choices) / len(batch), "answers": answers, "choices": choices}

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
        self._checkpoint.save_state(self._module, self.optimizer, self.progress, memory)

    def _validate(self) -> None:
        """The end of an epoch: validate, log, keep the weights if they are the best so far."""
        validated = validate(self._module, self._data.val)
        loss, number = validated["val/loss"], self.progress.epoch + 1
        where = f"after epoch {number} of the Blind-LSTM"
        require_finite({"validation": loss}, where, "learning_rate", self._config.learning_rate)
        self._log.log(number, {"train/loss": self.progress.loss / len(self._data.train), **validated})
        self.progress = self.progress.validated(loss)
        if self.progress.best_epoch == number:
            save_weights(self._run.out, self._data.description, self._module)
        self._epoch, self._random_state = list(self._shuffled()), None

    def _shuffled(self) -> Iterator[ExampleBatch]:
        rng = np.random.default_rng((self._config.seed, self.progress.epoch + 1))
        return shuffled(self._data.train, self._config.batch_size, rng)


def fit(config: BlindLSTMConfig, data: BlindData, run: Run) -> BlindProgress:
    """Train until finished or stopped; returns how far it came."""
    training = BlindTraining(config, data, run)
    training.run()
    return training.progress


def losses(logits: Logits, batch: ExampleBatch) -> tuple[Tensor, Tensor]:
    """Sums of cross-entropies: over the batch's factual questions, and over its choices."""
    answers = functional.cross_entropy(logits.answers, batch.answers, ignore_index=NO_ANSWER, reduction="sum")
    choices = functional.binary_cross_entropy_with_logits(
        logits.correct[batch.is_choice], batch.correct[batch.is_choice].float(), reduction="sum"
    )
    return answers, choices


@torch.no_grad()
def validate(module: BlindLSTM, examples: ExampleBatch) -> dict[str, float]:
    """Mean loss, and the shares of right answers and rightly judged choices where there are any."""
    module.eval()
    total, right = 0.0, torch.zeros(2)
    for batch in batches(examples, _VALIDATION_BATCH):
        logits: Logits = module(batch.tokens, batch.lengths)
        total += sum(loss.item() for loss in losses(logits, batch))
        right[0] += ((logits.answers.argmax(-1) == batch.answers) & ~batch.is_choice).sum()
        right[1] += ((logits.correct > 0).long() == batch.correct).sum()
    choices = int(examples.is_choice.sum())
    counts = {"val/factual": len(examples) - choices, "val/per_option": choices}
    shares = {name: right[i].item() / count for i, (name, count) in enumerate(counts.items()) if count}
    return {"val/loss": total / len(examples), **shares}
