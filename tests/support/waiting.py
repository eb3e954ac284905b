"""Waiting for a state itself instead of for some seconds: no test depends on the clock."""

import time
from collections.abc import Callable
from typing import Final

HANG_S: Final = 1800  # only what hangs takes so long


def wait_until(condition: Callable[[], object]) -> None:
    """Until it is true."""
    hangs_at = time.monotonic() + HANG_S
    while not condition():
        assert time.monotonic() < hangs_at, "what is waited for hangs"
        time.sleep(0.02)
