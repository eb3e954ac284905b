"""`TaskPlays`: plays of one task, shot by shot, and what is left after each shot. It is all that a learner needs; what it
sees is drawn from levels, so plays are small.

Shape shorthand: P plays, B birds, T things that can move, S states between shots.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyq.world.level import Level, Platform, Thing

NO_SHOT: Final = 255  # in place of an action, where the play was over
NO_TAP: Final = np.nan
GONE: Final = np.iinfo(np.int32).min  # in place of how far a thing has moved
LENGTH_UNIT: Final = 1e-4  # metres
ANGLE_UNIT: Final = 1e-2  # degrees


class ShotRecord(NamedTuple):
    """A shot of a play: what was done, what it brought, and where things are afterwards [T, 3], unless nothing follows."""

    action: int
    tap: float
    killed: int
    points: int
    moved: NDArray[np.int32] | None


@dataclass(frozen=True)
class TaskPlays:
    """`actions` [P, B]: release degrees, as 0 to 179. `taps` [P, B]: seconds. `killed` and `points` [P, B] of each shot.
    `moved` [S, T, 3]: by how much each thing is right, up and turned of where it was at first, in units; the states
    between shots, play by play. A state after the last shot of a play is not there: nothing follows it.
    """

    actions: NDArray[np.uint8]
    taps: NDArray[np.float64]
    killed: NDArray[np.uint8]
    points: NDArray[np.int32]
    won: NDArray[np.bool_]
    moved: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.won)

    @property
    def shots(self) -> NDArray[np.int64]:
        """How many shots each play has [P]."""
        return np.asarray((self.actions != NO_SHOT).sum(axis=1))

    @property
    def first_states(self) -> NDArray[np.int64]:
        """Where the states of each play begin in `moved` [P]."""
        between = self.shots - 1
        return np.asarray(np.cumsum(between) - between)

    def first(self, count: int) -> "TaskPlays":
        """The first plays."""
        states = int((self.shots[:count] - 1).sum())
        return TaskPlays(
            self.actions[:count],
            self.taps[:count],
            self.killed[:count],
            self.points[:count],
            self.won[:count],
            self.moved[:states],
        )

    def followed_by(self, other: "TaskPlays") -> "TaskPlays":
        pairs = ((getattr(self, one.name), getattr(other, one.name)) for one in fields(self))
        return TaskPlays(*map(np.concatenate, pairs))


def no_plays(level: Level) -> TaskPlays:
    return gathered(level, [])


def gathered(level: Level, plays: Sequence[tuple[Sequence[ShotRecord], bool]]) -> TaskPlays:
    """Plays, and whether each was won, as arrays."""
    shape = (len(plays), len(level.birds))
    states = [shot.moved for shots, _ in plays for shot in shots if shot.moved is not None]
    things = sum(not isinstance(thing, Platform) for thing in level.things)
    found = TaskPlays(
        np.full(shape, NO_SHOT, np.uint8),
        np.full(shape, NO_TAP),
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.int32),
        np.array([won for _, won in plays], np.bool_),
        np.array(states, np.int32).reshape(-1, things, 3),
    )
    for row, (shots, _) in enumerate(plays):
        for place, shot in enumerate(shots):
            found.actions[row, place], found.taps[row, place] = shot.action, shot.tap
            found.killed[row, place], found.points[row, place] = shot.killed, shot.points
    return found


def level_after(level: Level, shots: int, moved: NDArray[np.int32]) -> Level:
    """What is left of a level after so many shots; `moved` [T, 3] as in `TaskPlays`."""
    return Level(level.birds[shots:], tuple(_left(level, moved)))


def _left(level: Level, moved: NDArray[np.int32]) -> Iterator[Thing]:
    rows = iter(moved.tolist())
    for thing in level.things:
        if isinstance(thing, Platform):
            yield thing
        elif (row := next(rows))[0] != GONE:
            x, y, degrees = row
            yield replace(
                thing,
                x=thing.x + LENGTH_UNIT * x,
                y=thing.y + LENGTH_UNIT * y,
                degrees=thing.degrees + ANGLE_UNIT * degrees,
            )
