"""Processes that share work, and Ctrl-C at an awkward moment."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import _ExecutorManagerThread
from contextlib import suppress
from multiprocessing.popen_spawn_posix import Popen
from multiprocessing.process import BaseProcess

import pytest

from comphy.processes import process_pool


@pytest.fixture
def heeded() -> Iterator[None]:
    """Ctrl-C raises `KeyboardInterrupt`, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_while_a_process_starts_comes_after_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It may reach another thread than the one that starts the process. A process whose start it broke off would say in a
    traceback that it was not told what to do."""
    before = signal.getsignal(signal.SIGINT)
    started, pressed = threading.Event(), threading.Event()
    told: list[BaseProcess] = []

    def press() -> None:
        started.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        pressed.set()

    def launch(self: Popen, process: BaseProcess) -> None:
        started.set()
        pressed.wait()
        whole(self, process)
        told.append(process)

    whole = getattr(Popen, "_launch")  # noqa: B009
    monkeypatch.setattr(Popen, "_launch", launch)
    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        pool.submit(int, "3").result()
    thread.join()
    assert told, "the start was broken off"
    told[0].join()
    assert told[0].exitcode == -signal.SIGTERM
    assert signal.getsignal(signal.SIGINT) is before
    assert "Traceback" not in capfd.readouterr().err


def test_ctrl_c_is_quiet_though_the_manager_notices_it_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool's thread would find its processes ended, and say that it cannot fail work that was cancelled."""
    pools: list[ProcessPoolExecutor] = []
    managers: list[_ExecutorManagerThread] = []
    uncaught: list[object] = []

    def notice(self: _ExecutorManagerThread) -> bool:
        if any(pool._shutdown_thread for pool in pools):
            pools.clear()
            time.sleep(0.2)
        return whole(self)

    def interrupted() -> None:
        with process_pool(1) as pool:
            work = [pool.submit(time.sleep, 60) for _ in range(9)]
            while not (
                work[0].running() and work[1].running()
            ):  # all that the pool hands out before a process is ready
                time.sleep(0.001)
            pools.append(pool)
            managers.append(pool._executor_manager_thread)  # type: ignore[arg-type]
            for one in work:
                one.cancel()  # as `map` does
            raise KeyboardInterrupt

    whole = _ExecutorManagerThread.is_shutting_down
    monkeypatch.setattr(_ExecutorManagerThread, "is_shutting_down", notice)
    monkeypatch.setattr(threading, "excepthook", uncaught.append)
    with suppress(KeyboardInterrupt):  # `pytest.raises` would keep the pool alive
        interrupted()
    managers[0].join()
    assert not uncaught


def test_work_is_done_by_another_process() -> None:
    with process_pool(1) as pool:
        assert pool.submit(int, "3").result() == 3
