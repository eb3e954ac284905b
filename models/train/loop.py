"""The loop of steps under every training: detector, Blind-LSTM, parser, reasoner and puzzle scorers."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import torch
from torch import Tensor, nn

from models.train.distributed import average_gradients, mean_over_processes, on_main
from models.train.finite import require_few_skipped, require_finite
from models.train.run import Run

LOSS: Final = "loss"  # the one of a step's losses that is minimised
CHECKPOINT_SECONDS: Final = 120.0  # of work that a killed run loses at most


class CheckpointTimer:
    """Whether the last checkpoint is older than `CHECKPOINT_SECONDS`."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._saved = time.monotonic()

    def is_due(self) -> bool:
        return time.monotonic() - self._saved >= CHECKPOINT_SECONDS


class Training(Protocol):
    """What differs between trainings. Steps count from 0; `done` is how many there have been."""

    optimizer: torch.optim.Optimizer

    def learning_rate(self, peak: float, step: int) -> float:
        """Of a group of parameters at a step, from the rate that its group began with."""
        ...

    def losses(self, step: int) -> Mapping[str, Tensor]:
        """By name: `loss` is minimised; the others, its parts, are checked and logged with it."""
        ...

    def record(self, done: int, values: Mapping[str, float]) -> None:
        """Log, validate, keep the best weights: called after every step whose losses and `gradient_norm` were read."""
        ...

    def finished(self, done: int) -> bool: ...

    def save(self, done: int) -> None:
        """Write the checkpoint."""
        ...


@dataclass(frozen=True)
class LoopSettings:
    """`name` and `learning_rate_key` are for messages. Losses and gradients are read every `check_every` steps and at the
    end: each time the CPU waits for the GPU. `distributed`: all processes take the steps together."""

    name: str
    steps: int  # at most
    checkpoint_every: int
    max_gradient_norm: float
    learning_rate_key: str
    check_every: int = 1
    distributed: bool = False


def run_steps(training: Training, settings: LoopSettings, run: Run, done: int) -> int:
    """Train from step `done` on until finished or asked to stop; at least one step, if one is left.

    A checkpoint is written every `checkpoint_every` steps, at the end, when the run must stop (out of time, SIGINT or
    SIGTERM) and whenever the last one is two minutes old. A step whose gradients are not finite is skipped.

    Returns:
        The number of steps done.
    """
    optimizer = training.optimizer
    peaks = [float(group["lr"]) for group in optimizer.param_groups]
    parameters: list[nn.Parameter] = [one for group in optimizer.param_groups for one in group["params"]]
    skipped, timer = 0, CheckpointTimer()
    with run.stop.listening():
        while not training.finished(done):
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = training.learning_rate(peak, done)
            losses = training.losses(done)
            optimizer.zero_grad(set_to_none=True)
            losses[LOSS].backward()
            if settings.distributed:
                average_gradients(parameters)
            norm = nn.utils.clip_grad_norm_(parameters, settings.max_gradient_norm)
            done += 1
            checked = done % settings.check_every == 0 or done == settings.steps
            values = _read(losses, norm, settings, done, peaks[0]) if checked else {}
            if not checked or math.isfinite(values["gradient_norm"]):
                optimizer.step()
                skipped = 0
            else:
                skipped += 1
                require_few_skipped(skipped, _where(settings, done), settings.learning_rate_key, peaks[0])
            if checked:
                training.record(done, values)
            finished = training.finished(done)
            stop, due = _decide(settings, lambda: (run.should_stop(), timer.is_due()))
            if finished or stop or due or done % settings.checkpoint_every == 0:
                training.save(done)
                timer.restart()
            run.report(done, settings.steps)
            if stop:
                break
    return done


def _read(
    losses: Mapping[str, Tensor], norm: Tensor, settings: LoopSettings, done: int, peak: float
) -> dict[str, float]:
    """Losses and the gradients' norm as numbers, over all processes; raises ComphyError if a loss is not finite."""
    values = {name: float(loss.detach()) for name, loss in losses.items()}
    if settings.distributed:
        values = {name: mean_over_processes(value) for name, value in values.items()}
    require_finite(values, _where(settings, done), settings.learning_rate_key, peak)
    return values | {"gradient_norm": float(norm)}


def _where(settings: LoopSettings, done: int) -> str:
    return f"at step {done} of {settings.name}"


def _decide(settings: LoopSettings, question: Callable[[], tuple[bool, bool]]) -> tuple[bool, bool]:
    """What depends on clock and signals is decided once for all processes."""
    return on_main(question) if settings.distributed else question()
