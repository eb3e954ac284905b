"""Finds what happens in a rollout: who is in the picture, who moves and in which direction, and all events.

Attraction and repulsion are found by comparing a rollout with the same video simulated without charges.
"""

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.events import MOVING_SPEED, Event, EventKind, charged_pairs, direction_codes, intervals
from comphy.scene.objects import Video
from comphy.scene.vocabulary import Direction
from comphy.sim.rollout import Rollout

# A charge shows when it has pushed an object this far (about 5 pixels) off the path it would take uncharged.
REVEALING_OFFSET = 0.05


def inside_scene(rollout: Rollout, camera: Camera) -> NDArray[np.bool_]:
    """[frames, objects]: whether the object's centre is in the picture."""
    image, depth = camera.project(rollout.positions)
    u, v = image[..., 0], image[..., 1]
    return (depth > 0) & (u >= 0) & (u < camera.width) & (v >= 0) & (v < camera.height)


def moving(rollout: Rollout) -> NDArray[np.bool_]:
    """[frames, objects]: whether the object moves along the ground; stationary is the opposite."""
    return np.hypot(rollout.velocities[..., 0], rollout.velocities[..., 1]) > MOVING_SPEED


def image_direction(rollout: Rollout, camera: Camera) -> list[list[Direction | None]]:
    """[frames][objects]: the main direction of motion in the picture, None when resting or between two directions."""
    codes = direction_codes(rollout.positions, rollout.velocities, camera, moving(rollout))
    names = tuple(Direction)
    return [[names[code] if code >= 0 else None for code in row] for row in codes.tolist()]


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
