"""The result of trying an action: what became of the task and, if wanted, what there was to see."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.observations.features import FeaturizedObjects
from comphy.puzzles.phyre.world.observations.observation import Image


class SimulationStatus(IntEnum):
    """What became of an action. The last two are told apart only where stability is asked for.

    Attributes:
        NOT_SOLVED: the action was tried and does not solve the task.
        INVALID_INPUT: a ball is outside the scene or overlaps something.
        SOLVED: the action solves the task.
        UNSTABLY_SOLVED: it does, but some neighbour, half a pixel away, does not.
        STABLY_SOLVED: all neighbours solve the task as well."""

    NOT_SOLVED = -1
    INVALID_INPUT = 0
    SOLVED = 1
    UNSTABLY_SOLVED = 2
    STABLY_SOLVED = 3

    def is_solved(self) -> bool:
        """Whether the action solves the task, stably or not."""
        return self > 0

    def is_stably_solved(self) -> bool:
        """Whether all neighbours were tried and solve the task as well."""
        return self is SimulationStatus.STABLY_SOLVED

    def is_not_solved(self) -> bool:
        """Whether the action was tried and does not solve the task."""
        return self is SimulationStatus.NOT_SOLVED

    def is_invalid(self) -> bool:
        """Whether the action could not be tried."""
        return self is SimulationStatus.INVALID_INPUT


@dataclass(frozen=True)
class Contact:
    """Two objects touch from one step to another, both included.

    Attributes:
        first_step: at which they touch.
        last_step: at which they still touch.
        objects: their numbers, as in the features."""

    first_step: int
    last_step: int
    objects: tuple[int, int]


@dataclass(frozen=True)
class Simulation:
    """A status and the recordings that were asked for; none of an invalid action.

    Frames are taken after step 1, 1 + stride, and so on, up to the step that solves the task. T is their number, N that
    of the objects, the player's balls last.

    Attributes:
        status: what became of the action.
        images: observations [T, 256, 256] of colour codes, row 0 at the bottom.
        featurized_objects: features of all objects in each frame.
        states: [T, N, 6]: x, y in pixels, angle in radians, and their changes per second.
        contacts: who touches whom, and when."""

    status: SimulationStatus
    images: Image | None = None
    featurized_objects: FeaturizedObjects | None = None
    states: NDArray[np.float64] | None = None
    contacts: tuple[Contact, ...] | None = None
