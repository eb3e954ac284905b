"""Runs the curriculum: lesson after lesson, step after step, to be stopped and gone on with at any point."""

import math
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from accelerate import PartialState
from accelerate.utils import reduce
from torch import Tensor, nn

from comphy.errors import ComphyError, DatasetError
from models.pcr.checkpoint import MODEL, save_reasoner
from models.pcr.config import PCRConfig
from models.pcr.curriculum import LESSONS, Course, Curriculum, parameters_of, rate_at
from models.pcr.reasoner import Reasoner
from models.train.checkpoint import (
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


def teach(config: PCRConfig, run: Run, reasoner: Reasoner, curriculum: Curriculum, examples: str) -> Progress:
    """Go on from the last checkpoint until all lessons are done or the time is up. `examples` is the fingerprint of what
    is taught: a checkpoint of other examples is refused."""
    path = run.out / PROGRESS
    progress, moments = _resume(path, reasoner, examples)
    lengths = [_steps(config, name) for name in LESSONS]
    with MetricLog(run.out, sum(lengths[: progress.lesson]) + progress.step) as log:
        while not progress.finished:
            course = curriculum.course(LESSONS[progress.lesson])
            before = sum(lengths[: progress.lesson])
            report = _reporter(run, before, sum(lengths))
            done = _teach_lesson(config, run, course, progress, moments, log, before, report, reasoner, path, examples)
            if done < course.steps:
                return Progress(progress.lesson, done)
            progress, moments = Progress(progress.lesson + 1), {}
            _save(path, reasoner, moments, progress, examples)
            if run.time_is_up() and not progress.finished:
                return progress
    if PartialState().is_main_process:
        save_reasoner(run.out / MODEL, reasoner)
    return progress


def _teach_lesson(
    config: PCRConfig,
    run: Run,
    course: Course,
    progress: Progress,
    moments: dict[str, Tensor],
    log: MetricLog,
    before: int,
    report: Callable[[int], None],
    reasoner: Reasoner,
    path: Path,
    examples: str,
) -> int:
    """The number of steps that are done when the lesson or the time is over."""
    name = LESSONS[progress.lesson]
    optimizer = torch.optim.AdamW(
        [{"params": parameters, "lr": rate} for parameters, rate in course.groups], weight_decay=config.weight_decay
    )
    if moments:
        load_optimizer(optimizer, moments)
    rates = [rate for _, rate in course.groups]
    reasoner.train()
    total, counted = torch.zeros((), device=next(reasoner.parameters()).device), 0
    for step in range(progress.step, course.steps):
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * rate_at(step, course.steps)
        with _seeded(config.seed, progress.lesson, step):
            loss = course.loss(step)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        _share_gradients(course)
        nn.utils.clip_grad_norm_(list(parameters_of(course)), config.max_gradient_norm)
        optimizer.step()
        total, counted, done = total + loss.detach(), counted + 1, step + 1
        if done % config.log_every == 0 or done == course.steps:
            _require_finite(total.item() / counted, name, done, config)
            log.log(before + done, {f"{name}/loss": total.item() / counted, f"{name}/rate": optimizer.param_groups[0]["lr"]})
            total, counted = torch.zeros_like(total), 0
            report(done)
        stop = run.time_is_up() and done < course.steps
        if stop or done % config.checkpoint_every == 0:
            _require_finite(loss.item(), name, done, config)
            _save(path, reasoner, optimizer_tensors(optimizer), Progress(progress.lesson, done), examples)
        if stop:
            return done
    return course.steps


def _steps(config: PCRConfig, name: str) -> int:
    return int(getattr(config, name).steps)


def _reporter(run: Run, before: int, total: int) -> Callable[[int], None]:
    return lambda done: run.report(before + done, total)


def _share_gradients(course: Course) -> None:
    """Of several processes, each with its own batch, all take the same step."""
    if PartialState().num_processes == 1:
        return
    for parameter in parameters_of(course):
        gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        parameter.grad = reduce(gradient, reduction="mean")


def _require_finite(loss: float, lesson: str, step: int, config: PCRConfig) -> None:
    if not math.isfinite(loss):
        rate = getattr(config, lesson).learning_rate
        raise ComphyError(
            f"the loss is no longer finite in lesson '{lesson}' before step {step} ({loss:g}). The last checkpoint is "
            f"kept; lower {lesson}.learning_rate (now {rate:g}) and train into another --out."
        )


@contextmanager
def _seeded(seed: int, lesson: int, step: int):  # type: ignore[no-untyped-def]
    """Dropout of a step depends on the step alone."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(int(np.random.SeedSequence((seed, lesson, step)).generate_state(1)[0]))
        yield


def _save(path: Path, reasoner: Reasoner, moments: dict[str, Tensor], progress: Progress, examples: str) -> None:
    if not PartialState().is_main_process:
        return
    tensors = prefixed("model", reasoner.state_dict()) | prefixed("optimizer", moments)
    save_tensors(path, tensors, {"lesson": progress.lesson, "step": progress.step, "examples": examples})


def _resume(path: Path, reasoner: Reasoner, examples: str) -> tuple[Progress, dict[str, Tensor]]:
    if not path.is_file():
        return Progress(), {}
    tensors, facts = load_tensors(path)
    load_weights(reasoner, section("model", tensors), path)
    if facts.get("examples") != examples:
        raise DatasetError(
            f"{path}: the checkpoint was trained on other sets or questions (another --data or cache, or one that has "
            "changed since). Choose another --out to train anew."
        )
    return Progress(facts["lesson"], facts["step"]), section("optimizer", tensors)
