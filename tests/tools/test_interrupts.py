"""Ctrl-C on a command that is at work: it says what was kept and how to go on, and leaves no process behind."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.leftovers import left_behind
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.bullet, pytest.mark.slow]
# `comphy` with a line of progress every 0.2 s instead of 10 s.
COMPHY = (
    "from comphy import progress; progress.plain_lines.__defaults__ = (0.2,); from comphy.cli.app import main; main()"
)


def press_ctrl_c(group: int) -> None:
    os.killpg(group, signal.SIGINT)


def interrupted(
    arguments: list[object], folder: Path, at_work: str, stop: Callable[[int], None] = press_ctrl_c
) -> subprocess.CompletedProcess[str]:
    """Start a command in a process group, as a terminal does; when a line or file of its work appears, stop it."""
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", COMPHY, *map(str, arguments)],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_heed_interrupts,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        wait_until(lambda: at_work in log.read_text() or list(folder.glob(at_work)) or process.poll() is not None)
        assert process.poll() is None, process.stderr and process.stderr.read()
        stop(process.pid)
        _, errors = process.communicate()
    wait_until(lambda: not left_behind(process.pid))  # what tracks shared resources outlives its parent for a moment
    return subprocess.CompletedProcess(process.args, process.returncode, log.read_text(), errors)


def _heed_interrupts() -> None:
    """Tests that run in the background of a shell inherit an ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(
    ("arguments", "at_work", "told"),
    [
        (
            ["generate", "comphy", "--sets", 500, "--render", "none", "--out", "{}/d"],
            "d/progress",
            "sets that were fin",
        ),
        (
            ["generate", "comphy", "--sets", 500, "--render", "none", "--workers", 2, "--out", "{}/d"],
            "d/progress/*",
            "sets that were finished are kept",
        ),
        (
            ["reproduce", "--sets", 500, "--out", "{}/r"],
            "r/data/progress/*",
            "The steps that were finished are kept",
        ),
        (["phyre", "simulate", "--actions", 10, "--cache", "{}/c"], "c/*/*", "What was simulated is kept"),
        (["phyre", "build", "--tier", "two_balls", "--out", "{}/b"], "b/*", "What was tried is kept"),
        (
            ["phyre", "evaluate", "--agent", "mem", "--actions", 10, "--workers", 2, "--cache", "{}/c"],
            "c/*/*",
            "What was simulated to learn from and the last checkpoint are kept",
        ),
        (["phyre", "check", "--workers", 2], "checking:", "The list of tasks is unchanged"),
        (["phyq", "solve", "11.1", "--games", 100000, "--seed", 1], "trying shots:", "Nothing was changed"),
    ],
)
def test_what_was_kept_is_told(arguments: list[object], at_work: str, told: str, tmp_path: Path) -> None:
    result = interrupted([str(one).replace("{}", str(tmp_path)) for one in arguments], tmp_path, at_work)
    assert result.returncode == 130, result.stderr
    assert result.stderr.strip().startswith("interrupted: ") and told in result.stderr
    assert "Traceback" not in result.stderr + result.stdout


def test_termination_is_told_like_an_interrupt(tmp_path: Path) -> None:
    """Schedulers end jobs by SIGTERM, which reaches one process alone."""
    arguments = ["generate", "comphy", "--sets", 500, "--render", "none", "--workers", 2, "--out", tmp_path / "d"]
    result = interrupted(arguments, tmp_path, "d/progress/*", lambda group: os.kill(group, signal.SIGTERM))
    assert result.returncode == 143, result.stderr
    assert result.stderr.strip().startswith("terminated: ") and "sets that were finished are kept" in result.stderr
    assert "Traceback" not in result.stderr + result.stdout and "leaked" not in result.stderr


def test_stability_is_kept(small_dataset: Path, tmp_path: Path) -> None:
    shutil.copytree(small_dataset, tmp_path / "d")
    arguments = ["stability", tmp_path / "d", "--split", "train", "--runs", 100000, "--workers", 2]
    result = interrupted(arguments, tmp_path, "sets of train")
    assert result.returncode == 130, result.stderr
    assert (
        result.stderr.strip()
        == "interrupted: The sets that were measured are kept; run the same command again to go on."
    )
