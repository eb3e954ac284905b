"""What happens in a video, as data: who enters and leaves, what touches, attracts, repels; directions, and runs of frames.
`comphy.sim.event_detection` finds events in a rollout."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.objects import Video

MOVING_SPEED = 0.02  # scene units per second, in the ground plane
DIRECTION_HALF_ANGLE = float(np.deg2rad(42.0))


class EventKind(StrEnum):
    START = "start"  # of the video; START and END are known to programs and stand in no file
    END = "end"
    IN = "in"
    OUT = "out"
    COLLISION = "collision"
    ATTRACTION = "attraction"
    REPULSION = "repulsion"


@dataclass(frozen=True)
class Event:
    """Something that happens to one object or a pair, at a frame of the video."""

    kind: EventKind
    frame: int
    objects: tuple[int, ...]


@dataclass(frozen=True)
class Interval:
    """Frames first..last (inclusive) over which a state of one object holds."""

    object: int
    first: int
    last: int


def direction_codes(
    positions: NDArray,
    velocities: NDArray,
    camera: Camera,
    moves: NDArray[np.bool_],
    half_angle: float = DIRECTION_HALF_ANGLE,
) -> NDArray[np.int8]:
    """[frames, objects]: index in `Direction` of the main direction in the picture, -1 when resting or between two."""
    here, _ = camera.project(positions)
    ahead, _ = camera.project(positions + 0.01 * velocities)
    du, dv = np.moveaxis(ahead - here, -1, 0)
    codes = np.full(du.shape, -1, np.int8)
    axes = ((-du, dv), (du, dv), (-dv, du), (dv, du))  # how far along left, right, up, down, and how far across
    for code, (along, across) in enumerate(axes):
        codes[np.arctan2(np.abs(across), along) <= half_angle] = code
    codes[~moves] = -1
    return codes


def intervals(flags: NDArray[np.bool_]) -> list[Interval]:
    """Maximal runs of frames in which each object's flag holds."""
    found: list[Interval] = []
    for i in range(flags.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], flags[:, i], [False]]).astype(np.int8)))
        found.extend(Interval(i, int(a), int(b) - 1) for a, b in edges.reshape(-1, 2))
    return found


def charged_pairs(video: Video) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, j in combinations(range(len(video.objects)), 2)
        if video.objects[i].charge * video.objects[j].charge
    ]
