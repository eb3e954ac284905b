"""Everything that the question engine looks at of one set."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from comphy.dataset import layout
from comphy.dataset.annotation import VideoAnnotation, read_annotation
from comphy.dataset.extras import SetExtras, read_extras
from comphy.dataset.facts import SLOPPY, facts_of
from comphy.programs.facts import SceneFacts
from comphy.questions.evidence import Interaction, interactions
from comphy.scene.camera import Camera


@dataclass(frozen=True)
class AskableSet:
    """`sloppy` are the facts as less exact eyes see them; `shown` the interactions that reveal hidden properties."""

    index: int
    facts: SceneFacts
    sloppy: tuple[SceneFacts, ...]
    shown: tuple[Interaction, ...]

    def rng(self, seed: int, purpose: int) -> np.random.Generator:
        """Draws that depend on the dataset's seed and the set alone."""
        return np.random.default_rng([seed, self.index, purpose])


def askable(index: int, target: VideoAnnotation, extras: SetExtras) -> AskableSet:
    # Directions do not depend on the size of the picture, so the standard camera serves for all.
    camera, runs = Camera(), extras.counterfactuals
    return AskableSet(
        index,
        facts_of(target, camera, runs),
        tuple(facts_of(target, camera, runs, eye) for eye in SLOPPY),
        interactions(extras),
    )


def read_askable(root: Path, index: int) -> AskableSet:
    target = read_annotation(root / layout.target_annotation(index))
    return askable(index, target, read_extras(root / layout.extras(index)))
