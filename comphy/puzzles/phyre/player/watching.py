"""Agents whose attempts can be watched: each tells what it tries on a task, up to the attempt that solves it."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from comphy.errors import Busy, ConfigError, did_you_mean

Tries = Sequence[Sequence[Sequence[int]]]  # attempts of balls of x, y and radius in pixels
Watched = Callable[[str], Tries]  # by the id of a task
Agents = Callable[[], Mapping[str, Watched]]  # found at first use


class WatchedAgents:
    """One plays at a time."""

    def __init__(self, agents: Agents) -> None:
        self._agents, self._playing = agents, Lock()

    @property
    def names(self) -> list[str]:
        return list(self._agents())

    def tries(self, name: str, task_id: str) -> Tries:
        """Raises `Busy` while another one plays, and `ConfigError` where there is no such agent or it has not played."""
        known = self._agents()
        if name not in known:
            raise ConfigError(f"Expected an agent to watch (got '{name[:40]}'); {did_you_mean(name, known)}")
        if not self._playing.acquire(blocking=False):
            raise Busy("An agent is playing already. Wait until it has played.")
        try:
            return known[name](task_id)
        finally:
            self._playing.release()
