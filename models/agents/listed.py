"""RAND and OPTIMAL: the ends of the scale for agents that choose from a list of actions."""

from collections.abc import Callable

from comphy.puzzles.phyre.benchmark.cache import Statuses
from models.agents.contract import Floats, OfflineAgent, Plan, Puzzle, one_by_one


class RandomAgent(OfflineAgent):
    """RAND: the actions [N, D] of the list, which are random, in their order."""

    def __init__(self, actions: Floats) -> None:
        self._actions = actions

    def play(self, puzzle: Puzzle) -> Plan:
        return one_by_one(self._actions)


class OptimalAgent(OfflineAgent):
    """OPTIMAL: the best order of the list there can be. It looks up what it should find out, so it is no agent but an
    upper bound: a task that any action [N, D] solves takes one attempt."""

    def __init__(self, actions: Floats, look_up: Callable[[Puzzle], Statuses]) -> None:
        self._actions, self._look_up = actions, look_up

    def play(self, puzzle: Puzzle) -> Plan:
        solves = self._look_up(puzzle) > 0
        return one_by_one([*self._actions[solves], *self._actions[~solves]])
