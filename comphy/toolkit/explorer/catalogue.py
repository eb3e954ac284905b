"""A line of JSON for each set of a source: what the grid shows and filters by. Lines are read from the sets once and kept in
the user's cache folder; a page gets them as they come."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.annotations.facts import annotated_events
from comphy.dataset.packs.rollouts import Pack, target_name
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import SourceKind, VideoSource
from comphy.errors import ComphyError
from comphy.files import write_bytes
from comphy.resources import user_cache
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Family
from comphy.sim.rollout import Rollout
from data_gen.preview.released import annotated_rollout, family_of

VERSION: Final = 1  # of the lines; others are made again
_QUIET_FRAME: Final = 62  # is shown of a target in which nothing collides


class Catalogue:
    """Lines in the order of sets. Several pages may read at once: each line is worked out once, for whoever asks first."""

    def __init__(self, source: VideoSource) -> None:
        self._source, self._lock = source, Lock()
        self._indices = source.indices()
        self._lines: list[bytes] = []
        self._opened = False
        self._facts = _reader(source)

    def lines(self, first: int = 0) -> Iterator[bytes]:
        """Lines from the `first` on, each with its end of line."""
        self._open()
        for position in range(first, len(self._indices)):
            if position >= len(self._lines):
                self._work_out(position)
            yield self._lines[position]

    def _work_out(self, position: int) -> None:
        with self._lock:
            while len(self._lines) <= position:
                self._lines.append(line(self._source, self._facts, self._indices[len(self._lines)]))
            if len(self._lines) == len(self._indices):
                with suppress(OSError):  # a cache that cannot be written costs time, nothing else
                    write_bytes(self._file, b"".join(self._lines))

    def _open(self) -> None:
        with self._lock:
            if not self._opened:
                self._opened = True
                with suppress(OSError):
                    kept = self._file.read_bytes().splitlines(keepends=True)
                    self._lines = kept if len(kept) == len(self._indices) else []

    @property
    def _file(self) -> Path:
        return user_cache() / "catalogues" / f"{self._source.fingerprint()[:32]}_{VERSION}.jsonl"


def rows_of(source: VideoSource, indices: Iterable[int]) -> list[dict[str, Any]]:
    """What lines tell, of some sets."""
    read = _reader(source)
    return [json.loads(line(source, read, index)) for index in indices]


@dataclass(frozen=True)
class TargetFacts:
    """What a line tells of a set: of the target's events those in view; and its motion."""

    family: Family
    objects: tuple[ObjectSpec, ...]
    events: tuple[Event, ...]
    motion: Rollout


def _reader(source: VideoSource) -> Callable[[int], TargetFacts | None]:
    """Reads the facts of a set, and no more of its files than that takes: there are thousands. None where nothing is known
    but what videos show."""
    if source.kind is SourceKind.OWN_VIDEOS:
        return lambda index: None
    if not isinstance(source, GeneratedDataset):
        return lambda index: _released(source, index)
    root, packs = source.root, cache(lambda: Pack(source.root / layout.PACK))

    def generated(index: int) -> TargetFacts:
        extras, packed = read_extras(root / layout.extras(index)), packs().video(target_name(index))
        return TargetFacts(
            extras.family, packed.objects, _in_view(extras.target.events, packed.visible_frames), packed.rollout
        )

    return generated


def _released(source: VideoSource, index: int) -> TargetFacts:
    target = source.annotation(index).target
    events = _in_view(annotated_events(target), source.lengths.target)
    return TargetFacts(family_of(target.objects), target.objects, events, annotated_rollout(target))


def _in_view(events: Iterable[Event], frames: int) -> tuple[Event, ...]:
    return tuple(event for event in events if event.frame < frames)


def line(source: VideoSource, read: Callable[[int], TargetFacts | None], index: int) -> bytes:
    """A set that cannot be read has an `error` instead of what is told of it: the grid goes on."""
    record: dict[str, Any] = {"i": index, "s": source.split_of(index)}
    try:
        facts = read(index)
        record |= {"o": [], "e": {}} if facts is None else row(facts)
    except ComphyError as error:
        record["error"] = str(error)
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def row(facts: TargetFacts) -> dict[str, Any]:
    """Short keys, since there are thousands: family, objects, how often each event happens, and the poses of a poster."""
    meeting = next((event.frame for event in facts.events if event.kind is EventKind.COLLISION), _QUIET_FRAME)
    motion = facts.motion
    frame = min(meeting, len(motion) - 1)
    poses = np.concatenate([motion.positions[frame], motion.orientations[frame]], axis=1)
    return {
        "f": str(facts.family),
        "o": [
            [str(spec.color), str(spec.shape), str(spec.material), int(spec.mass == HEAVY_MASS), spec.charge]
            for spec in facts.objects
        ],
        "e": {str(kind): count for kind, count in Counter(event.kind for event in facts.events).items()},
        "n": frame,
        "p": np.round(poses, 2).tolist(),
    }


def camera_record(camera: Camera) -> dict[str, Any]:
    right, down, forward = camera.axes()
    return {
        "position": [float(one) for one in camera.position],
        "right": right.tolist(),
        "down": down.tolist(),
        "forward": forward.tolist(),
        "focal": camera.focal,
        "width": camera.width,
        "height": camera.height,
    }
