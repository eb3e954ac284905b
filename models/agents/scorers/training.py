"""Training of judges from tried actions, and the few steps that online agents take in between test tasks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from models.agents.contract import Puzzle, Trial
from models.agents.experience import Experience
from models.agents.scorers.examples import Examples
from models.agents.scorers.scorer import Judge
from models.train.cpu import without_onednn_on_arm
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.precision import autocast
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

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
class ScorerProgress:
    updates: int = 0


class ScorerTraining:
    """A judge's part of `run_steps`. What an update draws depends on the seed and its number alone, so that a resumed run
    comes to the same weights."""

    def __init__(self, judge: Judge, experience: Experience, settings: LearningSettings, seed: int, run: Run) -> None:
        self._judge, self._settings, self._seed, self._run = judge, settings, seed, run
        self._experience, self._examples = experience, Examples(experience, settings.by_task)
        self.optimizer: torch.optim.Optimizer = torch.optim.Adam(judge.parameters(), settings.learning_rate)
        source = {"experience": experience.fingerprint()}
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, source, _LEARNED_FROM)
        self._losses: list[float] = []  # since the last line of the log

    def run(self) -> bool:
        """Train until finished or stopped; returns whether it is finished."""
        settings, judge = self._settings, self._judge
        done = self._checkpoint.resume_state(judge, self.optimizer, ScorerProgress()).updates
        if self.finished(done):
            return True
        self._views = judge.see(self._experience.puzzles).to(judge.device)
        judge.train()
        loop = LoopSettings(
            "the network",
            settings.updates,
            settings.checkpoint_every,
            settings.max_gradient_norm,
            "learning.learning_rate",
        )
        with MetricLog(self._run.out, done) as self._log, without_onednn_on_arm(judge.device):
            return self.finished(run_steps(self, loop, self._run, done))

    def learning_rate(self, peak: float, step: int) -> float:
        return rate_at(step, self._settings)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        """Binary cross-entropy: does an action solve its task?"""
        settings, judge = self._settings, self._judge
        rng = np.random.default_rng((self._seed, step))
        batch = self._examples.draw(settings.batch_size, rng, settings.actions_per_task).to(judge.device)
        shown, actions = self._views[batch.rows], batch.actions
        if settings.mirrors and step % 2:
            shown, actions = judge.mirrored(shown, actions)
        with autocast(judge.device, judge.bf16):
            logits = judge(shown, actions)
        return {LOSS: binary_cross_entropy_with_logits(logits.float(), batch.solved)}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self._losses.append(values[LOSS])
        if done % self._settings.log_every == 0 or self.finished(done):
            self._log.log(done, {"loss": sum(self._losses) / len(self._losses)})
            self._losses = []

    def finished(self, done: int) -> bool:
        return done >= self._settings.updates

    def save(self, done: int) -> None:
        self._checkpoint.save_state(self._judge, self.optimizer, ScorerProgress(done))


def fit(judge: Judge, experience: Experience, settings: LearningSettings, seed: int, run: Run) -> bool:
    """Train until finished or stopped; returns whether it is finished."""
    return ScorerTraining(judge, experience, settings, seed, run).run()


def rate_at(update: int, settings: LearningSettings) -> float:
    """Cosine decay to zero."""
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * update / settings.updates))


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
        with without_onednn_on_arm(judge.device):
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
