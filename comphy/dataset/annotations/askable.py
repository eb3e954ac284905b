"""What the question engine takes of a set, read from its annotation and extras."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import read_annotation
from comphy.dataset.annotations.extras import SetExtras, VideoExtras, read_extras
from comphy.dataset.annotations.facts import IMPRECISE, facts_of
from comphy.questions.askable import AskableSet
from comphy.questions.evidence import INTERACTIONS
from comphy.questions.model import Interaction
from comphy.scene.camera import Camera
from comphy.scene.objects import TARGET_VISIBLE_FRAMES

LEAST_VISIBILITY: Final = 0.3  # share of an object's outline that must be seen when it interacts


def read_askable(root: Path, index: int) -> AskableSet:
    """The facts and the visible interactions of set `index` of the dataset in the folder `root`."""
    target = read_annotation(root / layout.target_annotation(index))
    extras = read_extras(root / layout.extras(index))
    # Directions do not depend on the size of the picture, so the standard camera serves for all.
    camera, runs = Camera(), extras.counterfactuals
    return AskableSet(
        index,
        facts_of(target, camera, runs),
        tuple(facts_of(target, camera, runs, observer) for observer in IMPRECISE),
        visible_interactions(extras),
    )


def visible_interactions(extras: SetExtras) -> tuple[Interaction, ...]:
    """Every interaction that the five videos show."""
    videos = [("target", extras.target), *((f"reference_{k}", video) for k, video in enumerate(extras.references))]
    return tuple(found for name, video in videos for found in _in_view(name, video))


def _in_view(name: str, video: VideoExtras) -> Iterable[Interaction]:
    for event in video.events:
        if event.kind not in INTERACTIONS or event.frame >= min(TARGET_VISIBLE_FRAMES, len(video.visibility)):
            continue
        if min(video.visibility[event.frame][i] for i in event.objects) >= LEAST_VISIBILITY:
            ids = tuple(video.object_ids[i] for i in event.objects)
            yield Interaction(name, event.kind, event.frame, ids)
