"""Training of the Blind-LSTM on question-answer pairs alone; stops when the validation loss no longer falls.

Every epoch draws its order and its dropout from (seed, epoch), so that a run that was stopped and gone on with has the
same weights, bit for bit, as one that was not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from models.baselines.blind_lstm import BlindLSTM, Description, Logits, LSTMSize, save_description, save_weights
from models.baselines.examples import NO_ANSWER, Batch, encode, in_order, labelled, shuffled
from models.questions.tokens import Vocabulary
from models.train.cpu import one_thread
from models.train.losses import require_finite
from models.train.metrics import MetricLog
from models.train.randomness import seeded
from models.train.resuming import Checkpoint
from models.train.run import Run

CHECKPOINT: Final = "checkpoint.safetensors"
_VALIDATION_BATCH: Final = 512


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
    """The examples of both splits, in the numbers of one description."""

    description: Description
    train: Batch
    val: Batch

    def fingerprint(self) -> list[str]:
        return [self.description.fingerprint(), self.train.fingerprint(), self.val.fingerprint()]


@dataclass(frozen=True)
class TrainingState:
    """How far a training has come. Epochs count from 1."""

    epoch: int = 0
    best_epoch: int = 0
    best_loss: float = float("inf")

    def finished(self, config: BlindLSTMConfig) -> bool:
        return self.epoch >= config.epochs or self.epoch - self.best_epoch >= config.patience

    def after(self, loss: float) -> "TrainingState":
        epoch = self.epoch + 1
        if loss < self.best_loss:
            return TrainingState(epoch, epoch, loss)
        return replace(self, epoch=epoch)


def prepare(train: Sequence[SceneQuestions], val: Sequence[SceneQuestions], size: LSTMSize) -> BlindData:
    """Words and answers are those of the training questions; validation has to do with them."""
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


def fit(config: BlindLSTMConfig, data: BlindData, run: Run) -> TrainingState:
    """Train until finished or out of time; the best weights so far and a checkpoint to go on from are in `run.out`."""
    with seeded(config.seed, 0):
        module = data.description.module()
    optimizer = torch.optim.AdamW(module.parameters(), config.learning_rate, weight_decay=config.weight_decay)
    checkpoint = Checkpoint(run.out / CHECKPOINT, {"examples": data.fingerprint()})
    state = checkpoint.resume_state(module, optimizer, TrainingState())
    save_description(run.out, data.description)
    with one_thread(), MetricLog(run.out, state.epoch) as log:
        while not state.finished(config):
            trained = train_epoch(module, optimizer, data.train, config, state.epoch + 1)
            validated = validate(module, data.val)
            _require_finite({"validation": validated["val/loss"]}, state.epoch + 1, config)
            state = state.after(validated["val/loss"])
            log.log(state.epoch, trained | validated)
            if state.best_epoch == state.epoch:
                save_weights(run.out, data.description, module)
            checkpoint.save_state(module, optimizer, state)
            run.report(state.epoch, config.epochs)
            if run.time_is_up():
                break
    return state


def train_epoch(
    module: BlindLSTM, optimizer: torch.optim.Optimizer, examples: Batch, config: BlindLSTMConfig, epoch: int
) -> dict[str, float]:
    module.train()
    total = 0.0
    with seeded(config.seed, epoch):
        for batch in shuffled(examples, config.batch_size, np.random.default_rng((config.seed, epoch))):
            named, judged = losses(module(batch.tokens, batch.lengths), batch)
            loss = (named + judged) / len(batch)
            _require_finite({"answers": named.item(), "choices": judged.item()}, epoch, config)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(module.parameters(), config.max_gradient_norm)
            optimizer.step()
            total += loss.item() * len(batch)
    return {"train/loss": total / len(examples)}


def _require_finite(losses: dict[str, float], epoch: int, config: BlindLSTMConfig) -> None:
    require_finite(losses, f"epoch {epoch}", "learning_rate", config.learning_rate)


def losses(logits: Logits, batch: Batch) -> tuple[Tensor, Tensor]:
    """Sums over the batch's factual questions, and over its choices."""
    named = functional.cross_entropy(logits.answers, batch.answers, ignore_index=NO_ANSWER, reduction="sum")
    judged = functional.binary_cross_entropy_with_logits(
        logits.correct[batch.is_choice], batch.correct[batch.is_choice].float(), reduction="sum"
    )
    return named, judged


@torch.no_grad()
def validate(module: BlindLSTM, examples: Batch) -> dict[str, float]:
    """Mean loss, and the shares of right answers and rightly judged choices where there are any."""
    module.eval()
    total, right = 0.0, torch.zeros(2)
    for batch in in_order(examples, _VALIDATION_BATCH):
        logits: Logits = module(batch.tokens, batch.lengths)
        total += sum(loss.item() for loss in losses(logits, batch))
        right[0] += ((logits.answers.argmax(-1) == batch.answers) & ~batch.is_choice).sum()
        right[1] += ((logits.correct > 0).long() == batch.correct).sum()
    choices = int(examples.is_choice.sum())
    counts = {"val/factual": len(examples) - choices, "val/per_option": choices}
    shares = {name: right[i].item() / count for i, (name, count) in enumerate(counts.items()) if count}
    return {"val/loss": total / len(examples), **shares}
