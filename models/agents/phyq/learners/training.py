"""Training of a network by double DQN from stored plays, without an engine.

Where outcomes of all first shots are stored, looking an action up is playing it: so the network chooses by epsilon-greedy
which plays it learns from, as the published agents do. Later shots of a play are those that were stored with it.
"""

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES
from models.agents.phyq.learners.config import LearnerConfig, LearningSettings, Loss, NetworkKind, ReplaySource
from models.agents.phyq.learners.experience import END, Experience
from models.agents.phyq.learners.networks import make_network
from models.agents.phyq.learners.replay import PlayIndex, Replay, TransitionBatch
from models.agents.phyq.learners.views import make_views
from models.train.checkpoint import Tensors, prefixed, section
from models.train.cpu import without_onednn_on_arm
from models.train.device import pick_device
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.randomness import seeded
from models.train.run import Run
from models.train.training_checkpoint import TrainingCheckpoint

CHECKPOINT: Final = "checkpoint.safetensors"
SAMPLING_AGENTS: Final = 10  # each plays one task in an update
_LEARNED_FROM: Final = "plays (other tasks, or another number of plays)"
_COLLECT, _BATCH, _NOISE, _SHOWN = range(4)  # streams of random numbers
_STATES_AT_A_TIME: Final = 64


@dataclass(frozen=True)
class LearnerProgress:
    steps: int = 0


