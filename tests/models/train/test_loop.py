"""The loop under all trainings, with a training so small that every number is known."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from comphy.errors import ComphyError
from models.train import loop
from models.train.loop import LOSS, LoopSettings, run_steps
from models.train.run import Run

SETTINGS = LoopSettings("the slope", 6, 4, max_gradient_norm=0.5, learning_rate_key="slope.rate")


@dataclass
class Slope:
    """Goes down a straight slope, whose gradient is `gradients` of the step, or 1."""

    steps: int = 6
    gradients: Mapping[int, float] = field(default_factory=dict)
    losses_at: Mapping[int, float] = field(default_factory=dict)
    peak: float = 0.1

    def __post_init__(self) -> None:
        self.place = nn.Parameter(torch.zeros(()))
        self.optimizer: torch.optim.Optimizer = torch.optim.SGD([self.place], self.peak)
        self.recorded: dict[int, dict[str, float]] = {}
        self.saved: list[int] = []

    def learning_rate(self, peak: float, step: int) -> float:
        return peak * (step + 1)

    def losses(self, step: int) -> Mapping[str, Tensor]:
        loss = self.place * self.gradients.get(step, 1.0)
        return {LOSS: loss + self.losses_at.get(step, 0.0), "part": loss}

    def record(self, done: int, values: Mapping[str, float]) -> None:
        self.recorded[done] = dict(values)

    def finished(self, done: int) -> bool:
        return done >= self.steps

    def save(self, done: int) -> None:
        self.saved.append(done)


def run_in(folder: Path, max_minutes: float | None = None, **more: object) -> Run:
    return Run(folder, folder, max_minutes, **more)  # type: ignore[arg-type]


def test_steps_follow_the_schedule_and_clipped_gradients(tmp_path: Path):
    slope, reports = Slope(), []
    run = run_in(tmp_path, report=lambda done, total: reports.append((done, total)))
    assert run_steps(slope, SETTINGS, run, 0) == 6
    assert slope.place.item() == pytest.approx(-0.5 * 0.1 * (1 + 2 + 3 + 4 + 5 + 6)), "gradients of 1 become 0.5"
    assert slope.recorded[1] == {LOSS: 0.0, "part": 0.0, "gradient_norm": 1.0} and list(slope.recorded) == [
        *range(1, 7)
    ]
    assert slope.saved == [4, 6] and reports == [(done, 6) for done in range(1, 7)]


def test_it_begins_where_it_is_told_and_does_nothing_when_finished(tmp_path: Path):
    slope = Slope()
    assert run_steps(slope, SETTINGS, run_in(tmp_path), 5) == 6
    assert slope.place.item() == pytest.approx(-0.5 * 0.6) and slope.saved == [6]
    assert run_steps(slope, SETTINGS, run_in(tmp_path), 6) == 6 and slope.saved == [6]


def test_out_of_time_one_step_is_taken_and_kept(tmp_path: Path):
    slope = Slope()
    assert run_steps(slope, SETTINGS, run_in(tmp_path, max_minutes=0), 0) == 1 and slope.saved == [1]


def test_a_checkpoint_is_due_after_some_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 0.0)
    slope = Slope()
    run_steps(slope, SETTINGS, run_in(tmp_path), 0)
    assert slope.saved == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_after_the_step_and_keeps_it(tmp_path: Path, number: signal.Signals):
    slope, before = Slope(), signal.getsignal(number)
    run = run_in(tmp_path, report=lambda done, total: os.kill(os.getpid(), number) if done == 2 else None)
    assert run_steps(slope, SETTINGS, run, 0) == 3, "the signal comes after the second step was decided on"
    assert slope.saved == [3] and run.interrupted_by == number
    outcome = run.stopped("at step 3")
    assert outcome.note == f"Interrupted at step 3: checkpoint in {tmp_path}; run the same command to go on."
    assert outcome.exit_code == 128 + number and signal.getsignal(number) is before


def test_a_second_interrupt_ends_at_once(tmp_path: Path):
    slope, before = Slope(), signal.getsignal(signal.SIGINT)

    def twice(done: int, total: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_steps(slope, SETTINGS, run_in(tmp_path, report=twice), 0)
    assert slope.saved == [] and signal.getsignal(signal.SIGINT) is before


def test_a_step_with_gradients_that_are_not_finite_is_skipped(tmp_path: Path):
    slope = Slope(gradients={1: float("nan"), 2: float("inf")}, losses_at={})
    slope.losses = lambda step: {LOSS: _with_gradient(slope.place, slope.gradients.get(step, 1.0))}  # type: ignore
    assert run_steps(slope, SETTINGS, run_in(tmp_path), 0) == 6
    assert slope.place.item() == pytest.approx(-0.5 * 0.1 * (1 + 4 + 5 + 6))


def test_many_skipped_steps_in_a_row_are_an_error(tmp_path: Path):
    slope = Slope(steps=20)
    slope.losses = lambda step: {LOSS: _with_gradient(slope.place, float("nan"))}  # type: ignore
    with pytest.raises(ComphyError, match=r"11 steps in a row are not finite at step 11 of the slope.*slope\.rate"):
        run_steps(slope, SETTINGS, run_in(tmp_path), 0)


@pytest.mark.parametrize(("every", "at"), [(1, 3), (4, 4)])
def test_a_loss_that_is_not_finite_stops_when_it_is_read(tmp_path: Path, every: int, at: int):
    slope = Slope(losses_at={step: float("inf") for step in range(2, 6)})
    settings = LoopSettings("the slope", 6, 4, 0.5, "slope.rate", check_every=every)
    with pytest.raises(ComphyError, match=rf"no longer finite at step {at} of the slope \(loss inf, part -0.*now 0\.1"):
        run_steps(slope, settings, run_in(tmp_path), 0)
    assert slope.saved == [] and list(slope.recorded) == list(range(every, at, every))


def test_losses_are_read_no_more_often_than_asked(tmp_path: Path):
    slope = Slope()
    run_steps(slope, LoopSettings("the slope", 6, 4, 0.5, "slope.rate", check_every=4), run_in(tmp_path), 0)
    assert list(slope.recorded) == [4, 6]


def _with_gradient(place: nn.Parameter, gradient: float) -> Tensor:
    """A finite loss with a gradient of choice."""
    value = place * 1.0
    value.register_hook(lambda _: torch.tensor(gradient))
    return value
