"""Predicted motion as a scene that a renderer can draw: the objects as they look, upright on the table where they are
imagined.

Shapes: F frames, N objects.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.drawing.canvas import Point
from comphy.scene.camera import Camera
from comphy.scene.clip import NOWHERE, Clip
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.asking.filming.recorded import HEIGHT, WIDTH
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.predicted_motion import PredictedMotion

Array = NDArray[np.float64]

_NEAREST: Final = 0.5  # units before the camera: what is nearer would fill the picture
_VISIBLY: Final = 3.0  # pixels; at 25 frames a second less is hardly seen, and drawing takes longest
_REACH: Final = 1.25  # of an object's outline, in its radius: corners of cubes, and the slant of the view


@dataclass(frozen=True)
class ImaginedScene:
    """What to draw, through which camera, and in its picture the middles of the objects [F, N, 2], their radius and
    whether they are there [F, N]; `start` is the number of the first frame."""

    poses: Clip
    camera: Camera
    middles: Array
    radius: Array
    there: NDArray[np.bool_]
    start: int

    @staticmethod
    def of(interpreted: InterpretedSet, predicted: PredictedMotion, camera: Camera) -> "ImaginedScene":
        """Raises `ValueError` if no motion was imagined."""
        motion = predicted.motion
        if motion is None:
            raise ValueError("Expected imagined motion to draw (got none).")
        camera, count = camera.resized(WIDTH, HEIGHT), len(interpreted.objects)
        ground, yaw = (values[0, :, :count].double().numpy() for values in (motion.position, motion.yaw))
        positions = np.concatenate([ground, np.full((*yaw.shape, 1), OBJECT_RADIUS)], axis=-1)
        middles, depth = camera.project(positions)
        there = motion.there[0, :, :count].numpy() & (depth > _NEAREST)
        positions[~there] = (0.0, 0.0, NOWHERE)
        zero = np.zeros_like(yaw)
        turned = np.stack([zero, zero, np.sin(yaw / 2), np.cos(yaw / 2)], axis=-1)
        looks = tuple(seen.spec for seen in interpreted.objects)
        radius = camera.focal * OBJECT_RADIUS / np.maximum(depth, _NEAREST)
        return ImaginedScene(Clip(looks, positions, turned), camera, middles, radius, there, motion.start)

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def boxes(self) -> Array:
        """Around the objects in the picture [F, N, 4]."""
        reach = _REACH * self.radius[..., None]
        return np.concatenate([self.middles - reach, self.middles + reach], axis=-1)

    def key_steps(self) -> NDArray[np.intp]:
        """The steps that are worth a picture of their own: those in which something has visibly moved since the one before,
        or has come or gone."""
        cubes = np.array([spec.shape is Shape.CUBE for spec in self.poses.objects])  # of others, no turn is seen
        turned = cubes * self.radius * 2 * np.arccos(np.clip(np.abs(self.poses.orientations[..., 3]), 0, 1))
        looks = np.concatenate([self.middles, turned[..., None]], axis=-1)
        looks = np.where(self.visible[..., None], looks, NOWHERE)
        steps = [0]
        for step in range(1, len(self)):
            if np.abs(looks[step] - looks[steps[-1]]).max(initial=0.0) > _VISIBLY:
                steps.append(step)
        return np.array(steps)

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Which objects have their middle in the picture [F, N]."""
        inside: NDArray[np.bool_] = ((self.middles >= 0) & (self.middles <= (WIDTH, HEIGHT))).all(axis=-1) & self.there
        return inside

    def path(self, number: int, step: int) -> list[Point]:
        """The middles of an object up to a step."""
        path = self.middles[: step + 1, number][self.there[: step + 1, number]]
        return [(x, y) for x, y in path.tolist()]
