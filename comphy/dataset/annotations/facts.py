"""Facts of a set, read from annotations: what programs are executed on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.errors import DatasetError
from comphy.programs.facts import SceneFacts
from comphy.scene.camera import Camera
from comphy.scene.events import DIRECTION_HALF_ANGLE, MOVING_SPEED, Event, EventKind, direction_codes
from comphy.scene.objects import FPS, TARGET_VISIBLE_FRAMES


@dataclass(frozen=True)
class Observer:
    """How precisely a video is observed. The exact observer follows the definitions to the letter."""

    moving_speed: float = MOVING_SPEED
    half_angle: float = DIRECTION_HALF_ANGLE
    shift: int = 0  # frames by which the time of an event is misjudged
    simultaneous: int = 0  # events that are no more frames apart are taken in the wrong order


EXACT: Final = Observer()
# A question whose answer any of these changes hangs on what nobody can see.
IMPRECISE: Final = (Observer(0.06, 0.61, 4, 4), Observer(0.01, 0.61, -4, 4))


def facts_of(
    target: VideoAnnotation,
    camera: Camera,
    counterfactual: Mapping[str, tuple[Event, ...]],
    observer: Observer = EXACT,
    visible_frames: int = TARGET_VISIBLE_FRAMES,
) -> SceneFacts:
    """The facts of a set from its target's annotation and the collisions of its counterfactual runs."""
    if len(target) < visible_frames:
        raise DatasetError(
            f"scene {target.scene_index}: expected a target of at least {visible_frames} annotated frames "
            f"(got {len(target)})."
        )
    seen = slice(0, visible_frames)
    locations, velocities = target.locations[seen], annotated_velocities(target)[seen]
    moves = np.hypot(velocities[..., 0], velocities[..., 1]) > observer.moving_speed
    events = annotated_events(target)
    visible = [event for event in events if event.frame < visible_frames]
    return SceneFacts(
        objects=target.objects,
        visible=tuple(_misordered(visible, observer.simultaneous)),
        unseen=tuple(event for event in events if event.frame >= visible_frames),
        moving=moves,
        direction=direction_codes(locations, velocities, camera, moves, observer.half_angle),
        inside=target.inside[seen],
        counterfactual=counterfactual,
        visible_frames=visible_frames,
        shift=observer.shift,
        unseen_known=len(target) > visible_frames,
    )


def annotated_velocities(target: VideoAnnotation) -> NDArray[np.float64]:
    """As annotated, or else from the locations."""
    if target.velocities is not None:
        return target.velocities
    return np.gradient(target.locations, axis=0) * FPS if len(target) > 1 else np.zeros_like(target.locations)


def annotated_events(target: VideoAnnotation) -> list[Event]:
    """Collisions, and objects that enter or leave the picture, in order of time."""
    events = [Event(EventKind.COLLISION, collision.frame, collision.pair) for collision in target.collisions]
    change = np.diff(target.inside.astype(np.int8), axis=0)
    for kind, sign in ((EventKind.IN, 1), (EventKind.OUT, -1)):
        frames, objects = np.nonzero(change == sign)
        events += [Event(kind, int(f) + 1, (int(i),)) for f, i in zip(frames, objects, strict=True)]
    return sorted(events, key=lambda event: (event.frame, event.kind, event.objects))


def _misordered(events: list[Event], simultaneous: int) -> list[Event]:
    """The events with those that are nearly simultaneous in reverse order, their frames exchanged."""
    groups: list[list[Event]] = []
    for event in events:
        if simultaneous and groups and event.frame - groups[-1][-1].frame <= simultaneous:
            groups[-1].append(event)
        else:
            groups.append([event])
    return [
        Event(event.kind, place.frame, event.objects)
        for group in groups
        for place, event in zip(group, reversed(group), strict=True)
    ]
