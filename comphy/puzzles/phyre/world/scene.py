"""A puzzle scene as data: bodies in pixels, and which two of them must touch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import PX, Color
from comphy.puzzles.phyre.world.shapes import PuzzleShape


@dataclass(frozen=True)
class SceneBody:
    """A shape at a place: centre of mass in pixels, angle in radians."""

    shape: PuzzleShape
    x: float
    y: float
    angle: float
    color: Color

    @property
    def static(self) -> bool:
        return self.color in (Color.PURPLE, Color.BLACK)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top in pixels."""
        left, bottom, right, top = self.shape.bounds(self.angle)
        return (self.x + left, self.y + bottom, self.x + right, self.y + top)


@dataclass(frozen=True)
class Scene:
    """Bodies in painting order, without the four walls around the scene; `goal` names two of them by their places."""

    bodies: tuple[SceneBody, ...]
    goal: tuple[int, int]

    @property
    def goal_sentence(self) -> str:
        """What the player is asked for."""
        first, second = (self.bodies[i] for i in self.goal)
        return f"Make sure the {_described(first)} is touching the {_described(second)}."


def _described(body: SceneBody) -> str:
    return f"{body.color.name} {body.shape.kind.name}".lower().replace("_", " ")


@dataclass(frozen=True)
class Placed:
    """What a template author sees of a body that was placed: the edges of its bounding box as fractions of the scene."""

    index: int
    static: bool
    shape: PuzzleShape
    x: float
    y: float
    angle: float

    @property
    def left(self) -> float:
        return (self.x + self.shape.bounds(self.angle)[0]) * PX

    @property
    def bottom(self) -> float:
        return (self.y + self.shape.bounds(self.angle)[1]) * PX

    @property
    def right(self) -> float:
        return (self.x + self.shape.bounds(self.angle)[2]) * PX

    @property
    def top(self) -> float:
        return (self.y + self.shape.bounds(self.angle)[3]) * PX

    @property
    def centre_x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def centre_y(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def inside(self) -> bool:
        """Whether the whole bounding box lies in the scene, to a thousandth of a pixel."""
        slack = 1e-3 * PX
        return min(self.left, self.bottom) >= -slack and max(self.right, self.top) <= 1.0 + slack

    def colored(self, color: Color) -> SceneBody:
        return SceneBody(self.shape, self.x, self.y, math.remainder(self.angle, math.tau), color)


def posed(bodies: Sequence[SceneBody], poses: NDArray[np.float64]) -> list[SceneBody]:
    """The bodies at poses [N, 3]: x, y, angle."""
    return [replace(body, x=x, y=y, angle=angle) for body, (x, y, angle) in zip(bodies, poses.tolist(), strict=True)]
