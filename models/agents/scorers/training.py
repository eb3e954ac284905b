"""Training of scorers from tried actions, and the few gradient steps that online agents take after each test task."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from models.agents.contract import AttemptResult, Puzzle
from models.agents.experience import Experience
from models.agents.scorers.examples import Examples
from models.agents.scorers.scorer import ActionScorer
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
    RENAMED: ClassVar[Mapping[str, str]] = {"by_task": "balance_tasks", "mirrors": "flip_augmentation"}

    updates: int = 100_000
    batch_size: int = 64
    actions_per_task: int = 1  # of a batch, in a row; with more the costly encoding of a scene is shared
    learning_rate: float = 3e-4  # at the start of a cosine schedule that ends at 0
    max_gradient_norm: float = 10.0
    balance_tasks: bool = False  # tasks give solutions equally often, however many they have
    flip_augmentation: bool = True  # every other batch is mirrored
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
class ScorerProgress:
    updates: int = 0


class ScorerTraining:
    """A scorer's part of `run_steps`. What an update draws depends on the seed and its number alone, so that a resumed run
    comes to the same weights."""

    def __init__(
        self, scorer: ActionScorer, experience: Experience, settings: LearningSettings, seed: int, run: Run
    ) -> None:
        self._scorer, self._settings, self._seed, self._run = scorer, settings, seed, run
        self._experience, self._examples = experience, Examples(experience, settings.balance_tasks)
        self.optimizer: torch.optim.Optimizer = torch.optim.Adam(scorer.parameters(), settings.learning_rate)
        source = {"experience": experience.fingerprint()}
        self._checkpoint = TrainingCheckpoint(run.out / CHECKPOINT, source, _LEARNED_FROM)
        self._losses: list[float] = []  # since the last line of the log

    def run(self) -> bool:
        """Train until finished or stopped; returns whether it is finished."""
        settings, scorer = self._settings, self._scorer
        done = self._checkpoint.resume_state(scorer, self.optimizer, ScorerProgress()).updates
        if self.finished(done):
            return True
        self._views = scorer.observe(self._experience.puzzles).to(scorer.device)
        scorer.train()
        loop = LoopSettings(
            "the network",
            settings.updates,
            settings.checkpoint_every,
            settings.max_gradient_norm,
            "learning.learning_rate",
        )
        with MetricLog(self._run.out, done) as self._log, without_onednn_on_arm(scorer.device):
            return self.finished(run_steps(self, loop, self._run, done))

    def learning_rate(self, peak: float, step: int) -> float:
        return rate_at(step, self._settings)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        """Binary cross-entropy: does an action solve its task?"""
        settings, scorer = self._settings, self._scorer
        rng = np.random.default_rng((self._seed, step))
        batch = self._examples.draw(settings.batch_size, rng, settings.actions_per_task).to(scorer.device)
        shown, actions = self._views[batch.rows], batch.actions
        if settings.flip_augmentation and step % 2:
            shown, actions = scorer.mirrored(shown, actions)
        with autocast(scorer.device, scorer.bf16):
            logits = scorer(shown, actions)
        return {LOSS: binary_cross_entropy_with_logits(logits.float(), batch.solved)}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self._losses.append(values[LOSS])
        if done % self._settings.log_every == 0 or self.finished(done):
            self._log.log(done, {"loss": sum(self._losses) / len(self._losses)})
            self._losses = []

    def finished(self, done: int) -> bool:
        return done >= self._settings.updates

    def save(self, done: int) -> None:
        self._checkpoint.save_state(self._scorer, self.optimizer, ScorerProgress(done))


def fit(scorer: ActionScorer, experience: Experience, settings: LearningSettings, seed: int, run: Run) -> bool:
    """Train until finished or stopped; returns whether it is finished."""
    return ScorerTraining(scorer, experience, settings, seed, run).run()


def rate_at(update: int, settings: LearningSettings) -> float:
    """Cosine decay to zero."""
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * update / settings.updates))


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
        with without_onednn_on_arm(scorer.device):
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
