"""What takes long to make is made by one of the test processes, for all of them."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder `name` that `make(folder)` fills: by the first process that asks, while the others wait for it."""
    shared = factory.getbasetemp()
    if shared.name.startswith("popen-"):  # of one process among several, inside the folder of their run
        shared = shared.parent
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            done.touch()
    return folder
