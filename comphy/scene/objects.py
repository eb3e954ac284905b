"""Scenes as data: objects, their initial states, videos and sets of videos. A changed world is `dataclasses.replace`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Family, Material, Shape

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # x, y, z, w everywhere outside the engines

FPS = 25
STEPS_PER_FRAME = 10
TIMESTEP = 1.0 / (FPS * STEPS_PER_FRAME)

TARGET_VISIBLE_FRAMES = 125
TARGET_TOTAL_FRAMES = 175  # the 6th and 7th second are simulated, annotated and never shown
REFERENCE_FRAMES = 50
REFERENCES_PER_SET = 4


@dataclass(frozen=True)
class ObjectSpec:
    """One object: what it looks like and the two properties no single frame shows.

    Attributes:
        color: one of the eight colours.
        shape: cube, sphere or cylinder.
        material: rubber or metal.
        mass: 1 if it is light, 5 if it is heavy.
        charge: -1, 0 or 1."""

    color: Color
    shape: Shape
    material: Material
    mass: float = LIGHT_MASS
    charge: int = 0

    @property
    def appearance(self) -> tuple[Color, Shape, Material]:
        """What identifies the object within a set."""
        return (self.color, self.shape, self.material)

    def __str__(self) -> str:
        return f"{self.color} {self.material} {self.shape}"


@dataclass(frozen=True)
class InitialState:
    """Where an object is and how it moves at frame 0.

    Attributes:
        position: of its centre, in metres.
        orientation: quaternion (x, y, z, w).
        velocity: m/s.
        angular_velocity: rad/s about the axes of the world."""

    position: Vector
    orientation: Quaternion
    velocity: Vector
    angular_velocity: Vector


@dataclass(frozen=True)
class Video:
    """The complete cause of one video: simulating it is a pure function of this object.

    Attributes:
        objects: those that take part.
        initial: the state of each at frame 0.
        object_ids: index of each object in the set's target video.
        visible_frames: how many frames the video shows.
        total_frames: how many are simulated and annotated."""

    objects: tuple[ObjectSpec, ...]
    initial: tuple[InitialState, ...]
    object_ids: tuple[int, ...]
    visible_frames: int
    total_frames: int


class HiddenProperty(StrEnum):
    """A property that no single frame shows.

    Attributes:
        MASS: light or heavy.
        CHARGE: negative, none or positive."""

    MASS = "mass"
    CHARGE = "charge"


@dataclass(frozen=True)
class Change:
    """A counterfactual premise: one object's mass or charge takes another value.

    Attributes:
        object: number of the object in the video.
        hidden: which property changes.
        value: what it is instead."""

    object: int
    hidden: HiddenProperty
    value: float

    @property
    def key(self) -> str:
        """The name of the run in files, as the authors named theirs: `mass_0_5`, `charge_2_-1`."""
        return f"{self.hidden}_{self.object}_{self.value:g}"


@dataclass(frozen=True)
class VideoSet:
    """A target video, its reference videos, and the family of hidden properties it is about.

    Attributes:
        index: number of the set.
        family: whether it is about mass, charge or both.
        target: the video that questions are about.
        references: videos of some of its objects, which show their hidden properties."""

    index: int
    family: Family
    target: Video
    references: tuple[Video, ...]


def apply_change(video: Video, change: Change) -> Video:
    """Change a video to the world where a premise holds; it is re-simulated from frame 0 over the visible frames.

    Args:
        video: as it was.
        change: the premise.

    Returns:
        The changed video."""
    old = video.objects[change.object]
    if change.hidden is HiddenProperty.MASS:
        new = replace(old, mass=float(change.value))
    else:
        new = replace(old, charge=int(change.value))
    objects = list(video.objects)
    objects[change.object] = new
    return replace(video, objects=tuple(objects), total_frames=video.visible_frames)


def possible_changes(video: Video) -> Iterator[Change]:
    """List every premise of the benchmark: heavier or lighter for each object, uncharged and opposite for charged ones.

    Args:
        video: whose objects change.

    Yields:
        The premises, object by object."""
    for i, spec in enumerate(video.objects):
        yield Change(i, HiddenProperty.MASS, LIGHT_MASS if spec.mass == HEAVY_MASS else HEAVY_MASS)
        if spec.charge:
            yield Change(i, HiddenProperty.CHARGE, 0)
            yield Change(i, HiddenProperty.CHARGE, -spec.charge)
