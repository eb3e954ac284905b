"""The result of trying an action: what became of the task and, if wanted, what there was to see."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.observations.features import FeaturizedObjects
from comphy.puzzles.phyre.world.observations.observation import Image


class SimulationStatus(IntEnum):
    """What became of an action. The last two are told apart only where stability is asked for."""

    NOT_SOLVED = -1
    INVALID_INPUT = 0
    SOLVED = 1
    UNSTABLY_SOLVED = 2  # some neighbour, half a pixel away, does not solve the task
    STABLY_SOLVED = 3

    def is_solved(self) -> bool:
        return self > 0

    def is_stably_solved(self) -> bool:
        return self is SimulationStatus.STABLY_SOLVED

    def is_not_solved(self) -> bool:
        return self is SimulationStatus.NOT_SOLVED

    def is_invalid(self) -> bool:
        return self is SimulationStatus.INVALID_INPUT


@dataclass(frozen=True)
class Contact:
    """Two objects touch from one step to another, both included; objects are numbered as in the features."""

    first_step: int
    last_step: int
    objects: tuple[int, int]


@dataclass(frozen=True)
class Simulation:
    """A status and the recordings that were asked for; none of an invalid action.

    Frames are taken after step 1, 1 + stride, and so on, up to the step that solves the task. Shapes: images
    [T, 256, 256], states [T, N, 6] (x, y in pixels, angle, and their changes per second).
    """

    status: SimulationStatus
    images: Image | None = None
    featurized_objects: FeaturizedObjects | None = None
    states: NDArray[np.float64] | None = None
    contacts: tuple[Contact, ...] | None = None
