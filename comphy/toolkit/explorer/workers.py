"""Processes that work for pages: one thing at a time, and never for a page that has gone."""

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from comphy.errors import Busy
from comphy.processes import ProcessPool, process_pool


class Worker:
    """A process, started by the first work. Others wait for their turn.

    Args:
        ended: whether work that nobody waits for any more is ended, and its process with it. That is for work that takes
            longer than the start of another process."""

    def __init__(self, ended: bool) -> None:
        self._ended = ended
        self._turn = asyncio.Lock()
        self._pool: ProcessPool | None = None

    async def do(self, work: Callable[..., Any], *given: Any) -> Any:
        """What `work` makes of what is given, in the process.

        Raises:
            Busy: the process ended early; another is started for the next."""
        async with self._turn:
            if self._pool is None:
                self._pool = process_pool(1)
            try:
                return await asyncio.wrap_future(self._pool.submit(work, *given))
            except asyncio.CancelledError:
                if self._ended:
                    self.close()
                raise
            except BrokenProcessPool:
                self._pool = None
                raise Busy(
                    "The model's process ended early, perhaps for want of memory. Another is started: ask again."
                ) from None

    def close(self) -> None:
        """End the process, whatever it is at."""
        if self._pool is not None:
            self._pool.end()
            self._pool = None
