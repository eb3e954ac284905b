"""What is true of a video set, as far as programs can ask: the exact executor's world."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.scene.events import Event, EventKind
from comphy.scene.objects import TARGET_VISIBLE_FRAMES, ObjectSpec
from comphy.scene.vocabulary import Direction

Objects = tuple[int, ...]  # ascending indices
Events = tuple[Event, ...]  # in order of time
Frame = int | None  # None: at any time

NO_DIRECTION: Final = -1
NO_TIME: Final = -1  # the frame of an event that only could happen


@dataclass(frozen=True)
class SceneFacts:
    """Shapes: moving, inside [frames, objects]; direction [frames, objects] holds indices of `Direction` or -1.

    `visible` and `unseen` are entrances, exits and collisions before and after the end of the visible video, in order
    of time; `unseen_known` is false where nobody knows what comes after it. `counterfactual` maps `Change.key` to the
    collisions of that run; `removal` maps an object to the collisions without it. `shift` moves the frame at which an
    event is looked up: facts seen a little differently.
    """

    objects: tuple[ObjectSpec, ...]
    visible: Events
    unseen: Events
    moving: NDArray[np.bool_]
    direction: NDArray[np.int8]
    inside: NDArray[np.bool_]
    counterfactual: Mapping[str, Events]
    removal: Mapping[int, Events] | None = None
    visible_frames: int = TARGET_VISIBLE_FRAMES
    shift: int = 0
    unseen_known: bool = True

    def __post_init__(self) -> None:
        shape = (self.visible_frames, len(self.objects))
        for name, table in (("moving", self.moving), ("direction", self.direction), ("inside", self.inside)):
            if table.shape != shape:
                raise ValueError(f"Expected {name} of shape {shape}, [frames, objects] (got {table.shape}).")

    @cached_property
    def video_events(self) -> Events:
        start = Event(EventKind.START, 0, ())
        end = Event(EventKind.END, self.visible_frames, ())
        return (start, *self.visible, end)

    @cached_property
    def all_pairs(self) -> Events:
        """One collision for every pair, at no time."""
        pairs = combinations(range(len(self.objects)), 2)
        return tuple(Event(EventKind.COLLISION, NO_TIME, pair) for pair in pairs)

    @cached_property
    def ever_moving(self) -> tuple[bool | None, ...]:
        """Whether each object moves in any frame that shows it; None for one that no frame shows."""
        moves, shown = self.moving & self.inside, self.inside
        return _where_shown(np.logical_or.reduce(moves, axis=0), np.logical_or.reduce(shown, axis=0))

    def movement(self, frame: Frame) -> tuple[bool | None, ...]:
        """Whether each object moves at a frame, or with None ever; None for one that is out of the picture then."""
        if frame is None:
            return self.ever_moving
        row = self.shown(frame)
        return _where_shown(self.moving[row], self.inside[row])

    def shown(self, frame: int) -> int:
        """The visible frame nearest to `frame`; the end of the video is one past the last."""
        return min(max(frame, 0), self.visible_frames - 1)

    def main_direction(self, index: int, frame: Frame) -> Direction | None:
        """Where an object that is in the picture moves; with None, in at least half of the frames that show it."""
        if frame is not None:
            row = self.shown(frame)
            code = int(self.direction[row, index]) if self.inside[row, index] else NO_DIRECTION
            return None if code == NO_DIRECTION else tuple(Direction)[code]
        shown = self.direction[self.inside[:, index], index]
        for code, name in enumerate(Direction):
            if len(shown) and 2 * int((shown == code).sum()) >= len(shown):
                return name
        return None


def _where_shown(flags: NDArray[np.bool_], shown: NDArray[np.bool_]) -> tuple[bool | None, ...]:
    return tuple(flag if seen else None for flag, seen in zip(flags.tolist(), shown.tolist(), strict=True))
