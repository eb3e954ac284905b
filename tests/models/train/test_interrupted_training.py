"""Training as a user starts and interrupts it: a real process, real signals, and the same weights in the end."""

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from comphy.dataset.questions import read_questions, split_file
from models.baselines.examples import labelled
from models.tasks import load_task, train
from models.train.checkpoint import load_tensors
from models.train.run import Run
from tests.support.waiting import HANG_S, wait_until

CONFIG = "configs/baselines/blind_lstm.yaml"
# So many epochs that it never ends by itself, and so small batches that most stops are within an epoch.
BATCH = 4
ENDLESS = ["epochs=1000000", "patience=1000000", f"batch_size={BATCH}", "model.hidden=4", "model.embedding=4"]
CHECKPOINT = "checkpoint.safetensors"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_a_checkpoint_from_which_the_same_weights_come(
    dataset: Path, tmp_path: Path, number: signal.Signals
):
    out = tmp_path / "run"
    command = [sys.executable, "tools/train.py", CONFIG, *ENDLESS, "--data", str(dataset), "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: process.poll() is not None or (out / CHECKPOINT).is_file())
        process.send_signal(number)
        printed, errors = process.communicate(timeout=HANG_S)
    finally:
        process.kill()
    assert process.returncode == 128 + number, errors
    epoch, batch = reached(out)
    note = f"Interrupted after {epoch} epochs, at batch {batch} of the next: checkpoint in {out}; "
    assert note + "run the same command to go on." in printed
    assert "Stopping after this step" in errors and "Traceback" not in errors
    batches = batches_of(dataset)
    goal = epoch * batches + batch + 5
    stop_at(goal, dataset, out)
    stop_at(goal, dataset, tmp_path / "whole")
    assert reached(out) == reached(tmp_path / "whole") == divmod(goal, batches)
    one, other = (load_tensors(folder / CHECKPOINT)[0] for folder in (out, tmp_path / "whole"))
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def stop_at(step: int, dataset: Path, out: Path) -> None:
    """Train here, and interrupt it so that it stops after so many steps."""

    def interrupt(done: int, total: int) -> None:
        if done == step - 1:
            os.kill(os.getpid(), signal.SIGINT)

    outcome = train(*load_task(Path(CONFIG), ENDLESS), Run(dataset, out, report=interrupt))
    assert outcome.interrupted_by == signal.SIGINT


def reached(out: Path) -> tuple[int, int]:
    state = load_tensors(out / CHECKPOINT)[1]["state"]
    return state["epoch"], state["batch"]


def batches_of(dataset: Path) -> int:
    """Of an epoch."""
    examples = labelled(read_questions(split_file(dataset, "train", answers=True)), "train")
    return math.ceil(len(examples) / BATCH)
