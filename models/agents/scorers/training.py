"""Training of judges from tried actions, and the few steps that online agents take in between test tasks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from models.agents.contract import Puzzle, Trial
from models.agents.experience import Experience
from models.agents.scorers.examples import Batch, Examples
from models.agents.scorers.scorer import Judge
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
    actions_per_task: int = 1  # of a batch, in a row; with more the costly look at a scene is shared
    learning_rate: float = 3e-4  # falls to 0 along half a cosine
    max_gradient_norm: float = 10.0
    by_task: bool = False  # tasks give solutions equally often, however many they have
    mirrors: bool = True  # every other batch is seen in a mirror
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
    """What an online agent does with its attempts on a test task before the next one. `contrast`: learns only if some solved
    the task and others failed, and both count alike; else an agent that stops at its first solution learns little but
    that everything fails."""

    updates: int = 5  # 0: nothing
    learning_rate: float = 1e-4
    contrast: bool = False

    def __post_init__(self) -> None:
        if self.updates < 0 or self.learning_rate <= 0:
            raise ValueError(f"expected updates not below 0 and learning_rate above 0 (got {self})")


@dataclass(frozen=True)
class Progress:
    updates: int = 0
    left_out: int = 0  # in a row


def fit(judge: Judge, experience: Experience, settings: LearningSettings, seed: int, run: Run) -> bool:
    """Train until finished or out of time; whether it is finished. What an update draws depends on the seed and its
    number alone, so that a run that was stopped comes to the same weights."""
    examples = Examples(experience, settings.by_task)
    optimizer = torch.optim.Adam(judge.parameters(), settings.learning_rate)
    checkpoint = Checkpoint(run.out / CHECKPOINT, {"experience": experience.fingerprint()}, _LEARNED_FROM)
    progress = checkpoint.resume_state(judge, optimizer, Progress())
    if progress.updates >= settings.updates:
        return True
    views = judge.see(experience.puzzles).to(judge.device)
    judge.train()
    losses: list[float] = []
    with MetricLog(run.out, progress.updates) as log, quick_backward(judge.device):
        while progress.updates < settings.updates:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(progress.updates, settings)
            rng = np.random.default_rng((seed, progress.updates))
            batch = examples.draw(settings.batch_size, rng, settings.actions_per_task)
            loss, able = _update(judge, optimizer, views, batch.to(judge.device), settings, progress.updates)
            progress = Progress(progress.updates + 1, 0 if able else progress.left_out + 1)
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
                checkpoint.save_state(judge, optimizer, progress)
            run.report(progress.updates, settings.updates)
            if stop:
                break
    return progress.updates >= settings.updates


def rate_at(update: int, settings: LearningSettings) -> float:
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * update / settings.updates))


def _update(
    judge: Judge,
    optimizer: torch.optim.Optimizer,
    views: Tensor,
    batch: Batch,
    settings: LearningSettings,
    number: int,
) -> tuple[float, bool]:
    """The loss, and whether its gradients could be followed."""
    shown, actions = views[batch.rows], batch.actions
    if settings.mirrors and number % 2:
        shown, actions = judge.mirrored(shown, actions)
    with autocast(judge.device, judge.bf16):
        logits = judge(shown, actions)
    loss = binary_cross_entropy_with_logits(logits.float(), batch.solved)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    able = clipped(judge.parameters(), settings.max_gradient_norm)
    if able:
        optimizer.step()
    return loss.item(), able


class OnlineLearner:
    """A few steps on the attempts on a test task, as one batch. Statistics of normalisation stay as they are: those of
    one scene say little about others."""

    def __init__(self, judge: Judge, settings: OnlineSettings) -> None:
        self._judge, self._updates, self._contrast = judge, settings.updates, settings.contrast
        self._optimizer = torch.optim.Adam(judge.parameters(), settings.learning_rate)

    def learn(self, puzzle: Puzzle, trials: Sequence[Trial]) -> None:
        if not trials or not self._updates:
            return
        judge = self._judge.eval()
        actions = torch.from_numpy(np.array([trial.action for trial in trials], dtype=np.float32)).to(judge.device)
        solved = torch.tensor([float(trial.status.is_solved()) for trial in trials], device=judge.device)
        if self._contrast and solved.min() == solved.max():
            return
        weights = _balanced(solved) if self._contrast else None
        view = judge.see([puzzle]).to(judge.device)
        with quick_backward(judge.device):
            for _ in range(self._updates):
                features = judge.encode(view)
                logits = judge.judge(features.expand(len(actions), *features.shape[1:]), actions)
                self._optimizer.zero_grad(set_to_none=True)
                binary_cross_entropy_with_logits(logits, solved, weights).backward()
                self._optimizer.step()


def _balanced(solved: Tensor) -> Tensor:
    """Weights [B], 1 in the mean, with which solutions count as much as failures."""
    share = solved.mean()
    return 0.5 * (solved / share + (1.0 - solved) / (1.0 - share))
