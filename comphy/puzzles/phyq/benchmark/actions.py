"""What an agent does, by name: `discrete` chooses a degree, `continuous` a release point, a tap and a time.

A discrete action leaves taps to the environment, which draws them as the published one does.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import ConfigError, MissingDependency, did_you_mean
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, degree_shot
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import MAX_STRETCH
from comphy.puzzles.phyq.world.game import SHOT_SECONDS
from comphy.puzzles.phyq.world.launch import Shot

try:
    from gymnasium.spaces import Box, Discrete, Space
except ImportError as error:
    raise MissingDependency("The Phy-Q environment needs Gymnasium: pip install 'comphy[puzzles]'") from error

MAX_TAP: Final = 10.0  # seconds; no flight takes longer


class Actions(ABC):
    space: Space[Any]

    @abstractmethod
    def shot(self, action: Any, bird: Bird, rng: np.random.Generator) -> Shot:
        """Raises `ValueError` for an action outside the space."""


class DegreeActions(Actions):
    """0 to 179: release at -90 to 89 degrees, at full stretch."""

    space = Discrete(DEGREES)

    def shot(self, action: Any, bird: Bird, rng: np.random.Generator) -> Shot:
        if isinstance(action, bool) or not self.space.contains(action):
            raise ValueError(f"Expected an action as a whole number from 0 to {DEGREES - 1} (got {action!r}).")
        return degree_shot(int(action), bird, rng)


class ReleaseActions(Actions):
    """[4], each from 0 to 1; `action_of` makes one from a shot.

    - pull to the left, 0 to 1 m
    - pull up, -1 to 1 m; a pull of more than the full stretch is shortened to it
    - time of the tap, up to 10 s; 0 for none
    - time to the next shot, up to 30 s, which is until all is at rest
    """

    space = Box(0.0, 1.0, (4,), np.float32)

    def shot(self, action: Any, bird: Bird, rng: np.random.Generator) -> Shot:
        try:
            numbers = np.asarray(action, np.float32)
        except (TypeError, ValueError):
            numbers = np.full(4, np.nan, np.float32)
        if not self.space.contains(numbers):
            raise ValueError(
                "Expected an action as four numbers from 0 to 1: pull to the left, pull up, tap and time to the next shot "
                f"(got {action!r})."
            )
        left, up, tap, seconds = map(float, numbers)
        watch = None if seconds >= 1.0 else seconds * SHOT_SECONDS
        return Shot(-left * MAX_STRETCH, (2.0 * up - 1.0) * MAX_STRETCH, tap * MAX_TAP or None, watch)


def action_of(shot: Shot) -> NDArray[np.float32]:
    """The continuous action that shoots so, up to rounding."""
    watch = 1.0 if shot.watch is None else shot.watch / SHOT_SECONDS
    numbers = (-shot.dx / MAX_STRETCH, (1.0 + shot.dy / MAX_STRETCH) / 2.0, (shot.tap or 0.0) / MAX_TAP, watch)
    return np.array(numbers, np.float32)


ACTIONS: Final[Mapping[str, type[Actions]]] = {"discrete": DegreeActions, "continuous": ReleaseActions}


def make_actions(name: str) -> Actions:
    """Raises `ConfigError` if there are none of this name."""
    if name not in ACTIONS:
        raise ConfigError(f"Expected actions (got '{name}'); {did_you_mean(name, ACTIONS)}")
    return ACTIONS[name]()
