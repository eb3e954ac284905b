"""Stored plays as transitions: a state, an action, its reward and the next state.

Shape shorthand: E transitions, P plays, S states. States 0 to T - 1 are the starts of T tasks, the others lie between shots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import DatasetError
from comphy.puzzles.phyq.plays.play import TaskPlays, level_after
from comphy.puzzles.phyq.plays.store import PlayStore
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.level import Level

END: Final = -1  # in place of the next state


@dataclass(frozen=True)
class Experience:
    """`states`, `actions`, `rewards`, `following` states and `plays` of transitions [E]. `won` [P] and `tasks` [P] of plays.
    A play's transitions follow each other, from `begins` [P] on."""

    task_ids: tuple[str, ...]
    levels: tuple[Level, ...]
    states: NDArray[np.int64]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    following: NDArray[np.int64]
    plays: NDArray[np.int64]
    won: NDArray[np.bool_]
    tasks: NDArray[np.int64]
    begins: NDArray[np.int64]

    @property
    def firsts(self) -> NDArray[np.int64]:
        """The first action of each play [P]."""
        return self.actions[self.begins]

    def fingerprint(self) -> str:
        digest = sha256(" ".join(self.task_ids).encode())
        for array in (self.states, self.actions, self.rewards, self.following, self.won):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def read_experience(store: PlayStore, tasks: Sequence[Task], count: int) -> Experience:
    """The first `count` plays of each task. Raises `DatasetError` if a task has none."""
    found = [store.known(task) for task in tasks]
    without = [task.id for task, plays in zip(tasks, found, strict=True) if not len(plays)]
    if without:
        raise DatasetError(
            f"{store.folder}: expected plays of {len(tasks)} training tasks (found none of {len(without)} of them, such as "
            f"{without[0]}). Make them with: comphy phyq simulate --out {store.folder}"
        )
    return gathered(tasks, [plays.first(count) for plays in found])


def gathered(tasks: Sequence[Task], found: Sequence[TaskPlays]) -> Experience:
    """Plays of tasks as transitions."""
    levels = [task.level for task in tasks]
    rows: list[tuple[int, int, float, int, int]] = []
    won: list[bool] = []
    task_of: list[int] = []
    begins: list[int] = []
    for number, (task, plays) in enumerate(zip(tasks, found, strict=True)):
        for play, (shots, between) in enumerate(zip(plays.shots.tolist(), plays.first_states.tolist(), strict=True)):
            begins.append(len(rows))
            state = number
            for shot in range(shots):
                last = shot == shots - 1
                following = END if last else len(levels)
                if not last:
                    levels.append(level_after(task.level, shot + 1, plays.moved[between + shot]))
                reward = float(last and plays.won[play])
                rows.append((state, int(plays.actions[play, shot]), reward, following, len(won)))
                state = following
            won.append(bool(plays.won[play]))
            task_of.append(number)
    states, actions, rewards, nexts, numbers = np.array(rows, np.float64).reshape(-1, 5).T
    return Experience(
        tuple(task.id for task in tasks),
        tuple(levels),
        states.astype(np.int64),
        actions.astype(np.int64),
        rewards.astype(np.float32),
        nexts.astype(np.int64),
        numbers.astype(np.int64),
        np.array(won, np.bool_),
        np.array(task_of, np.int64),
        np.array(begins, np.int64),
    )
