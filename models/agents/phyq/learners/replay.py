"""The replay memory: plays that were collected, and balanced batches of their transitions.

Shape shorthand: B states of a batch, K actions tried in each.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.agents.phyq.learners.experience import Experience
from models.agents.scorers.examples import Grouped


class TransitionBatch(NamedTuple):
    """`states` [B]; `actions`, `rewards` and `following` states [B, K]."""

    states: NDArray[np.int64]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    following: NDArray[np.int64]


class Replay:
    """Collected plays [N], in order; a play may be there several times. `balance_tasks`: tasks give transitions equally
    often, so that easy ones, which have many wins, do not crowd out hard ones."""

    def __init__(self, experience: Experience, plays: NDArray[np.int64], balance_tasks: bool = False) -> None:
        self.plays, self._experience = plays, experience
        shots = np.diff(experience.begins, append=len(experience.states))
        counts = shots[plays]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        transitions = np.repeat(experience.begins[plays], counts) + within
        won = experience.won[experience.plays[transitions]]
        halves = [transitions[won], transitions[~won]]
        tasks = experience.tasks[experience.plays] if balance_tasks else np.zeros_like(experience.plays)
        self._halves = [_grouped(half, tasks) for half in halves if len(half)]
        self._in_state = [_grouped(half, experience.states) for half in halves]

    def draw(self, size: int, each: int, rng: np.random.Generator) -> TransitionBatch:
        """As many transitions of plays that were won as of others, if there are both; `each` of the same state."""
        sizes = [size // 2, size - size // 2] if len(self._halves) == 2 else [size]
        chosen = np.concatenate([_evenly(half, count, rng) for half, count in zip(self._halves, sizes, strict=True)])
        states = self._experience.states[chosen]
        rows = np.concatenate([chosen[:, None], self._same_state(states, each - 1, rng)], axis=1)
        found = self._experience
        return TransitionBatch(states, found.actions[rows], found.rewards[rows], found.following[rows])

    def _same_state(self, states: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """[B, count]: of each state half of plays that were won, half of others; all of one sort where there is one only."""
        won, lost = (_drawn(sort, states, count, rng) for sort in self._in_state)
        has_won, has_lost = (sort.counts[states] > 0 for sort in self._in_state)
        takes_won = np.arange(count) % 2 == 0
        return np.where((takes_won | ~has_lost[:, None]) & has_won[:, None], won, lost)


def _grouped(transitions: NDArray[np.int64], groups: NDArray[np.int64]) -> Grouped:
    """Transitions by their group, of which there is one for each transition [E]."""
    of_each = groups[transitions]
    order = np.argsort(of_each, kind="stable")
    return Grouped.of(of_each[order], transitions[order], int(groups.max()) + 1)


def _evenly(sort: Grouped, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """[count], of each group equally often."""
    groups = np.flatnonzero(sort.counts)
    return sort.draw(groups[rng.integers(len(groups), size=count)], 1, rng)[:, 0]


def _drawn(sort: Grouped, states: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """[B, count]; of a state that has none, anything."""
    if not len(sort.items):
        return np.zeros((len(states), count), np.int64)
    return sort.draw(np.where(sort.counts[states] > 0, states, sort.counts.argmax()), count, rng)


class PlayIndex:
    """Finds stored plays of a task that begin with an action."""

    def __init__(self, experience: Experience, actions: int) -> None:
        self._actions, self._tasks = (
            actions,
            Grouped.of(experience.tasks, np.arange(len(experience.tasks)), len(experience.task_ids)),
        )
        keys = experience.tasks * actions + experience.firsts
        order = np.argsort(keys, kind="stable")
        self._plays = Grouped.of(keys[order], order, len(experience.task_ids) * actions)

    def draw(self, task: int, action: int, rng: np.random.Generator) -> int:
        """A play of the task that begins so; any play of it, if none does."""
        key = np.array([task * self._actions + action])
        if self._plays.counts[key[0]]:
            return int(self._plays.draw(key, 1, rng)[0, 0])
        return int(self._tasks.draw(np.array([task]), 1, rng)[0, 0])