class LearnerTraining:
    """A network's part of `run_steps`. What a step draws depends on the seed and its number alone, so that a resumed run
    comes to the same weights."""

    def __init__(self, config: LearnerConfig, experience: Experience, run: Run) -> None:
        self._config, self._settings, self._experience, self._run = config, config.learning, experience, run
        self._device = pick_device(config.device)
        self._updates = update_steps(self._settings, len(experience.task_ids))
        self.steps = self._updates.pop()
        with seeded(config.seed):
            self.network = make_network(config.network).to(self._device)
        self._target = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            self.network.parameters(), self._settings.learning_rate, weight_decay=self._settings.weight_decay
        )
        self._checkpoint = TrainingCheckpoint(
            run.out / CHECKPOINT, {"experience": experience.fingerprint()}, _LEARNED_FROM
        )
        view = NetworkKind(config.network.kind).view
        self._views = make_views(view, experience.levels, self._device, config.seed)
        self._index = PlayIndex(experience, DEGREES)
        self._losses: list[float] = []  # since the last line of the log

    def run(self) -> int:
        """Train until finished or stopped; returns the steps done so far."""
        settings = self._settings
        progress, memory = self._checkpoint.resume_with_memory(self.network, self.optimizer, LearnerProgress())
        collected = memory.get("plays", torch.empty(0, dtype=torch.int64)).numpy()
        if len(collected):
            self._replay = Replay(self._experience, collected, settings.balance_tasks)
            self._target.load_state_dict(section("target", memory))
        loop = LoopSettings(
            "the network",
            self.steps,
            settings.checkpoint_every,
            settings.max_gradient_norm,
            "learning.learning_rate",
            check_every=settings.log_every,
        )
        with MetricLog(self._run.out, progress.steps) as self._log, without_onednn_on_arm(self._device):
            return run_steps(self, loop, self._run, progress.steps)

    def learning_rate(self, peak: float, step: int) -> float:
        return peak * 0.5 * (1 + math.cos(math.pi * step / self.steps)) if self._settings.cosine else peak

    def losses(self, step: int) -> Mapping[str, Tensor]:
        if step in self._updates:
            self._update(step)
        settings, draws = self._settings, self._rng(_BATCH, step)
        batch = self._replay.draw(settings.batch_size, settings.actions_per_state, draws)
        noise = self._rng(_NOISE, step)
        targets = self._targets(batch, noise)
        self.network.train()
        actions = torch.from_numpy(batch.actions).to(self._device)
        found = self.network(self._views(batch.states, noise)).float().gather(1, actions)
        if settings.loss == Loss.CROSS_ENTROPY:
            return {LOSS: binary_cross_entropy_with_logits(found, targets)}
        return {LOSS: smooth_l1_loss(found, targets)}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self._log.log(done, {LOSS: values[LOSS]})

    def finished(self, done: int) -> bool:
        return done >= self.steps

    def save(self, done: int) -> None:
        target: Tensors = prefixed("target", self._target.state_dict())
        memory = {"plays": torch.from_numpy(self._replay.plays), **target}
        self._checkpoint.save_state(self.network, self.optimizer, LearnerProgress(done), memory)

    def remove_checkpoint(self) -> None:
        """When the network is finished and written elsewhere."""
        self._checkpoint.path.unlink(missing_ok=True)

    def greedy_share(self) -> float:
        """Of the training tasks, how many the network's first shot wins, as far as stored plays tell."""
        tasks = np.arange(len(self._experience.task_ids))
        actions, rng = self._best_actions(tasks, self._rng(_SHOWN, 0)), self._rng(_SHOWN, 1)
        plays = [self._index.draw(int(task), int(action), rng) for task, action in zip(tasks, actions, strict=True)]
        hit = (self._experience.firsts[plays] == actions) & self._experience.won[plays]
        return float(hit.mean())

    def _rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng([self._config.seed, *numbers])

    def _update(self, step: int) -> None:
        """Copy the network to the target, and collect plays."""
        self._target.load_state_dict(self.network.state_dict())
        number, settings = self._updates.index(step), self._settings
        if settings.replay_source == ReplaySource.ALL:
            if number == 0:
                self._replay = Replay(self._experience, np.arange(len(self._experience.won)), settings.balance_tasks)
            return
        new = self._collected(number, self._rng(_COLLECT, number))
        before = self._replay.plays if number else np.empty(0, np.int64)
        self._replay = Replay(self._experience, np.concatenate([before, new]), settings.balance_tasks)

    def _collected(self, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Plays of a random task for each sampling agent; actions are the network's or, with probability epsilon, random."""
        first, last = self._settings.epsilon
        epsilon = first + (last - first) * number / max(len(self._updates) - 1, 1)
        tasks = rng.integers(len(self._experience.task_ids), size=SAMPLING_AGENTS)
        tasks = np.resize(tasks, self._settings.plays_per_update)
        explores = rng.random(len(tasks)) < epsilon
        actions = np.where(explores, rng.integers(DEGREES, size=len(tasks)), self._best_actions(tasks, rng))
        pairs = zip(tasks.tolist(), actions.tolist(), strict=True)
        return np.array([self._index.draw(task, action, rng) for task, action in pairs], np.int64)

    @torch.no_grad()
    def _best_actions(self, states: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        self.network.eval()
        parts = np.array_split(states, -(-len(states) // _STATES_AT_A_TIME))
        found = [self.network(self._views(part, rng)).argmax(dim=1).cpu() for part in parts]
        return torch.cat(found).numpy()

    @torch.no_grad()
    def _targets(self, batch: TransitionBatch, rng: np.random.Generator) -> Tensor:
        """Rewards, and where a shot follows what it is worth: the target network's value of the network's choice."""
        targets = torch.from_numpy(batch.rewards).to(self._device)
        following = batch.following[batch.following != END]
        if not len(following):
            return targets
        self.network.eval()
        views = self._views(following, rng)
        choices = self.network(views).argmax(dim=1, keepdim=True)
        worth = self._target.eval()(views).float().gather(1, choices).squeeze(1)
        if self._settings.loss == Loss.CROSS_ENTROPY:
            worth = worth.sigmoid()
        targets[torch.from_numpy(batch.following != END).to(self._device)] += self._settings.discount * worth
        return targets


def update_steps(settings: LearningSettings, tasks: int) -> list[int]:
    """The steps at which plays are collected and the target network is copied, and last the number of all steps."""
    if settings.replay_source == ReplaySource.ALL:
        return [*range(0, settings.steps, settings.target_update_interval), settings.steps]
    starts = [0]
    for number in range(max(tasks // settings.tasks_per_update, 1)):
        batches = -(-settings.plays_per_update * (number + 1) // settings.batch_size)
        starts.append(starts[-1] + settings.epochs * batches)
    return starts
