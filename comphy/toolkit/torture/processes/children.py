"""Commands in processes of their own, which may be killed before their n-th file operation or start at a barrier.

They are forked from a server that has imported the toolkit once, so that a trial does not spend its time on imports.
"""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any, Final

_CHANGES: Final = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink"})
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PRELOADED: Final = ["comphy.toolkit.torture.processes.preloaded"]
HANG_S: Final = 900  # only a process that hangs takes so long
Job = Callable[[Path], None]


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative: by a signal), what it printed, and how many operations it had done."""

    code: int
    printed: str
    operations: int
    seconds: float

    @property
    def traceback(self) -> bool:
        return "Traceback" in self.printed


class FileOperations:
    """Counts what a process does to files of a folder, and kills it before the one with a given number. An audit hook."""

    def __init__(self, folder: Path, kill_at: int | None) -> None:
        self._folder = str(folder)
        self._kill_at = kill_at
        self.count = 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        written = event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
        if not (written or event in _CHANGES) or not isinstance(arguments[0], str | os.PathLike):
            return
        if not os.fspath(arguments[0]).startswith(self._folder):
            return
        self.count += 1
        if self.count == self._kill_at:
            os.killpg(0, signal.SIGKILL)


class Child:
    """A job that runs in a process group of its own. What it prints goes to a log."""

    def __init__(self, job: Job, out: Path, log: Path, kill_at: int | None = None, barrier: Any = None) -> None:
        self._log = log
        self._begun = time.monotonic()
        self._process: ForkServerProcess = context().Process(target=_run, args=(job, out, log, kill_at, barrier))
        self._process.start()

    def kill(self) -> None:
        """Kill it and whatever it has started."""
        assert self._process.pid is not None
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:  # not a group of its own yet, or over
            self._process.kill()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it has ended within so many seconds."""
        self._process.join(seconds)
        return self._process.exitcode is not None

    def ended(self) -> Ended:
        """How it ended; one that hangs is killed."""
        if not self.wait(HANG_S):
            self.kill()
            self.wait()
        assert self._process.exitcode is not None
        printed = self._log.read_text(errors="replace") if self._log.exists() else ""
        operations = self._log.with_suffix(".operations")
        count = int(operations.read_text()) if operations.exists() else 0
        return Ended(self._process.exitcode, printed, count, time.monotonic() - self._begun)


def context() -> ForkServerContext:
    """Of the server that processes are forked from; it is started once."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(_PRELOADED)
    return found


def run_together(jobs: Sequence[Job], out: Path, logs: Path) -> list[Ended]:
    """Jobs in one folder that begin at the same moment."""
    barrier = context().Barrier(len(jobs))
    children = [Child(job, out, logs / f"{number}.log", barrier=barrier) for number, job in enumerate(jobs)]
    return [child.ended() for child in children]


def _run(job: Job, out: Path, log: Path, kill_at: int | None, barrier: Any) -> None:
    """What a child does. It leads a process group, so that all it starts is killed with it."""
    os.setsid()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    operations = FileOperations(out, kill_at)
    if barrier is not None:
        barrier.wait()
    sys.addaudithook(operations)
    try:
        job(out)
    finally:
        log.with_suffix(".operations").write_text(str(operations.count))
