"""Objects as numbers: position, angle, size, shape and colour of every body in every frame."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, Color, ShapeKind
from comphy.puzzles.phyre.world.observations.observation import Image, observation
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.shapes import shape_of

OBJECT_FEATURE_SIZE: Final = 14
_FIRST_SHAPE: Final = 4
_FIRST_COLOR: Final = _FIRST_SHAPE + len(ShapeKind)


@dataclass(frozen=True)
class FeaturizedObjects:
    """Features of T frames and N bodies, the player's balls last, the walls around the scene left out.

    | feature | what it is |
    | --- | --- |
    | 0, 1 | centre of mass, in scene sides; outside [0, 1] for bodies that stick out |
    | 2 | angle, in turns |
    | 3 | diameter, in scene sides |
    | 4-7 | shape, one-hot: ball, bar, jar, standing sticks |
    | 8-13 | colour, one-hot: red, green, blue, purple, gray, black |

    Attributes:
        features: [T, N, 14].

    Raises:
        ValueError: for features of another shape."""

    features: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.features.ndim != 3 or self.features.shape[2] != OBJECT_FEATURE_SIZE:
            raise ValueError(f"Expected features [T, N, {OBJECT_FEATURE_SIZE}] (got shape {self.features.shape}).")

    @property
    def num_objects(self) -> int:
        """N, how many objects there are."""
        return self.features.shape[1]

    @property
    def num_user_inputs(self) -> int:
        """How many of them are balls of the player."""
        return self.colors.count(Color.RED.name)

    @property
    def num_scene_objects(self) -> int:
        """How many of them belong to the task."""
        return self.num_objects - self.num_user_inputs

    @property
    def xs(self) -> NDArray[np.float32]:
        """[T, N]"""
        return self.features[..., 0]

    @property
    def ys(self) -> NDArray[np.float32]:
        """[T, N]"""
        return self.features[..., 1]

    @property
    def angles(self) -> NDArray[np.float32]:
        """[T, N], in turns"""
        return self.features[..., 2]

    @property
    def diameters(self) -> NDArray[np.float32]:
        """[N]"""
        return self.features[0, :, 3]

    @property
    def states(self) -> NDArray[np.float32]:
        """[T, N, 3]: x, y and angle, what changes from frame to frame"""
        return self.features[..., :3]

    @property
    def shapes_one_hot(self) -> NDArray[np.float32]:
        """[N, 4]"""
        return self.features[0, :, _FIRST_SHAPE:_FIRST_COLOR]

    @property
    def colors_one_hot(self) -> NDArray[np.float32]:
        """[N, 6]"""
        return self.features[0, :, _FIRST_COLOR:]

    @property
    def shapes(self) -> list[str]:
        """[N]: BALL, BAR, JAR or STANDINGSTICKS"""
        return [kind.name.replace("_", "") for kind in self._kinds]

    @property
    def colors(self) -> list[str]:
        """[N]: RED, GREEN, BLUE, PURPLE, GRAY or BLACK"""
        return [color.name for color in self._codes]

    @property
    def _kinds(self) -> list[ShapeKind]:
        return [ShapeKind(int(k)) for k in self.shapes_one_hot.argmax(axis=-1)]

    @property
    def _codes(self) -> list[Color]:
        return [Color(int(k) + 1) for k in self.colors_one_hot.argmax(axis=-1)]

    def bodies(self) -> list[SceneBody]:
        """The bodies that the features of the first frame describe."""
        return [
            SceneBody(
                shape_of(kind, SCENE_PIXELS * diameter), SCENE_PIXELS * x, SCENE_PIXELS * y, math.tau * turns, color
            )
            for kind, color, (x, y, turns, diameter) in zip(
                self._kinds, self._codes, self.features[0, :, :_FIRST_SHAPE].tolist(), strict=True
            )
        ]


def featurize(bodies: Sequence[SceneBody], poses: NDArray[np.float64]) -> FeaturizedObjects:
    """Describe bodies by features.

    Args:
        bodies: those of the scene, then the player's balls.
        poses: [T, N, 3]: x, y in pixels, angle in radians.

    Returns:
        Their features."""
    features = np.zeros((len(poses), len(bodies), OBJECT_FEATURE_SIZE), dtype=np.float32)
    features[..., :2] = poses[..., :2] / SCENE_PIXELS
    features[..., 2] = poses[..., 2] % math.tau / math.tau
    for i, body in enumerate(bodies):
        features[:, i, 3] = body.shape.diameter / SCENE_PIXELS
        features[:, i, _FIRST_SHAPE + body.shape.kind] = 1.0
        features[:, i, _FIRST_COLOR + body.color - 1] = 1.0
    return FeaturizedObjects(features)


def featurized_objects_vector_to_raster(featurized_objects: NDArray[np.float32]) -> Image:
    """Draw objects from their features.

    Args:
        featurized_objects: features of one frame, [N, 14].

    Returns:
        The observation [256, 256]. Features are float32, so it may differ from the scene's own where an edge goes
        through the middle of pixels.

    Raises:
        ValueError: for features of another shape."""
    return observation(FeaturizedObjects(featurized_objects[None]).bodies())
