"""Initial penetration depth of bodies, by the separating axis theorem on their convex parts."""

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.constants import SCENE_PIXELS
from comphy.puzzles.phyre.world.scene import Scene, SceneBody
from comphy.puzzles.phyre.world.shapes import distance, turned

Bounds = tuple[float, float, float, float]  # left, bottom, right, top


def deepest_overlap(scene: Scene) -> float:
    """The largest penetration, in pixels, of a moving body into another or the scene border; negative: the smallest gap.

    Overlaps of static bodies are allowed. A gap may be that of the bounding boxes, which is a lower bound.
    """
    bounds = [body.bounds for body in scene.bodies]
    moving = [i for i, body in enumerate(scene.bodies) if not body.static]
    depths = [_beyond_the_scene(bounds[i]) for i in moving]
    for i in moving:
        for j, other in enumerate(scene.bodies):
            if other.static or j > i:
                boxes = _box_overlap(bounds[i], bounds[j])
                depths.append(boxes if boxes <= 0.0 else _overlap(scene.bodies[i], other))
    return max(depths, default=-math.inf)


def _beyond_the_scene(bounds: Bounds) -> float:
    left, bottom, right, top = bounds
    return max(-left, -bottom, right - SCENE_PIXELS, top - SCENE_PIXELS)


def _box_overlap(one: Bounds, other: Bounds) -> float:
    return min(one[2] - other[0], other[2] - one[0], one[3] - other[1], other[3] - one[1])


def _overlap(one: SceneBody, other: SceneBody) -> float:
    if one.shape.radius:
        return _ball_overlap(one, other)
    if other.shape.radius:
        return _ball_overlap(other, one)
    return max(_slab_overlap(a, b) for a, b in product(_corners(one), _corners(other)))


def _ball_overlap(ball: SceneBody, other: SceneBody) -> float:
    centre = np.array((ball.x - other.x, ball.y - other.y))
    return ball.shape.radius - float(distance(other.shape, other.angle, centre))


def _corners(body: SceneBody) -> list[NDArray[np.float64]]:
    place = np.array((body.x, body.y))
    return [turned(slab.corners, body.angle) + place for slab in body.shape.slabs]


def _slab_overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Penetration of two rectangles [4, 2]: the least overlap of their projections (separating axis theorem)."""
    sides = np.array((one[1] - one[0], one[2] - one[1], other[1] - other[0], other[2] - other[1]))
    axes = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    a, b = one @ axes.T, other @ axes.T
    return float(np.minimum(a.max(axis=0) - b.min(axis=0), b.max(axis=0) - a.min(axis=0)).min())
