"""Closeness: how close a failed attempt came to its goal, measured on its run; the objective of hill climbing."""

from typing import Final

import numpy as np

from comphy.puzzles.phyre.world.actions import Floats
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, STEPS_FOR_SOLUTION
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import PuzzleShape, Slab, distance, turned

TOUCHING: Final = 1.0  # pixels; nearer than this counts as touching
_ALONG: Final = np.linspace(-1.0, 1.0, 9)


def closeness(scene: Scene, states: Floats, stride: int) -> float:
    """From 0, as far away as can be, to 2, a solution, of a run's states [T, N, 6], `stride` steps apart.

    Up to 1 it tells the smallest gap between the goal's two bodies, above how long they touched without a break, as a
    share of the time that solves the task.
    """
    gaps = goal_gaps(scene, states)
    held = longest = 0
    for touching in gaps < TOUCHING:
        held = held + stride if touching else 0
        longest = max(longest, held)
    near = 1.0 - min(max(float(gaps.min()), 0.0) / SCENE_PIXELS, 1.0)
    return near + min(longest / STEPS_FOR_SOLUTION, 1.0)


def goal_gaps(scene: Scene, states: Floats) -> Floats:
    """Pixels [T] between the goal's two bodies; below 0 where they overlap."""
    (one, poses), (other, other_poses) = ((scene.bodies[k].shape, states[:, k, :3]) for k in scene.goal)
    return np.minimum(_reach(one, poses, other, other_poses), _reach(other, other_poses, one, poses))


def _reach(one: PuzzleShape, poses: Floats, other: PuzzleShape, other_poses: Floats) -> Floats:
    """[T]: from points on one shape to another one, poses [T, 3]; exact if the first is a ball."""
    points = _turned(_outline(one)[None], poses[:, None, 2]) + (poses - other_poses)[:, None, :2]
    as_it_lies = _turned(points, -other_poses[:, None, 2])
    return np.asarray(distance(other, 0.0, as_it_lies).min(axis=1) - one.radius)


def _turned(points: Floats, angles: Floats) -> Floats:
    """Points [..., 2], each by its own angle [...]."""
    cos, sin, (x, y) = np.cos(angles), np.sin(angles), np.moveaxis(points, -1, 0)
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def _outline(shape: PuzzleShape) -> Floats:
    """Points [P, 2] from which no point of the shape's edge is far; a ball's centre."""
    if not shape.slabs:
        return np.zeros((1, 2))
    return np.concatenate([_long_sides(slab) for slab in shape.slabs])


def _long_sides(slab: Slab) -> Floats:
    points = [(along * slab.half_length, side * slab.half_thickness) for along in _ALONG for side in (-1.0, 1.0)]
    return turned(np.array(points), slab.angle) + np.array((slab.x, slab.y))
