"""What a preview knows of a set: its videos with objects numbered as in the target, and what each other world changes."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from comphy.config import build
from comphy.dataset import layout
from comphy.dataset.annotations.extras import VideoExtras, read_extras
from comphy.dataset.packs.codec import PackedVideo
from comphy.dataset.packs.rollouts import Pack, reference_name, target_name
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from comphy.errors import DatasetError
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import Change, HiddenProperty, ObjectSpec
from comphy.scene.vocabulary import Family
from comphy.sim.event_detection import inside_scene
from comphy.sim.rollout import Rollout
from data_gen.config import DatasetConfig

Pair = tuple[int, ...]


@dataclass(frozen=True)
class PreviewVideo:
    """One video. `numbers` are its objects' indices in the target, and events speak in those numbers.

    Shapes: boxes [visible frames, objects, 4]; visibility [visible frames, objects]; inside [all frames, objects].
    """

    name: str
    objects: tuple[ObjectSpec, ...]
    numbers: tuple[int, ...]
    visible_frames: int
    rollout: Rollout
    events: tuple[Event, ...]
    boxes: NDArray[np.float64]
    visibility: NDArray[np.float64]
    inside: NDArray[np.bool_]

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class Run:
    """A counterfactual world against the real one, over the visible frames: how often each pair collides."""

    change: Change
    real: Counter[Pair]
    collisions: Counter[Pair]

    def gained(self) -> list[Pair]:
        return sorted(self.collisions.keys() - self.real.keys())

    def lost(self) -> list[Pair]:
        return sorted(self.real.keys() - self.collisions.keys())

    def recounted(self) -> list[Pair]:
        """Pairs that collide in both worlds, but not equally often."""
        return sorted(pair for pair, count in self.collisions.items() if self.real[pair] not in (0, count))


@dataclass(frozen=True)
class PreviewSet:
    index: int
    family: Family
    split: str
    camera: Camera
    target: PreviewVideo
    references: tuple[PreviewVideo, ...]
    runs: tuple[Run, ...]

    @property
    def objects(self) -> tuple[ObjectSpec, ...]:
        """All objects of the set; an object's number is its place here."""
        return self.target.objects

    def videos(self) -> tuple[PreviewVideo, ...]:
        return (self.target, *self.references)


def dataset_config(source: GeneratedDataset) -> DatasetConfig:
    return build(DatasetConfig, source.manifest.recipe.config, f"{source.root / layout.MANIFEST}: config")


def require_set(source: VideoSource, index: int) -> None:
    held = source.indices()
    if index not in held:
        raise DatasetError(f"{source.root}: no set {index} in this dataset. It holds {ranges(held)}.")


def load_generated(source: GeneratedDataset, index: int) -> PreviewSet:
    """Everything the previews of one set draw, frames aside."""
    root, camera = source.root, dataset_config(source).camera()
    extras, pack = read_extras(root / layout.extras(index)), open_pack(root, index)
    target = _video("target", pack.video(target_name(index)), extras.target, camera)
    references = tuple(
        _video(f"reference_{k}", pack.video(reference_name(index, k)), reference, camera)
        for k, reference in enumerate(extras.references)
    )
    real = _pairs(target.events, target.visible_frames)
    runs = (
        Run(parse_change(key), real, _pairs(events, target.visible_frames))
        for key, events in extras.counterfactuals.items()
    )
    return PreviewSet(index, extras.family, extras.split, camera, target, references, tuple(runs))


def open_pack(root: Path, index: int) -> Pack:
    path = root / layout.rollouts(index)
    if not path.is_file():
        raise DatasetError(f"{path}: the file is missing. Make the set again with comphy generate.")
    return Pack(path)


def parse_change(key: str) -> Change:
    """The premise behind a run's name; undoes `Change.key`."""
    try:
        hidden, number, value = key.split("_")
        return Change(int(number), HiddenProperty(hidden), float(value))
    except ValueError:
        raise DatasetError(
            f"Expected a counterfactual run such as 'mass_0_5' (got '{key}'). Make the set again."
        ) from None


def ranges(indices: list[int]) -> str:
    """Numbers in words: `sets 0-4, 7`."""
    if not indices:
        return "no sets"
    edges = np.flatnonzero(np.diff(indices) > 1) + 1
    parts = [f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in np.split(np.array(indices), edges)]
    shown = parts if len(parts) <= 12 else [*parts[:12], "…"]
    return ("set " if len(indices) == 1 else "sets ") + ", ".join(shown)


def _video(name: str, packed: PackedVideo, extras: VideoExtras, camera: Camera) -> PreviewVideo:
    numbers = extras.object_ids
    events = tuple(Event(e.kind, e.frame, tuple(numbers[k] for k in e.objects)) for e in extras.events)
    return PreviewVideo(
        name=name,
        objects=packed.objects,
        numbers=numbers,
        visible_frames=packed.visible_frames,
        rollout=packed.rollout,
        events=events,
        boxes=extras.boxes,
        visibility=extras.visibility,
        inside=inside_scene(packed.rollout, camera),
    )


def _pairs(events: tuple[Event, ...], frames: int) -> Counter[Pair]:
    return Counter(tuple(sorted(e.objects)) for e in events if e.kind is EventKind.COLLISION and e.frame < frames)
