"""Ctrl-C (SIGINT) and SIGTERM, remembered instead of obeyed at once, so that a training can write its checkpoint first."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_STOPPING: Final = b"\nStopping after this step. Press Ctrl-C again to stop at once, without its checkpoint.\n"


class StopRequest:
    """The first signal that asked to stop. A second Ctrl-C raises KeyboardInterrupt as usual."""

    def __init__(self) -> None:
        self.signal: int | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle both signals within; the handlers from before are back afterwards. Python allows handlers in the main
        thread only: elsewhere signals are left alone."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._handle) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = number
            os.write(2, _STOPPING)  # print() may not be entered again from a handler
        elif number == signal.SIGINT and not _launched():
            raise KeyboardInterrupt


def _launched() -> bool:
    """Whether torchrun started this process: it passes on a Ctrl-C that the terminal has sent already."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1
