"""Reads CLEVRER's published annotations as facts on which CLEVRER's programs can be executed.

A video has 128 annotated frames, all visible. CLEVRER has neither mass nor charge: all objects count as light and
uncharged. Its files contain neither the events after a video nor those without an object; these can be passed in, for
instance from `comphy.dataset.published.clevrer_runs`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reads_file
from comphy.dataset.annotations.annotation import AnnotatedCollision, VideoAnnotation
from comphy.dataset.annotations.facts import EXACT, Observer, facts_of
from comphy.dataset.question_fields import check_unique, integer
from comphy.errors import DatasetError, did_you_mean
from comphy.files import read_json, require
from comphy.programs.facts import Events, SceneFacts
from comphy.scene.camera import Camera
from comphy.scene.events import Event
from comphy.scene.objects import STEPS_PER_FRAME, ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape

CLEVRER_FRAMES: Final = 128

Word = TypeVar("Word", bound=StrEnum)


def clevrer_facts(
    annotation: VideoAnnotation,
    future: Sequence[Event] | None = None,
    removal: Mapping[int, Events] | None = None,
    visible_frames: int = CLEVRER_FRAMES,
    observer: Observer = EXACT,
) -> SceneFacts:
    """The facts of a video.

    `future` are the events after the annotated frames, `removal` the collisions in a world without each object; programs
    that need one that is not given raise an error. Raises `ValueError` for a future event within the annotated frames.
    """
    early = next((event for event in future or () if event.frame < len(annotation)), None)
    if early is not None:
        raise ValueError(f"Expected future events at frames from {len(annotation)} on (got {early}).")
    facts = facts_of(annotation, Camera(), {}, observer, visible_frames)
    unseen = (*facts.unseen, *sorted(future or (), key=lambda event: event.frame))
    return replace(facts, unseen=unseen, unseen_known=future is not None, removal=removal)


@reads_file
def read_clevrer(path: Path) -> VideoAnnotation:
    """Read a video's annotation; objects are numbered by ascending `object_id`.

    Raises `DatasetError` if the file is missing or malformed.
    """
    if not path.exists():
        raise DatasetError(
            f"{path}: no such annotation. Expected CLEVRER's annotation_00000-01000/annotation_00000.json."
        )
    record, where = read_json(path, "download it again"), str(path)
    specs = _objects(require(record, "object_property", list, where), f"{where}: object_property")
    order = {object_id: place for place, object_id in enumerate(specs)}
    frames = require(record, "motion_trajectory", list, where)
    if not frames:
        raise DatasetError(f"{where}: expected at least one frame in 'motion_trajectory' (got none).")
    states = [_states(frame, f, order, f"{where}: motion_trajectory[{f}]") for f, frame in enumerate(frames)]
    collisions = enumerate(require(record, "collision", list, where))
    found = [_collision(entry, order, len(frames), f"{where}: collision[{k}]") for k, entry in collisions]
    return VideoAnnotation(
        scene_index=integer(record, "scene_index", where),
        objects=tuple(specs.values()),
        locations=_table(states, "location"),
        velocities=_table(states, "velocity"),
        orientations=_table(states, "orientation"),
        inside=np.array([[state["inside_camera_view"] for state in row] for row in states], bool),
        collisions=tuple(sorted(found, key=lambda collision: (collision.step, collision.pair))),
    )


def _objects(entries: list[Any], where: str) -> dict[int, ObjectSpec]:
    """Objects by ascending id. Questions refer to objects by appearance, so appearances must be unique."""
    found: list[tuple[int, ObjectSpec]] = []
    for k, entry in enumerate(entries):
        place = f"{where}[{k}]"
        spec = ObjectSpec(_word(entry, "color", Color, place), _word(entry, "shape", Shape, place),
                          _word(entry, "material", Material, place))  # fmt: skip
        found.append((integer(entry, "object_id", place), spec))
    check_unique((object_id for object_id, _ in found), "object_id", where)
    looks = [spec for _, spec in found]
    twin = next((spec for k, spec in enumerate(looks) if spec in looks[:k]), None)
    if not found or twin is not None:
        seen = f"two of {twin}" if found else "none"
        raise DatasetError(f"{where}: expected objects of different looks (got {seen}).")
    return dict(sorted(found, key=lambda item: item[0]))


def _word(entry: Any, key: str, kind: type[Word], where: str) -> Word:
    word = require(entry, key, str, where)
    if word not in set(kind):
        raise DatasetError(f"{where}: unknown {key} '{word}'; {did_you_mean(word, set(kind))}")
    return kind(word)


def _states(frame: Any, number: int, order: Mapping[int, int], where: str) -> list[dict[str, Any]]:
    """The states of all objects in one frame, in the order of `order`."""
    if integer(frame, "frame_id", where) != number:
        raise DatasetError(f"{where}: expected frame_id {number}, frame after frame (got {frame['frame_id']}).")
    states = {integer(state, "object_id", where): state for state in require(frame, "objects", list, where)}
    if states.keys() != order.keys():
        raise DatasetError(f"{where}: expected the objects {sorted(order)} (got {sorted(states)}).")
    for object_id, state in states.items():
        place = f"{where}: object {object_id}"
        for key in ("location", "orientation", "velocity"):
            _vector(state, key, place)
        require(state, "inside_camera_view", bool, place)
    return [states[object_id] for object_id in order]


def _vector(state: dict[str, Any], key: str, where: str) -> None:
    vector = require(state, key, list, where)
    if len(vector) != 3 or not all(type(x) in (int, float) and np.isfinite(x) for x in vector):
        raise DatasetError(f"{where}: expected '{key}' to be 3 finite numbers (got {str(vector)[:60]}).")


def _table(states: list[list[dict[str, Any]]], key: str) -> NDArray[np.float64]:
    return np.array([[state[key] for state in row] for row in states], float)


def _collision(entry: Any, order: Mapping[int, int], frames: int, where: str) -> AnnotatedCollision:
    frame, ids = integer(entry, "frame_id", where), require(entry, "object_ids", list, where)
    if not 0 <= frame < frames:
        raise DatasetError(f"{where}: expected a frame_id from 0 to {frames - 1} (got {frame}).")
    if len(ids) != 2 or ids[0] == ids[1] or not all(type(k) is int and k in order for k in ids):
        raise DatasetError(f"{where}: expected two different ids of {sorted(order)} as 'object_ids' (got {ids}).")
    a, b = sorted(order[k] for k in ids)
    return AnnotatedCollision(frame * STEPS_PER_FRAME, (a, b))
