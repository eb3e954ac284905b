import json
import sys
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from models.train.metrics import BOARD, METRICS, MetricLog


def steps(folder: Path) -> list[int]:
    return [json.loads(line)["step"] for line in (folder / METRICS).read_text().splitlines()]


def test_going_on_drops_later_steps_and_half_lines(tmp_path: Path):
    with MetricLog(tmp_path, 0) as log:
        for step in (1, 2, 3):
            log.log(step, {"loss": 1 / step})
    with (tmp_path / METRICS).open("a") as file:
        file.write('{"step": 4, "lo')
    with MetricLog(tmp_path, 2) as log:
        log.log(3, {"loss": 0.0})
    assert steps(tmp_path) == [1, 2, 3]
    assert json.loads((tmp_path / METRICS).read_text().splitlines()[-1]) == {"step": 3, "loss": 0.0}


def test_tensorboard_gets_the_same_numbers(tmp_path: Path):
    with MetricLog(tmp_path, 0) as log:
        log.log(1, {"val/loss": 0.5})
        log.log(2, {"val/loss": 0.25})
    events = EventAccumulator(str(tmp_path / BOARD)).Reload()
    assert [(event.step, event.value) for event in events.Scalars("val/loss")] == [(1, 0.5), (2, 0.25)]


def test_tensorboard_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with MetricLog(tmp_path, 0) as log:
        log.log(1, {"loss": 1.0})
    assert steps(tmp_path) == [1] and not (tmp_path / BOARD).exists()
