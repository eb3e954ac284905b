"""Watches a run from step to step: poses at the frames, contacts, and the step that solves the task."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import STEPS_FOR_SOLUTION
from comphy.puzzles.phyre.world.simulation import Contact
from comphy.puzzles.phyre.world.task_world import Ball, TaskWorld
from comphy.sim.contacts import Pair


@dataclass(frozen=True)
class Recording:
    """States [T, N, 6] of the scene's bodies and the player's balls; contacts if they were asked for."""

    solved: bool
    states: NDArray[np.float64]
    contacts: tuple[Contact, ...] | None


def record(world: TaskWorld, balls: Sequence[Ball], stride: int, need_contacts: bool = False) -> Recording:
    """Run to the end or to the step that solves the task, and keep every `stride`-th state, that after step 1 first."""
    if stride < 1:
        raise ValueError(f"Expected a stride of at least 1 step (got {stride}).")
    world.start(balls)
    frames, held = [], 0
    contacts = _OpenContacts() if need_contacts else None
    for step, held in world.watched_steps():
        if (step - 1) % stride == 0:
            frames.append(world.states())
        if contacts is not None:
            contacts.see(step, world.touching_objects())
        if held == STEPS_FOR_SOLUTION:
            break
    closed = contacts.close() if contacts is not None else None
    return Recording(held == STEPS_FOR_SOLUTION, np.array(frames), closed)


class _OpenContacts:
    """Joins touches of consecutive steps."""

    def __init__(self) -> None:
        self._open: dict[Pair, list[int]] = {}
        self._closed: list[Contact] = []

    def see(self, step: int, pairs: set[Pair]) -> None:
        for pair in [pair for pair in self._open if pair not in pairs]:
            self._close(pair)
        for pair in pairs:
            self._open.setdefault(pair, [step, step])[1] = step

    def close(self) -> tuple[Contact, ...]:
        for pair in list(self._open):
            self._close(pair)
        return tuple(sorted(self._closed, key=lambda c: (c.first_step, c.objects)))

    def _close(self, pair: Pair) -> None:
        first, last = self._open.pop(pair)
        self._closed.append(Contact(first, last, pair))
