"""Locks of byte ranges of a file: how processes that work in the same folder, also on other machines, know of each other.

The operating system gives the locks of a killed process back, so that none is ever stale. Open file description locks are
used: they belong to an opened file, not to a process, and so hold between two openings within one process too.
"""

import errno
import fcntl
import os
import struct
import weakref
from pathlib import Path
from typing import Final

from comphy.closing import Closeable

_FLOCK: Final = struct.Struct("hhqqi4x")  # l_type, l_whence, l_start, l_len, l_pid
_HELD_ELSEWHERE: Final = (errno.EAGAIN, errno.EACCES)
# Some network file systems have no locks. Work there is not shared, but done twice with the same result.
_NO_LOCKS: Final = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


class LockFile(Closeable):
    """An opened file whose bytes are locked one by one; the bytes need not exist. Closing it, or forgetting it, gives all
    locks back.

    Raises `FileNotFoundError` if its folder is not there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        self._close = weakref.finalize(self, os.close, self._file)

    def close(self) -> None:
        self._close()
        self._file = -1

    def exclusive(self, byte: int, wait: bool = False) -> bool:
        """Lock a byte for this opening alone, if no other has it in any way. Returns whether it is locked now."""
        return self._lock(fcntl.F_WRLCK, byte, wait)

    def shared(self, byte: int, wait: bool = False) -> bool:
        """Lock a byte that others may share, but none may have exclusively."""
        return self._lock(fcntl.F_RDLCK, byte, wait)

    def release(self, byte: int) -> None:
        self._lock(fcntl.F_UNLCK, byte, wait=False)

    def in_place(self) -> bool:
        """Whether the opened file is still the one at its path, and was not removed or moved away meanwhile."""
        try:
            return os.path.samestat(os.fstat(self._file), self._path.stat())
        except OSError:
            return False

    def _lock(self, kind: int, byte: int, wait: bool) -> bool:
        command = fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK
        try:
            fcntl.fcntl(self._file, command, _FLOCK.pack(kind, os.SEEK_SET, byte, 1, 0))
        except OSError as error:
            if error.errno in _HELD_ELSEWHERE:
                return False
            if error.errno not in _NO_LOCKS:
                raise
        return True
