"""RAND and OPTIMAL: the lower and the upper end of the scale for agents that choose from a fixed list of actions."""

from collections.abc import Callable

from comphy.puzzles.phyre.benchmark.cache import Statuses
from models.agents.contract import Floats, OfflineAgent, Plan, Puzzle, one_by_one


class RandomAgent(OfflineAgent):
    """RAND: tries the actions [N, D] of the list, which are random, in their order."""

    def __init__(self, actions: Floats) -> None:
        self._actions = actions

    def play(self, puzzle: Puzzle) -> Plan:
        return one_by_one(self._actions)


class OptimalAgent(OfflineAgent):
    """OPTIMAL: an oracle with the best order of the list, an upper bound for agents that rank it.

    It looks up which actions [N, D] solve the test task, so a task that any of them solves takes one attempt."""

    def __init__(self, actions: Floats, look_up: Callable[[Puzzle], Statuses]) -> None:
        self._actions, self._look_up = actions, look_up

    def play(self, puzzle: Puzzle) -> Plan:
        solves = self._look_up(puzzle) > 0
        return one_by_one([*self._actions[solves], *self._actions[~solves]])
