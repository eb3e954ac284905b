"""Ctrl-C (SIGINT) and SIGTERM, remembered instead of obeyed at once, so that a training can write its checkpoint first."""

import os
import signal
from contextlib import AbstractContextManager
from types import FrameType
from typing import Final

from comphy.signals import handling

_STOPPING: Final = b"\nStopping after this step. Press Ctrl-C again to stop at once, without its checkpoint.\n"


class StopRequest:
    """The first signal that asked to stop. A second Ctrl-C raises KeyboardInterrupt as usual."""

    def __init__(self) -> None:
        self.signal: int | None = None

    def listening(self) -> AbstractContextManager[None]:
        """Remember signals within."""
        return handling(self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = number
            os.write(2, _STOPPING)  # print() may not be entered again from a handler
        elif number == signal.SIGINT and not _launched():
            raise KeyboardInterrupt


def _launched() -> bool:
    """Whether torchrun started this process: it passes on a Ctrl-C that the terminal has sent already."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1
