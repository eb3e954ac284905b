"""A set of a published release for previews: what our own datasets keep in extras and packs follows from its annotations."""

import numpy as np
from numpy.typing import NDArray

from comphy.dataset.annotations.annotation import VideoAnnotation, quaternions
from comphy.dataset.annotations.facts import annotated_events, annotated_velocities
from comphy.dataset.sources.source import VideoSource
from comphy.scene.camera import Camera
from comphy.scene.events import Event
from comphy.scene.objects import STEPS_PER_FRAME, ObjectSpec
from comphy.scene.vocabulary import LIGHT_MASS, Family
from comphy.sim.rollout import Collision, Rollout
from data_gen.preview.scene import PreviewSet, PreviewVideo


def load_released(source: VideoSource, index: int) -> PreviewSet:
    """Everything the previews of one set draw, frames aside. Releases have no counterfactual runs."""
    annotation = source.annotation(index)
    target, *references = (_video(source, index, name, annotation.video(name)) for name in source.lengths.videos)
    family = family_of(annotation.target.objects)
    return PreviewSet(index, family, source.split_of(index), Camera(), target, tuple(references), ())


def family_of(objects: tuple[ObjectSpec, ...]) -> Family:
    """Which hidden property the objects of a set differ in; mass where they differ in none."""
    charged, heavy = any(one.charge for one in objects), any(one.mass != LIGHT_MASS for one in objects)
    if charged and heavy:
        return Family.BOTH
    return Family.CHARGE if charged else Family.MASS


def _video(source: VideoSource, index: int, name: str, video: VideoAnnotation) -> PreviewVideo:
    shown, numbers = source.boxes(index, name), source.object_ids(index, name)
    told = annotated_events(video)
    return PreviewVideo(
        name=name,
        objects=video.objects,
        numbers=numbers,
        visible_frames=source.lengths.of(name),
        rollout=annotated_rollout(video),
        events=tuple(Event(one.kind, one.frame, tuple(numbers[k] for k in one.objects)) for one in told),
        boxes=shown.boxes.astype(float),
        visibility=shown.visibility.astype(float),
        inside=video.inside,
    )


def annotated_rollout(video: VideoAnnotation) -> Rollout:
    """The annotated motion as a simulation would give it. What is not annotated is at rest and upright."""
    turned = quaternions(_or_zeros(video.orientations, video.locations))
    spins = _or_zeros(video.angular_velocities, video.locations)
    met = tuple(
        Collision(one.step, one.step, one.pair, 0.0, _between(video, one.frame, one.pair)) for one in video.collisions
    )
    return Rollout(video.locations, turned, annotated_velocities(video), spins, met, STEPS_PER_FRAME)


def _or_zeros(array: NDArray[np.float64] | None, like: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.zeros_like(like) if array is None else array


def _between(video: VideoAnnotation, frame: int, pair: tuple[int, int]) -> tuple[float, float, float]:
    x, y, z = video.locations[min(frame, len(video) - 1), list(pair)].mean(axis=0)
    return float(x), float(y), float(z)
