"""Commands in processes of their own: failures, Ctrl-C and SIGTERM."""

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from comphy.errors import ComphyError
from comphy.toolkit.reproduction.processes import CommandProcesses, shown


def in_place_of_python(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Commands run this shell script."""
    file = folder / "python"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(file))


def test_a_command_is_shown_as_it_is_typed() -> None:
    assert shown(("train", "pcr/tiny", "motion.horizons=[3]")) == "comphy train pcr/tiny 'motion.horizons=[3]'"


def test_the_commands_of_the_toolkit_are_run(capfd: pytest.CaptureFixture[str]) -> None:
    CommandProcesses()(["--version"])
    assert capfd.readouterr().out.startswith("comphy ")


@pytest.mark.parametrize(("cores", "parallel", "threads"), [(16, 1, "all"), (16, 4, "4"), (2, 3, "1")])
def test_commands_at_a_time_share_the_cores(
    cores: int, parallel: int, threads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place_of_python(tmp_path, monkeypatch, "echo ${OMP_NUM_THREADS:-all}")
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    CommandProcesses(parallel)(["train"], tmp_path / "log")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    CommandProcesses(parallel)(["train"], tmp_path / "log")
    assert (tmp_path / "log").read_text().split() == [threads, "7"]


def test_a_failure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_python(tmp_path, monkeypatch, "exit 3")
    with pytest.raises(ComphyError, match=r"comphy perceive out: ended with exit code 3.*run the same command again"):
        CommandProcesses()(["perceive", "out"])


def test_ctrl_c_waits_for_the_command_and_stops_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command ends in its own way, here with success: it was done."""
    done = tmp_path / "done"
    in_place_of_python(tmp_path, monkeypatch, f"kill -INT $PPID; touch {done}")
    processes = CommandProcesses()
    with pytest.raises(KeyboardInterrupt), processes.listening():
        processes(["generate"])
        assert done.exists()
        done.unlink()
        processes(["perceive"])
    assert not done.exists()
    assert signal.getsignal(signal.SIGINT) is not processes._remember


def test_ctrl_c_at_the_last_command_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_python(tmp_path, monkeypatch, "kill -INT $PPID; exit 130")
    processes = CommandProcesses()
    with pytest.raises(KeyboardInterrupt), processes.listening():
        processes(["train"])


def test_sigterm_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_python(tmp_path, monkeypatch, "kill -TERM $PPID; exec sleep 600")
    processes = CommandProcesses()
    with pytest.raises(SystemExit) as stopped, processes.listening():
        processes(["train"])
    assert stopped.value.code == 143


def test_a_signal_between_two_commands_is_heeded() -> None:
    processes = CommandProcesses()
    with pytest.raises(SystemExit), processes.listening():
        os.kill(os.getpid(), signal.SIGTERM)
        processes(["generate"])


def test_what_a_command_says_may_go_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_python(tmp_path, monkeypatch, "echo said; echo warned >&2; exit 4")
    log = tmp_path / "logs" / "train.log"
    with pytest.raises(ComphyError, match=r"mend what .*train\.log names"):
        CommandProcesses()(["train"], log)
    assert log.read_text().splitlines() == ["said", "warned"]


def test_sigterm_is_passed_on_to_all_that_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third command sends it when the other two have begun."""
    script = f"""case "$3" in
third) while [ "$(ls {tmp_path}/began_* | wc -l)" -lt 2 ]; do sleep 0.01; done; kill -TERM $PPID; exec sleep 600;;
*) touch {tmp_path}/began_$3; exec sleep 600;;
esac"""
    in_place_of_python(tmp_path, monkeypatch, script)
    processes = CommandProcesses()
    with pytest.raises(SystemExit), processes.listening(), ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(processes, [name], tmp_path / f"{name}.log") for name in ("first", "second", "third")]
        ended = [run.exception() for run in runs]
        assert [type(one) for one in ended] == [SystemExit] * 3
