"""Runs commands of the toolkit in processes of their own, and heeds Ctrl-C and SIGTERM between and during them."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, Final

from comphy.errors import ComphyError
from comphy.signals import handling

THREADS: Final = "OMP_NUM_THREADS"  # of torch and NumPy in a process; where it is not set, all cores


def shown(arguments: Sequence[str]) -> str:
    """A command as a user would type it."""
    return shlex.join(("comphy", *arguments))


class CommandProcesses:
    """One command at a time, or several in threads, which share the cores: with as many threads as cores each, they would
    wait for each other. A signal is remembered until the commands have ended in their own way: a terminal sends Ctrl-C to
    them as well, and SIGTERM is passed on to them."""

    def __init__(self, parallel: int = 1) -> None:
        """`parallel`: so many commands at most run at a time."""
        self._environment = {THREADS: str(max(1, (os.cpu_count() or 1) // parallel))} if parallel > 1 else {}
        self._signal: int | None = None
        self._running: set[subprocess.Popen[bytes]] = set()

    def __call__(self, arguments: Sequence[str], log: Path | None = None) -> None:
        """Run `comphy …` to its end. What it says goes to the terminal, or to a file.

        Raises:
            ComphyError: it failed; it has told why itself.
            KeyboardInterrupt: Ctrl-C has come.
            SystemExit: SIGTERM has come.
        """
        self._stop_if_asked()
        with contextlib.nullcontext() if log is None else _opened(log) as told:
            words, environment = [sys.executable, "-m", "comphy.cli", *arguments], {**self._environment, **os.environ}
            process = subprocess.Popen(words, stdout=told, stderr=told, env=environment)
        self._running.add(process)
        if self._signal == signal.SIGTERM:  # came before there was a process to pass it on to
            process.terminate()
        code = process.wait()
        self._running.discard(process)
        if code:
            self._stop_if_asked()
            named = "it names" if log is None else f"{log} names"
            raise ComphyError(
                f"{shown(arguments)}: ended with exit code {code}. What was finished is kept; mend what {named}, and run "
                "the same command again to go on."
            )

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Remember signals within, and stop at the end if one has come."""
        with handling(self._remember):
            yield
        self._stop_if_asked()

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self._signal = number
        if number == signal.SIGTERM:
            for process in tuple(self._running):
                process.terminate()

    def _stop_if_asked(self) -> None:
        if self._signal == signal.SIGINT:
            raise KeyboardInterrupt
        if self._signal is not None:
            raise SystemExit(128 + self._signal)


def _opened(log: Path) -> IO[bytes]:
    log.parent.mkdir(parents=True, exist_ok=True)
    return log.open("ab")
