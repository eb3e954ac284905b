"""What an agent sees, by name: `symbolic`, `image` and `planes` show the screen, `truth` is everything.

Arrays are padded to a fixed number of objects with zero rows, so that environments can be stacked.

Shape shorthand: N objects, V corners.
"""

from abc import ABC, abstractmethod
from dataclasses import astuple, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import ConfigError, MissingDependency, did_you_mean
from comphy.puzzles.phyq.benchmark.observing.color_map import COLORS
from comphy.puzzles.phyq.benchmark.observing.observed_game import BodyState, ObservedGame
from comphy.puzzles.phyq.benchmark.observing.scene import (
    HEIGHT,
    REDUCED,
    WIDTH,
    Kind,
    SceneObject,
    noisy_scene,
    planes,
    scene_of,
    screenshot,
)
from comphy.puzzles.phyq.benchmark.observing.symbolic import SLINGSHOT, SymbolicState, symbolic_state

try:
    from gymnasium.spaces import Box, Dict, Space
except ImportError as error:
    raise MissingDependency("The Phy-Q environment needs Gymnasium: pip install 'comphy[puzzles]'") from error

MAX_OBJECTS: Final = 64  # the largest template has 36 things; three distractors, a slingshot and nine birds come to 49
MAX_VERTICES: Final = 40  # birds are drawn with so many
PIXEL_BOUND: Final = 2000  # long platforms reach beyond the screen, but not as far as this
TRUTH_BOUND: Final = 1e4
OBJECT_LABEL: Final = 1
SLINGSHOT_LABEL: Final = 2


class Observation(ABC):
    """A way to see a game."""

    space: Space[Any]
    can_be_noisy = True

    @abstractmethod
    def of(self, game: ObservedGame, rng: np.random.Generator | None) -> Any:
        """Observe a game.

        Args:
            game: what to see.
            rng: draws the published noise; without it, the game is seen as it is.

        Returns:
            An element of `space`."""
        ...


class Symbolic(Observation):
    """Polygons in pixels with colour maps, without kinds. N is 64 objects, V 40 corners.

    | array | what it has |
    | --- | --- |
    | `labels` [N] | 0 nothing, 1 an object, 2 the slingshot |
    | `corners` [N] | how many of the vertices count |
    | `vertices` [N, V, 2] | corners (x, y) in pixels |
    | `colors` [N, 256] | the share of each 8-bit colour |
    | `ground` [1] | the row of pixels at which the ground begins |"""

    space = Dict(
        {
            "labels": Box(0, SLINGSHOT_LABEL, (MAX_OBJECTS,), np.uint8),
            "corners": Box(0, MAX_VERTICES, (MAX_OBJECTS,), np.uint8),
            "vertices": Box(-PIXEL_BOUND, PIXEL_BOUND, (MAX_OBJECTS, MAX_VERTICES, 2), np.int16),
            "colors": Box(0.0, 1.0, (MAX_OBJECTS, COLORS), np.float32),
            "ground": Box(0, HEIGHT, (1,), np.int16),
        }
    )

    def of(self, game: ObservedGame, rng: np.random.Generator | None) -> dict[str, NDArray[Any]]:
        """Observe the polygons.

        Args:
            game: what to see.
            rng: draws the published noise.

        Returns:
            The arrays by name."""
        return symbolic_arrays(seen_symbolically(game, rng))


class Screenshot(Observation):
    """The screen [480, 640, 3], 8-bit RGB."""

    space = Box(0, 255, (HEIGHT, WIDTH, 3), np.uint8)

    def of(self, game: ObservedGame, rng: np.random.Generator | None) -> NDArray[np.uint8]:
        """Draw the screen.

        Args:
            game: what to see.
            rng: draws the published noise.

        Returns:
            The picture [480, 640, 3]."""
        return screenshot(_seen(game, rng))


class Planes(Observation):
    """The published 12 planes [12, 120, 160], one for each `Kind`."""

    space = Box(0, 1, (len(Kind), HEIGHT // REDUCED, WIDTH // REDUCED), np.uint8)

    def of(self, game: ObservedGame, rng: np.random.Generator | None) -> NDArray[np.uint8]:
        """Draw the planes.

        Args:
            game: what to see.
            rng: draws the published noise.

        Returns:
            The planes [12, 120, 160], 0 or 1."""
        return planes(_seen(game, rng))


class Truth(Observation):
    """Everything, for tests and upper bounds [N, 10]: whether there is a body, and the fields of `BodyState`."""

    space = Box(-TRUTH_BOUND, TRUTH_BOUND, (MAX_OBJECTS, 1 + len(fields(BodyState))), np.float32)
    can_be_noisy = False

    def of(self, game: ObservedGame, rng: np.random.Generator | None) -> NDArray[np.float32]:
        """Read the bodies of the game.

        Args:
            game: what to see.
            rng: unused, as there is no noise.

        Returns:
            One row for each body [N, 10], then zeros."""
        table = np.zeros((MAX_OBJECTS, 1 + len(fields(BodyState))), np.float32)
        for row, state in zip(table, game.body_states(), strict=False):
            row[:] = (1.0, *astuple(state))
        return table


OBSERVATIONS: Final[dict[str, type[Observation]]] = {
    "symbolic": Symbolic,
    "image": Screenshot,
    "planes": Planes,
    "truth": Truth,
}


def make_observation(name: str, noise: bool) -> Observation:
    """Look up an observation.

    Args:
        name: symbolic, image, planes or truth.
        noise: whether it will be given a generator of noise.

    Returns:
        The observation.

    Raises:
        ConfigError: for an unknown name, and for noise where there is none."""
    if name not in OBSERVATIONS:
        raise ConfigError(f"Expected an observation (got '{name}'); {did_you_mean(name, OBSERVATIONS)}")
    made = OBSERVATIONS[name]()
    if noise and not made.can_be_noisy:
        raise ConfigError(f"Expected noise=False with the observation '{name}', which is exact (got noise=True).")
    return made


def seen_symbolically(game: ObservedGame, rng: np.random.Generator | None = None) -> SymbolicState:
    """Observe a game in symbols; `symbolic.to_json` writes them as published.

    Args:
        game: what to see.
        rng: draws the published noise; without it, the game is seen as it is.

    Returns:
        The symbolic state."""
    return symbolic_state(_seen(game, rng), rng)


def symbolic_arrays(state: SymbolicState) -> dict[str, NDArray[Any]]:
    """Turn a symbolic state into arrays of fixed shapes.

    Args:
        state: what `seen_symbolically` gives.

    Returns:
        The arrays of `Symbolic` by name."""
    labels, corners = np.zeros((2, MAX_OBJECTS), np.uint8)
    vertices = np.zeros((MAX_OBJECTS, MAX_VERTICES, 2), np.int16)
    colors = np.zeros((MAX_OBJECTS, COLORS), np.float32)
    for row, one in enumerate(state.objects):
        labels[row] = SLINGSHOT_LABEL if one.label == SLINGSHOT else OBJECT_LABEL
        corners[row] = len(one.vertices)
        vertices[row, : len(one.vertices)] = one.vertices
        for code, share in one.colors.items():
            colors[row, code] = share
    ground = np.array([state.ground], np.int16)
    return {"labels": labels, "corners": corners, "vertices": vertices, "colors": colors, "ground": ground}


def _seen(game: ObservedGame, rng: np.random.Generator | None) -> list[SceneObject]:
    scene = scene_of(game)
    return scene if rng is None else noisy_scene(scene, rng)
