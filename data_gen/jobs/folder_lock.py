"""Several processes in one dataset folder: each is present while it works there, claims a set before making it, and the last
to leave a complete dataset clears `progress/` away.

All of it are locks of bytes of `progress/lock`, which the operating system gives back when a process is killed: byte 0 is
shared by all who are present, byte 1 is of the one that completes the dataset, byte 2 + i of the one that makes set i.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

from comphy.closing import Closeable
from comphy.locks import LockFile
from comphy.temporaries import temporary_path

_PRESENT: Final = 0
_COMPLETING: Final = 1
_FIRST_SET: Final = 2


def _lock_file(progress: Path) -> LockFile:
    return LockFile(progress / "lock")


class SharedFolderLock(Closeable):
    """This process works in the folder: nobody clears `progress/` away meanwhile."""

    def __init__(self, progress: Path, locks: LockFile) -> None:
        self._progress = progress
        self._locks = locks

    @classmethod
    def begin(cls, progress: Path) -> Self | None:
        """None if `progress/` is gone by now: prepare it again."""
        try:
            locks = _lock_file(progress)
        except FileNotFoundError:
            return None
        locks.shared(_PRESENT, wait=True)
        if locks.in_place():
            return cls(progress, locks)
        locks.close()
        return None

    def close(self) -> None:
        self._locks.close()

    def alone(self) -> bool:
        """Whether no other process works in the folder at this moment."""
        found = self._locks.exclusive(_PRESENT)
        self._locks.shared(_PRESENT)
        return found

    @contextmanager
    def completing(self) -> Iterator[None]:
        """One after the other: whoever comes second finds a complete dataset. The last one clears `progress/` away."""
        self._locks.exclusive(_COMPLETING, wait=True)
        try:
            yield
            if self._locks.exclusive(_PRESENT):
                self._clear()
        finally:
            # Left before the next one may complete, so that it does not take this process for one at work.
            self._locks.release(_PRESENT)
            self._locks.release(_COMPLETING)

    def _clear(self) -> None:
        """It disappears in one step: a kill leaves no half of it."""
        leaving = temporary_path(self._progress)
        with suppress(FileNotFoundError):  # on a file system without locks, another process may have done it
            self._progress.rename(leaving)
        shutil.rmtree(leaving, ignore_errors=True)


class SetClaim(Closeable):
    """The right to make one set. `granted` is False while another process makes it."""

    def __init__(self, progress: Path, index: int) -> None:
        progress.mkdir(exist_ok=True)
        self._locks = _lock_file(progress)
        self.granted = self._locks.exclusive(_FIRST_SET + index)

    def close(self) -> None:
        self._locks.close()
