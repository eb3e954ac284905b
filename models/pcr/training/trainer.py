"""Runs the curriculum: stage after stage, step after step, to be stopped and gone on with at any point.

Several processes may train one reasoner, each with its own batches: they take every step together.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.training.config import PCRConfig
from models.pcr.training.stages import STAGES, Curriculum, TrainingStage, rate_at
from models.train.checkpoint import Tensors, load_optimizer, optimizer_tensors
from models.train.distributed import broadcast_weights, on_main
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.metrics import MetricLog
from models.train.randomness import seeded
from models.train.run import Run
from models.train.training_checkpoint import Snapshot, TrainingCheckpoint

PROGRESS: Final = "progress.safetensors"
_LEARNED_FROM: Final = "sets or questions (another --data or cache, or one that has changed since)"


@dataclass(frozen=True)
class CurriculumProgress:
    """The stage that is being trained, and how many of its steps are done."""

    stage: int = 0
    step: int = 0

    @property
    def finished(self) -> bool:
        return self.stage >= len(STAGES)


class Trainer:
    """`examples` is the fingerprint of the training sets and questions: a checkpoint of other examples is refused."""

    def __init__(self, config: PCRConfig, run: Run, reasoner: Reasoner, curriculum: Curriculum, examples: str) -> None:
        self._config, self._run, self._reasoner, self._curriculum = config, run, reasoner, curriculum
        self._checkpoint = TrainingCheckpoint(run.out / PROGRESS, {"examples": examples}, _LEARNED_FROM)
        self._lengths = [int(getattr(config, name).steps) for name in STAGES]

    def train(self) -> CurriculumProgress:
        """Go on from the last checkpoint until all stages are done or the run must stop."""
        progress, moments = self._resume()
        began = time.perf_counter()
        broadcast_weights(self._reasoner)
        with MetricLog(self._run.out, self._steps_before(progress.stage) + progress.step) as log:
            while not progress.finished:
                if not self._lengths[progress.stage]:
                    progress, moments = CurriculumProgress(progress.stage + 1), {}
                    continue
                stage = self._curriculum.stage(STAGES[progress.stage])
                training = StageTraining(self._config, stage, progress.stage, self._reasoner, self._save)
                training.log_to(log, self._steps_before(progress.stage), began)
                reached = training.run(self._reporting(progress.stage), progress.step, moments)
                if reached < stage.steps:
                    return CurriculumProgress(progress.stage, reached)
                progress, moments = CurriculumProgress(progress.stage + 1), {}
                if on_main(self._run.should_stop) and not progress.finished:
                    return progress
        on_main(lambda: save_reasoner(self._run.out / MODEL, self._reasoner))
        return progress

    def _reporting(self, stage: int) -> Run:
        """The run, whose report counts the steps of all stages."""
        before, total = self._steps_before(stage), sum(self._lengths)
        return replace(self._run, report=lambda done, _: self._run.report(before + done, total))

    def _steps_before(self, stage: int) -> int:
        return sum(self._lengths[:stage])

    def _save(self, progress: CurriculumProgress, moments: Tensors) -> None:
        snapshot = Snapshot(asdict(progress), moments, self._curriculum.memory())
        on_main(lambda: self._checkpoint.save(self._reasoner, snapshot))

    def _resume(self) -> tuple[CurriculumProgress, Tensors]:
        snapshot = self._checkpoint.resume(self._reasoner)
        if snapshot is None:
            return CurriculumProgress(), {}
        self._curriculum.recall(snapshot.memory)
        return CurriculumProgress(snapshot.facts["stage"], snapshot.facts["step"]), snapshot.moments


class StageTraining:
    """A stage's part of `run_steps`, in which all processes take part."""

    def __init__(
        self,
        config: PCRConfig,
        stage: TrainingStage,
        number: int,
        reasoner: Reasoner,
        save: Callable[[CurriculumProgress, Tensors], None],
    ) -> None:
        self._config, self._stage, self._number, self._reasoner, self._save = config, stage, number, reasoner, save
        groups = [{"params": parameters, "lr": rate} for parameters, rate in stage.groups]
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(groups, weight_decay=config.weight_decay)
        self._losses: list[float] = []  # since the last line of the log
        self._since = time.perf_counter()

    def log_to(self, log: MetricLog, before: int, began: float) -> None:
        """`before`: steps of earlier stages. `began`: when the run did, as `time.perf_counter` tells it."""
        self._log, self._before, self._began = log, before, began

    def run(self, run: Run, done: int, moments: Tensors) -> int:
        """Train from step `done` on; returns the steps that are done when the stage ends or the run must stop."""
        if moments:
            load_optimizer(self.optimizer, moments)
        self._reasoner.train()
        name = STAGES[self._number]
        settings = LoopSettings(
            f"stage '{name}'",
            self._stage.steps,
            self._config.checkpoint_every,
            self._config.max_gradient_norm,
            f"{name}.learning_rate",
            distributed=True,
        )
        return run_steps(self, settings, run, done)

    def learning_rate(self, peak: float, step: int) -> float:
        return peak * rate_at(step, self._stage.steps)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        with seeded(self._config.seed, self._number, step):
            return {LOSS: self._stage.loss(step)}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        """Log means over the steps since the last line; the speed is that of this process."""
        self._losses.append(values[LOSS])
        if done % self._config.log_every and not self.finished(done):
            return
        now, count = time.perf_counter(), len(self._losses)
        found = {
            "loss": sum(self._losses) / count,
            "rate": self.optimizer.param_groups[0]["lr"],
            "questions_per_second": round(count * self._stage.questions / (now - self._since)),
        }
        named = {f"{STAGES[self._number]}/{what}": value for what, value in found.items()}
        self._log.log(self._before + done, named | {"seconds": round(now - self._began, 1)})
        self._losses, self._since = [], now

    def finished(self, done: int) -> bool:
        return done >= self._stage.steps

    def save(self, done: int) -> None:
        """A finished stage is saved as the beginning of the next one, whose optimizer is new."""
        if self.finished(done):
            self._save(CurriculumProgress(self._number + 1), {})
        else:
            self._save(CurriculumProgress(self._number, done), optimizer_tensors(self.optimizer))
