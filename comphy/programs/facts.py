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
    """What programs are executed on: the events of a video set, and how its objects move in each frame.

    Attributes:
        objects: the target's objects; events and tables number them in this order.
        visible: entrances, exits and collisions of the visible video, in order of time.
        unseen: those after its end, in order of time.
        moving: whether each object moves, [frames, objects].
        direction: index of the `Direction` in which it moves or -1, [frames, objects].
        inside: whether it is in the picture, [frames, objects].
        counterfactual: collisions of the run of each premise, by `Change.key`.
        removal: collisions without an object, by its number; None if they are not known.
        visible_frames: how many frames the visible video has.
        shift: moves the frame at which an event is looked up, for facts that are seen a little differently.
        unseen_known: false where nobody knows what comes after the visible video.

    Raises:
        ValueError: for tables of another shape."""

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
        """The visible events between the start and the end of the video."""
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
        """Tell which objects move.

        Args:
            frame: of the video; None for at any time.

        Returns:
            Whether each object moves then; None for one that is out of the picture."""
        if frame is None:
            return self.ever_moving
        row = self.shown(frame)
        return _where_shown(self.moving[row], self.inside[row])

    def shown(self, frame: int) -> int:
        """Find the visible frame that is nearest to another one.

        Args:
            frame: any frame; the end of the video is one past the last visible one.

        Returns:
            A frame of the visible video."""
        return min(max(frame, 0), self.visible_frames - 1)

    def main_direction(self, index: int, frame: Frame) -> Direction | None:
        """Tell where an object moves.

        Args:
            index: number of the object.
            frame: of the video; None for the direction in at least half of the frames that show the object.

        Returns:
            The direction; None if there is none, or the object is out of the picture."""
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
