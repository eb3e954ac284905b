"""How long work takes, on a machine that others use, too."""

import time
from collections.abc import Callable
from typing import Any, Final

REPEATS: Final = 5  # the best of so many counts: on a shared machine the slower ones measure the neighbours


def best(action: Callable[[], Any], before: Callable[[], Any] | None = None, repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        if before:
            before()
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def in_turns(one: Callable[[], Any], other: Callable[[], Any], repeats: int = 2) -> tuple[float, float]:
    """The best of each, taken in turns: neighbours on a shared machine slow down both alike."""
    times = [(best(one, repeats=1), best(other, repeats=1)) for _ in range(repeats)]
    return min(first for first, _ in times), min(second for _, second in times)
