"""Two real processes: they agree, and one of them writes."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from models.train.distributed import average_gradients, is_main, mean_over_processes, on_main
from models.train.metrics import METRICS
from tests.support.launching import launch

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("together")
    result = launch(2, "tests/support/together.py", folder)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def both(out: Path) -> list[dict[str, Any]]:
    return [json.loads((out / f"process_{number}.json").read_text()) for number in (0, 1)]


def test_one_of_them_is_the_main_process(both: list[dict[str, Any]]):
    assert [one["is_main"] for one in both] == [True, False]
    assert [one["processes"] for one in both] == [2, 2]


def test_results_of_the_main_process_reach_all(out: Path, both: list[dict[str, Any]]):
    assert [one["result"] for one in both] == [0, 0]
    assert [one["file"] for one in both] == ["process 0\n"] * 2
    assert (out / METRICS).read_text() == '{"step": 1, "process": 0}\n'


def test_weights_are_the_main_processs_and_gradients_the_mean_of_both(both: list[dict[str, Any]]):
    """A gradient that one process lacks counts as zero; one that both lack stays away, or it would decay the weights."""
    for one in both:
        assert one["weights"] == [5.0] * 3
        assert one["gradients"] == [[1.5, 3.0], [2.0, 2.0], None]
        assert one["mean"] == 1.5


def test_alone_nothing_changes():
    parameter = nn.Parameter(torch.zeros(1))
    parameter.grad = gradient = torch.tensor([3.0])
    average_gradients([parameter])
    assert (
        parameter.grad is gradient
        and is_main()
        and mean_over_processes(0.1) == 0.1
        and on_main(lambda: "done") == "done"
    )


def test_a_task_for_one_process_says_so(out: Path, both: list[dict[str, Any]]):
    for one in both:
        assert "task random: expected one process (found 2 that were started together)" in one["refused"]
    assert not (out / "run").exists()


def test_one_process_tells_its_error_and_the_others_that_they_cannot_go_on(tmp_path: Path):
    """In a sentence, whether the main process fails or another one is gone while this one waits for it."""
    result = launch(2, "tests/support/apart.py", tmp_path)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    main, other = (json.loads((tmp_path / f"process_{number}.json").read_text()) for number in (0, 1))
    assert main[0] == ["ConfigError", "The config is wrong."]
    assert other == [["OtherProcessFailed", "The main process of this training has failed; its message says why."]]
    assert main[1][0] == "OtherProcessFailed" and "Another process of this training has ended" in main[1][1]
