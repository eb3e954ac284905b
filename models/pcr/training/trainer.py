"""Runs the curriculum: lesson after lesson, step after step, to be stopped and gone on with at any point.

Several processes may teach one reasoner, each with its own batches: they take every step together.
"""

import time
from dataclasses import asdict, dataclass
from typing import Final

import torch

from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.training.config import PCRConfig
from models.pcr.training.stages import STAGES, Curriculum, TrainingStage, parameters_of, rate_at
from models.train.checkpoint import Tensors, load_optimizer, optimizer_tensors
from models.train.losses import clipped, require_few_left_out, require_finite
from models.train.metrics import MetricLog
from models.train.processes import averaged, led, share_gradients, share_weights
from models.train.randomness import seeded
from models.train.resuming import Checkpoint, Reached
from models.train.run import Run

PROGRESS: Final = "progress.safetensors"
_TAUGHT: Final = "sets or questions (another --data or cache, or one that has changed since)"


@dataclass(frozen=True)
class CurriculumProgress:
    """The lesson that is being taught, and how many of its steps are done."""

    lesson: int = 0
    step: int = 0

    @property
    def finished(self) -> bool:
        return self.lesson >= len(STAGES)


class Trainer:
    """`examples` is the fingerprint of what is taught: a checkpoint of other examples is refused."""

    def __init__(self, config: PCRConfig, run: Run, reasoner: Reasoner, curriculum: Curriculum, examples: str) -> None:
        self._config, self._run, self._reasoner, self._curriculum = config, run, reasoner, curriculum
        self._checkpoint = Checkpoint(run.out / PROGRESS, {"examples": examples}, _TAUGHT)
        self._left_out = 0  # steps in a row
        self._began = 0.0
        self._lengths = [int(getattr(config, name).steps) for name in STAGES]

    def teach(self) -> CurriculumProgress:
        """Go on from the last checkpoint until all lessons are done or the time is up."""
        progress, moments = self._resume()
        self._began = time.perf_counter()
        share_weights(self._reasoner)
        with MetricLog(self._run.out, self._steps_before(progress.lesson) + progress.step) as log:
            while not progress.finished:
                course = self._curriculum.stage(STAGES[progress.lesson])
                reached = self._teach_lesson(course, progress, moments, log)
                if reached < course.steps:
                    return CurriculumProgress(progress.lesson, reached)
                progress, moments = CurriculumProgress(progress.lesson + 1), {}
                self._save(progress, moments)
                if led(self._run.time_is_up) and not progress.finished:
                    return progress
        led(lambda: save_reasoner(self._run.out / MODEL, self._reasoner))
        return progress

    def _teach_lesson(
        self, course: TrainingStage, progress: CurriculumProgress, moments: Tensors, log: MetricLog
    ) -> int:
        """The number of steps that are done when the lesson or the time is over."""
        optimizer = self._optimizer(course, moments)
        self._reasoner.train()
        losses: list[float] = []
        since = time.perf_counter()
        for step in range(progress.step, course.steps):
            losses.append(self._step(course, optimizer, progress.lesson, step))
            done = step + 1
            if done % self._config.log_every == 0 or done == course.steps:
                speed = len(losses) * course.questions / (time.perf_counter() - since)  # of this process
                self._log(log, progress.lesson, done, sum(losses) / len(losses), optimizer, speed)
                losses, since = [], time.perf_counter()
            stop = led(self._run.time_is_up) and done < course.steps
            if stop or done % self._config.checkpoint_every == 0:
                self._save(CurriculumProgress(progress.lesson, done), optimizer_tensors(optimizer))
            if stop:
                return done
        return course.steps

    def _optimizer(self, course: TrainingStage, moments: Tensors) -> torch.optim.Optimizer:
        groups = [{"params": parameters, "lr": rate, "top": rate} for parameters, rate in course.groups]
        optimizer = torch.optim.AdamW(groups, weight_decay=self._config.weight_decay)
        if moments:
            load_optimizer(optimizer, moments)
        return optimizer

    def _step(self, course: TrainingStage, optimizer: torch.optim.Optimizer, lesson: int, step: int) -> float:
        for group in optimizer.param_groups:
            group["lr"] = group["top"] * rate_at(step, course.steps)
        with seeded(self._config.seed, lesson, step):
            loss = course.loss(step)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        share_gradients(parameters_of(course))
        able = clipped(parameters_of(course), self._config.max_gradient_norm)
        mean = averaged(loss.item())
        name = STAGES[lesson]
        rate = getattr(self._config, name).learning_rate
        require_finite({name: mean}, f"lesson '{name}' at step {step + 1}", f"{name}.learning_rate", rate)
        self._left_out = 0 if able else self._left_out + 1
        require_few_left_out(self._left_out, f"lesson '{name}' at step {step + 1}", f"{name}.learning_rate", rate)
        if able:
            optimizer.step()
        return mean

    def _log(
        self,
        log: MetricLog,
        lesson: int,
        done: int,
        loss: float,
        optimizer: torch.optim.Optimizer,
        speed: float,
    ) -> None:
        name, before = STAGES[lesson], self._steps_before(lesson)
        rate = optimizer.param_groups[0]["lr"]
        values = {"loss": loss, "rate": rate, "questions_per_second": round(speed)}
        spent = {
            "seconds": round(time.perf_counter() - self._began, 1)
        }  # since the features were there, if never stopped
        log.log(before + done, {f"{name}/{what}": value for what, value in values.items()} | spent)
        self._run.report(before + done, sum(self._lengths))

    def _steps_before(self, lesson: int) -> int:
        return sum(self._lengths[:lesson])

    def _save(self, progress: CurriculumProgress, moments: Tensors) -> None:
        reached = Reached(asdict(progress), moments, self._curriculum.memory())
        led(lambda: self._checkpoint.save(self._reasoner, reached))

    def _resume(self) -> tuple[CurriculumProgress, Tensors]:
        reached = self._checkpoint.resume(self._reasoner)
        if reached is None:
            return CurriculumProgress(), {}
        self._curriculum.recall(reached.memory)
        return CurriculumProgress(reached.facts["lesson"], reached.facts["step"]), reached.moments
