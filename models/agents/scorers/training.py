"""Training of scorers from tried actions, and the few gradient steps that online agents take after each test task."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from models.agents.contract import AttemptResult, Puzzle
from models.agents.experience import Experience
from models.agents.scorers.examples import ExampleBatch, Examples
from models.agents.scorers.scorer import ActionScorer
from models.perceiver.training.trainer import autocast
from models.train.cpu import quick_backward
from models.train.losses import clipped, require_few_left_out, require_finite
from models.train.metrics import MetricLog
from models.train.resuming import Checkpoint
from models.train.run import Run

CHECKPOINT: Final = "checkpoint.safetensors"
_LEARNED_FROM: Final = "tried actions (other tasks, another number of actions, or another fold)"


@dataclass(frozen=True)
class LearningSettings:
    updates: int = 100_000
    batch_size: int = 64
    actions_per_task: int = 1  # of a batch, in a row; with more the costly encoding of a scene is shared
    learning_rate: float = 3e-4  # at the start of a cosine schedule that ends at 0
    max_gradient_norm: float = 10.0
    by_task: bool = False  # tasks give solutions equally often, however many they have
    mirrors: bool = True  # augmentation: every other batch is mirrored
    log_every: int = 100  # updates
    checkpoint_every: int = 1000

    def __post_init__(self) -> None:
        if min(self.updates, self.log_every, self.checkpoint_every) < 1 or self.batch_size < 2:
            raise ValueError("expected updates, log_every and checkpoint_every of at least 1, and batch_size of 2")
        if self.actions_per_task < 1 or self.batch_size % self.actions_per_task:
            raise ValueError(
                "expected batch_size to be a multiple of actions_per_task "
                f"(got {self.batch_size} and {self.actions_per_task})"
            )
        if min(self.learning_rate, self.max_gradient_norm) <= 0:
            raise ValueError("expected learning_rate and max_gradient_norm above 0")


@dataclass(frozen=True)
class OnlineSettings:
    """Gradient steps of an online agent on its attempts after each test task. `contrast`: only if some attempts solved the
    task and others failed, with both classes weighted alike; otherwise an agent that stops at its first solution learns
    little but that everything fails."""

    updates: int = 5  # 0: nothing
    learning_rate: float = 1e-4
    contrast: bool = False

    def __post_init__(self) -> None:
        if self.updates < 0 or self.learning_rate <= 0:
            raise ValueError(f"expected updates not below 0 and learning_rate above 0 (got {self})")


@dataclass(frozen=True)
class FitProgress:
    """How far a training is, as its checkpoint has it."""

    updates: int = 0
    left_out: int = 0  # updates in a row whose gradients were not finite


def fit(scorer: ActionScorer, experience: Experience, settings: LearningSettings, seed: int, run: Run) -> bool:
    """Train until finished or out of time; whether it is finished. What an update draws depends on the seed and its
    number alone, so that a run that was stopped comes to the same weights."""
    examples = Examples(experience, settings.by_task)
    optimizer = torch.optim.Adam(scorer.parameters(), settings.learning_rate)
    checkpoint = Checkpoint(run.out / CHECKPOINT, {"experience": experience.fingerprint()}, _LEARNED_FROM)
    progress = checkpoint.resume_state(scorer, optimizer, FitProgress())
    if progress.updates >= settings.updates:
        return True
    views = scorer.observe(experience.puzzles).to(scorer.device)
    scorer.train()
    losses: list[float] = []
    with MetricLog(run.out, progress.updates) as log, quick_backward(scorer.device):
        while progress.updates < settings.updates:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(progress.updates, settings)
            rng = np.random.default_rng((seed, progress.updates))
            batch = examples.draw(settings.batch_size, rng, settings.actions_per_task)
            loss, able = _update(scorer, optimizer, views, batch.to(scorer.device), settings, progress.updates)
            progress = FitProgress(progress.updates + 1, 0 if able else progress.left_out + 1)
            losses.append(loss)
            when = f"update {progress.updates}"
            require_few_left_out(progress.left_out, when, "learning.learning_rate", settings.learning_rate)
            stop = progress.updates == settings.updates or run.time_is_up()
            if progress.updates % settings.log_every == 0 or stop:
                mean = sum(losses) / len(losses)
                require_finite({"loss": mean}, when, "learning.learning_rate", settings.learning_rate)
                log.log(progress.updates, {"loss": mean})
                losses = []
            if progress.updates % settings.checkpoint_every == 0 or stop:
                checkpoint.save_state(scorer, optimizer, progress)
            run.report(progress.updates, settings.updates)
            if stop:
                break
    return progress.updates >= settings.updates


def rate_at(update: int, settings: LearningSettings) -> float:
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * update / settings.updates))


def _update(
    scorer: ActionScorer,
    optimizer: torch.optim.Optimizer,
    views: Tensor,
    batch: ExampleBatch,
    settings: LearningSettings,
    number: int,
) -> tuple[float, bool]:
    """The loss, and whether its gradients were finite and applied."""
    shown, actions = views[batch.rows], batch.actions
    if settings.mirrors and number % 2:
        shown, actions = scorer.mirrored(shown, actions)
    with autocast(scorer.device, scorer.bf16):
        logits = scorer(shown, actions)
    loss = binary_cross_entropy_with_logits(logits.float(), batch.solved)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    able = clipped(scorer.parameters(), settings.max_gradient_norm)
    if able:
        optimizer.step()
    return loss.item(), able


class OnlineLearner:
    """A few gradient steps on the attempts on a test task, as one batch. Batch norm keeps its running statistics: those
    of one scene say little about others."""

    def __init__(self, scorer: ActionScorer, settings: OnlineSettings) -> None:
        self._scorer, self._updates, self._contrast = scorer, settings.updates, settings.contrast
        self._optimizer = torch.optim.Adam(scorer.parameters(), settings.learning_rate)

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        if not results or not self._updates:
            return
        scorer = self._scorer.eval()
        actions = torch.from_numpy(np.array([result.action for result in results], dtype=np.float32)).to(scorer.device)
        solved = torch.tensor([float(result.status.is_solved()) for result in results], device=scorer.device)
        if self._contrast and solved.min() == solved.max():
            return
        weights = _balanced(solved) if self._contrast else None
        view = scorer.observe([puzzle]).to(scorer.device)
        with quick_backward(scorer.device):
            for _ in range(self._updates):
                features = scorer.encode(view)
                logits = scorer.score(features.expand(len(actions), *features.shape[1:]), actions)
                self._optimizer.zero_grad(set_to_none=True)
                binary_cross_entropy_with_logits(logits, solved, weights).backward()
                self._optimizer.step()


def _balanced(solved: Tensor) -> Tensor:
    """Weights [B], 1 in the mean, with which solutions count as much as failures."""
    share = solved.mean()
    return 0.5 * (solved / share + (1.0 - solved) / (1.0 - share))
