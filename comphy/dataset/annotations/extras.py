"""Ground truth beyond the release's files: events, states, boxes, visibility, counterfactual collisions."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.damage import reads_file
from comphy.dataset.layout import AGAIN, split_of
from comphy.errors import DatasetError
from comphy.files import read_json, require
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind, intervals
from comphy.scene.objects import Change, Video, VideoSet
from comphy.scene.silhouette import Views
from comphy.scene.vocabulary import Family
from comphy.sim.event_detection import image_direction, moving
from comphy.sim.rollout import Rollout

EXTRAS_VERSION: Final = 1  # of these files; a dataset's own version also counts its videos


@dataclass(frozen=True)
class VideoExtras:
    """Shapes: boxes [frames, objects, 4] of what is seen (zeros when unseen), visibility [frames, objects]."""

    object_ids: tuple[int, ...]
    events: tuple[Event, ...]
    boxes: np.ndarray
    visibility: np.ndarray


@dataclass(frozen=True)
class SetExtras:
    scene_index: int
    family: Family
    split: str
    target: VideoExtras
    references: tuple[VideoExtras, ...]
    counterfactuals: dict[str, tuple[Event, ...]]  # collisions of each run, by `Change.key`


def video_record(
    video: Video, rollout: Rollout, events: tuple[Event, ...], seen: Views, camera: Camera
) -> dict[str, Any]:
    """One video's part of the extras file. Frame ranges are inclusive."""
    moves = moving(rollout)
    directions = image_direction(rollout, camera)
    return {
        "object_ids": list(video.object_ids),
        "events": [_event_record(event) for event in events],
        "moving": _ranges(moves),
        "stationary": _ranges(~moves),
        "direction": [_named_ranges([row[i] for row in directions]) for i in range(len(video.objects))],
        "boxes": np.round(seen.boxes, 2).tolist(),
        "visibility": np.round(seen.visibility, 3).tolist(),
    }


def set_record(
    scene: VideoSet, target: dict[str, Any], references: list[dict[str, Any]], runs: dict[Change, Rollout]
) -> dict[str, Any]:
    return {
        "schema_version": EXTRAS_VERSION,
        "scene_index": scene.index,
        "family": str(scene.family),
        "split": split_of(scene.index),
        "target": target,
        "references": references,
        "counterfactuals": {
            change.key: [
                {"kind": "collision", "frame": c.step // run.steps_per_frame, "objects": list(c.pair)}
                for c in run.collisions
            ]
            for change, run in runs.items()
        },
    }


@reads_file
def read_extras(path: Path) -> SetExtras:
    record, where = read_json(path, AGAIN), str(path)
    version = require(record, "schema_version", int, where)
    if version != EXTRAS_VERSION:
        raise DatasetError(
            f"{where}: expected schema version {EXTRAS_VERSION} (got {version}). "
            "Read it with the comphy version named in manifest.json, or generate it again."
        )
    references = require(record, "references", list, where)
    runs = require(record, "counterfactuals", dict, where)
    return SetExtras(
        scene_index=require(record, "scene_index", int, where),
        family=Family(require(record, "family", str, where)),
        split=require(record, "split", str, where),
        target=_video(require(record, "target", dict, where), f"{where}: target"),
        references=tuple(_video(r, f"{where}: references[{k}]") for k, r in enumerate(references)),
        counterfactuals={key: tuple(_event(e, f"{where}: {key}") for e in events) for key, events in runs.items()},
    )


def _event_record(event: Event) -> dict[str, Any]:
    return {"kind": str(event.kind), "frame": event.frame, "objects": list(event.objects)}


def _event(record: Any, where: str) -> Event:
    objects = require(record, "objects", list, where)
    return Event(EventKind(require(record, "kind", str, where)), require(record, "frame", int, where), tuple(objects))


def _video(record: dict[str, Any], where: str) -> VideoExtras:
    return VideoExtras(
        object_ids=tuple(require(record, "object_ids", list, where)),
        events=tuple(_event(e, where) for e in require(record, "events", list, where)),
        boxes=np.array(require(record, "boxes", list, where), float),
        visibility=np.array(require(record, "visibility", list, where), float),
    )


def _ranges(flags: np.ndarray) -> list[list[list[int]]]:
    """For each object, the frame ranges in which its flag holds."""
    ranges: list[list[list[int]]] = [[] for _ in range(flags.shape[1])]
    for interval in intervals(flags):
        ranges[interval.object].append([interval.first, interval.last])
    return ranges


def _named_ranges(names: list[Any]) -> list[list[Any]]:
    """Frame ranges with one name each; frames without a name are left out."""
    ranges: list[list[Any]] = []
    for frame, name in enumerate(names):
        if name is None:
            continue
        if ranges and ranges[-1][1] == frame - 1 and ranges[-1][2] == str(name):
            ranges[-1][1] = frame
        else:
            ranges.append([frame, frame, str(name)])
    return ranges
