"""Ctrl-C (SIGINT) and SIGTERM, handled instead of obeyed at once."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def handling(handle: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call `handle` at both signals within; the handlers from before are back afterwards. Python allows handlers in the main
    thread only: elsewhere signals are left alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
