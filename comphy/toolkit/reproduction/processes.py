"""Runs commands of the toolkit in processes of their own, and heeds Ctrl-C and SIGTERM between and during them."""

import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from comphy.errors import ComphyError

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def shown(arguments: Sequence[str]) -> str:
    """A command as a user would type it."""
    return shlex.join(("comphy", *arguments))


class CommandProcesses:
    """One command at a time. A signal is remembered until the command has ended in its own way: a terminal sends Ctrl-C to
    the command as well, and SIGTERM is passed on to it."""

    def __init__(self) -> None:
        self._signal: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, arguments: Sequence[str]) -> None:
        """Run `comphy …` to its end.

        Raises:
            ComphyError: it failed; it has told why itself.
            KeyboardInterrupt: Ctrl-C has come.
            SystemExit: SIGTERM has come.
        """
        self._stop_if_asked()
        self._process = subprocess.Popen([sys.executable, "-m", "comphy.cli", *arguments])
        if self._signal == signal.SIGTERM:  # came before there was a process to pass it on to
            self._process.terminate()
        code = self._process.wait()
        self._process = None
        if code:
            self._stop_if_asked()
            raise ComphyError(
                f"{shown(arguments)}: ended with exit code {code}. What was finished is kept; mend what it names, and run "
                "the same command again to go on."
            )

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle signals within, and stop at the end if one has come. Python allows handlers in the main thread only."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._remember) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        self._stop_if_asked()

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self._signal = number
        if number == signal.SIGTERM and self._process is not None:
            self._process.terminate()

    def _stop_if_asked(self) -> None:
        if self._signal == signal.SIGINT:
            raise KeyboardInterrupt
        if self._signal is not None:
            raise SystemExit(128 + self._signal)
