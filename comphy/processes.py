"""Processes that share work."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def process_pool(workers: int, opening: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Processes that start from nothing, call `opening` with what is given, and end with the one that started them."""
    return ProcessPoolExecutor(workers, get_context("spawn"), _open, (opening, given))


def _open(opening: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    _exit_with_parent()
    if opening is not None:
        opening(*given)


def _exit_with_parent() -> None:
    """End this process soon after the one that started it, or a killed job would leave its workers waiting forever."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
