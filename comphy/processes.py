"""Processes that share work."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import Any, TypeVar, cast

from comphy.errors import ComphyError

T = TypeVar("T")
R = TypeVar("R")


def process_pool(workers: int, opening: Callable[..., None] | None = None, *given: Any) -> "ProcessPool":
    """Processes that start from nothing, call `opening` with what is given, and end with the one that started them.

    Ctrl-C reaches that one alone; it then ends the others at once, whatever they are at."""
    return ProcessPool(workers, _Context(), _open, (opening, given))


def in_chunks(
    work: Callable[[Sequence[T]], list[R]],
    items: Sequence[T],
    size: int,
    workers: int,
    report: Callable[[int, int], None],
) -> list[R]:
    """What `work` makes of all items, in their order; a process takes `size` of them at a time. `report` is told how many
    are done, and of how many."""
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    found: list[R] = []
    with process_pool(workers) as pool:
        for done, chunk in enumerate(pool.map(work, chunks), start=1):
            found += chunk
            report(min(done * size, len(items)), len(items))
    return found


def as_finished(pool: "ProcessPool", work: Callable[[T], R], items: Sequence[T], kept: str) -> Iterator[R]:
    """What `work` makes of each item, as it is finished; the pool is closed at the end. `kept` says what is not lost when a
    process ends in between."""
    try:
        futures: list[Future[R]] = [pool.submit(work, item) for item in items]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        raise ComphyError(
            f"A worker process ended unexpectedly (out of memory, or killed). {kept}; run the same command again, with "
            "fewer --workers if memory was short."
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Process(SpawnProcess):
    """Inherits a blocked SIGINT, which a terminal would send to it too: its traceback would hide what the command says."""

    def start(self) -> None:
        try:
            with _interrupt_after():
                self._start_without_interrupts()
        except KeyboardInterrupt:  # or SIGTERM, where a command makes a KeyboardInterrupt of it
            self.terminate()  # no pool knows of it yet
            raise

    def _start_without_interrupts(self) -> None:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process


class ProcessPool(ProcessPoolExecutor):
    """Waits for what is under way, but not when it is left on Ctrl-C."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        left_by = sys.exc_info()[0]
        if left_by is None or issubclass(left_by, Exception):
            super().shutdown(wait=wait, cancel_futures=cancel_futures)
        else:
            self.end()

    def end(self) -> None:
        """End the processes at once, whatever they are at."""
        processes = list((self._processes or {}).values())
        manager = cast(threading.Thread | None, self._executor_manager_thread)  # typeshed names another class
        try:
            super().shutdown(wait=False, cancel_futures=True)
            # The pool's thread must forget what was cancelled before it finds its processes gone. It would else mark it as
            # failed and end in a traceback (https://github.com/python/cpython/pull/108974).
            while self._cancel_pending_futures and manager is not None and manager.is_alive():
                time.sleep(0.001)
        finally:
            for process in processes:
                process.terminate()


@contextmanager
def _interrupt_after() -> Iterator[None]:
    """Put off Ctrl-C and SIGTERM, which may reach another thread, whose mask is its own: in the middle of a start they would
    leave behind a process that was not told what it is, and that says so in a traceback."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[tuple[int, FrameType | None]] = []
    for number in before:
        signal.signal(number, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            before[signal.Signals(came[0][0])](*came[0])


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
