"""Runs the curriculum: lesson after lesson, step after step, to be stopped and gone on with at any point."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from accelerate import PartialState
from accelerate.utils import reduce
from torch import nn

from comphy.errors import ComphyError, DatasetError
from models.pcr.checkpoint import MODEL, save_reasoner
from models.pcr.config import PCRConfig
from models.pcr.curriculum import LESSONS, Course, Curriculum, parameters_of, rate_at
from models.pcr.reasoner import Reasoner
from models.train.checkpoint import (
    Tensors,
    load_optimizer,
    load_tensors,
    load_weights,
    optimizer_tensors,
    prefixed,
    save_tensors,
    section,
)
from models.train.metrics import MetricLog
from models.train.run import Run

PROGRESS: Final = "progress.safetensors"


@dataclass(frozen=True)
class Progress:
    """The lesson that is being taught, and how many of its steps are done."""

    lesson: int = 0
    step: int = 0

    @property
    def finished(self) -> bool:
        return self.lesson >= len(LESSONS)


class Teacher:
    """`examples` is the fingerprint of what is taught: a checkpoint of other examples is refused."""

    def __init__(self, config: PCRConfig, run: Run, reasoner: Reasoner, curriculum: Curriculum, examples: str) -> None:
        self._config, self._run, self._reasoner, self._curriculum = config, run, reasoner, curriculum
        self._examples = examples
        self._path = run.out / PROGRESS
        self._lengths = [int(getattr(config, name).steps) for name in LESSONS]

    def teach(self) -> Progress:
        """Go on from the last checkpoint until all lessons are done or the time is up."""
        progress, moments = self._resume()
        with MetricLog(self._run.out, self._steps_before(progress.lesson) + progress.step) as log:
            while not progress.finished:
                course = self._curriculum.course(LESSONS[progress.lesson])
                reached = self._teach_lesson(course, progress, moments, log)
                if reached < course.steps:
                    return Progress(progress.lesson, reached)
                progress, moments = Progress(progress.lesson + 1), {}
                self._save(progress, moments)
                if self._run.time_is_up() and not progress.finished:
                    return progress
        if PartialState().is_main_process:
            save_reasoner(self._run.out / MODEL, self._reasoner)
        return progress

    def _teach_lesson(self, course: Course, progress: Progress, moments: Tensors, log: MetricLog) -> int:
        """The number of steps that are done when the lesson or the time is over."""
        optimizer = self._optimizer(course, moments)
        self._reasoner.train()
        losses: list[float] = []
        for step in range(progress.step, course.steps):
            losses.append(self._step(course, optimizer, progress.lesson, step))
            done = step + 1
            if done % self._config.log_every == 0 or done == course.steps:
                self._log(log, progress.lesson, done, sum(losses) / len(losses), optimizer)
                losses = []
            stop = self._run.time_is_up() and done < course.steps
            if stop or done % self._config.checkpoint_every == 0:
                self._save(Progress(progress.lesson, done), optimizer_tensors(optimizer))
            if stop:
                return done
        return course.steps

    def _optimizer(self, course: Course, moments: Tensors) -> torch.optim.Optimizer:
        groups = [{"params": parameters, "lr": rate, "top": rate} for parameters, rate in course.groups]
        optimizer = torch.optim.AdamW(groups, weight_decay=self._config.weight_decay)
        if moments:
            load_optimizer(optimizer, moments)
        return optimizer

    def _step(self, course: Course, optimizer: torch.optim.Optimizer, lesson: int, step: int) -> float:
        for group in optimizer.param_groups:
            group["lr"] = group["top"] * rate_at(step, course.steps)
        with _seeded(self._config.seed, lesson, step):
            loss = course.loss(step)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        _share_gradients(course)
        nn.utils.clip_grad_norm_(list(parameters_of(course)), self._config.max_gradient_norm)
        self._require_finite(loss.item(), lesson, step)
        optimizer.step()
        return loss.item()

    def _require_finite(self, loss: float, lesson: int, step: int) -> None:
        if not math.isfinite(loss):
            name = LESSONS[lesson]
            rate = getattr(self._config, name).learning_rate
            raise ComphyError(
                f"the loss is no longer finite in lesson '{name}' at step {step + 1} ({loss:g}). The last checkpoint "
                f"is kept; lower {name}.learning_rate (now {rate:g}) and train into another --out."
            )

    def _log(self, log: MetricLog, lesson: int, done: int, loss: float, optimizer: torch.optim.Optimizer) -> None:
        name, before = LESSONS[lesson], self._steps_before(lesson)
        log.log(before + done, {f"{name}/loss": loss, f"{name}/rate": optimizer.param_groups[0]["lr"]})
        self._run.report(before + done, sum(self._lengths))

    def _steps_before(self, lesson: int) -> int:
        return sum(self._lengths[:lesson])

    def _save(self, progress: Progress, moments: Tensors) -> None:
        if not PartialState().is_main_process:
            return
        tensors = prefixed("model", self._reasoner.state_dict()) | prefixed("optimizer", moments)
        tensors |= prefixed("memory", self._curriculum.memory())
        facts = {"lesson": progress.lesson, "step": progress.step, "examples": self._examples}
        save_tensors(self._path, tensors, facts)

    def _resume(self) -> tuple[Progress, Tensors]:
        if not self._path.is_file():
            return Progress(), {}
        tensors, facts = load_tensors(self._path)
        load_weights(self._reasoner, section("model", tensors), self._path)
        if facts.get("examples") != self._examples:
            raise DatasetError(
                f"{self._path}: the checkpoint was trained on other sets or questions (another --data or cache, or one "
                "that has changed since). Choose another --out to train anew."
            )
        self._curriculum.recall(section("memory", tensors))
        return Progress(facts["lesson"], facts["step"]), section("optimizer", tensors)


def _share_gradients(course: Course) -> None:
    """Of several processes, each with its own batch, all take the same step."""
    if PartialState().num_processes == 1:
        return
    for parameter in parameters_of(course):
        gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        parameter.grad = reduce(gradient, reduction="mean")


@contextmanager
def _seeded(seed: int, lesson: int, step: int) -> Iterator[None]:
    """Dropout of a step depends on the step alone."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(int(np.random.SeedSequence((seed, lesson, step)).generate_state(1)[0]))
        yield
