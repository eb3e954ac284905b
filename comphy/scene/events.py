"""What happens in a video: who enters and leaves, moves or rests, in which direction, what touches, attracts, repels."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.objects import Video
from comphy.scene.vocabulary import Direction
from comphy.sim.rollout import Rollout

MOVING_SPEED = 0.02  # scene units per second, in the ground plane
DIRECTION_HALF_ANGLE = float(np.deg2rad(42.0))
# A charge shows when it has pushed an object this far (about 5 pixels) off the path it would take uncharged.
REVEALING_OFFSET = 0.05


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


def inside_scene(rollout: Rollout, camera: Camera) -> NDArray[np.bool_]:
    """[frames, objects]: whether the object's centre is in the picture."""
    image, depth = camera.project(rollout.positions)
    u, v = image[..., 0], image[..., 1]
    return (depth > 0) & (u >= 0) & (u < camera.width) & (v >= 0) & (v < camera.height)


def moving(rollout: Rollout) -> NDArray[np.bool_]:
    """[frames, objects]: whether the object moves along the ground; stationary is the opposite."""
    return np.hypot(rollout.velocities[..., 0], rollout.velocities[..., 1]) > MOVING_SPEED


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


def image_direction(rollout: Rollout, camera: Camera) -> list[list[Direction | None]]:
    """[frames][objects]: the main direction of motion in the picture, None when resting or between two directions."""
    codes = direction_codes(rollout.positions, rollout.velocities, camera, moving(rollout))
    names = tuple(Direction)
    return [[names[code] if code >= 0 else None for code in row] for row in codes.tolist()]


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


def find_events(video: Video, rollout: Rollout, camera: Camera, uncharged: Rollout | None = None) -> tuple[Event, ...]:
    """All events in order of time. `uncharged` is the same video without charges; attraction and repulsion need it."""
    inside = inside_scene(rollout, camera)
    events = [
        Event(EventKind.COLLISION, collision.step // rollout.steps_per_frame, collision.pair)
        for collision in rollout.collisions
    ]
    for interval in intervals(inside):
        if interval.first > 0:
            events.append(Event(EventKind.IN, interval.first, (interval.object,)))
        if interval.last < len(rollout) - 1:
            events.append(Event(EventKind.OUT, interval.last + 1, (interval.object,)))
    if uncharged is not None:
        events.extend(_charge_events(video, rollout, uncharged, inside))
    return tuple(sorted(events, key=lambda e: (e.frame, e.kind, e.objects)))


def _charge_events(video: Video, rollout: Rollout, uncharged: Rollout, inside: NDArray[np.bool_]) -> list[Event]:
    """Only charges differ between the two runs, so the first visible offset of a charged object is their doing."""
    frames = min(len(rollout), len(uncharged))
    offset = np.linalg.norm(rollout.positions[:frames] - uncharged.positions[:frames], axis=-1)
    events = []
    for i, j in charged_pairs(video):
        revealed = (np.maximum(offset[:, i], offset[:, j]) > REVEALING_OFFSET) & inside[:frames, i] & inside[:frames, j]
        if revealed.any():
            same_sign = video.objects[i].charge * video.objects[j].charge > 0
            kind = EventKind.REPULSION if same_sign else EventKind.ATTRACTION
            events.append(Event(kind, int(np.argmax(revealed)), (i, j)))
    return events
