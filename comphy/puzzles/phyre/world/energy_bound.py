"""Foresees that a task will stay unsolved: what still moves has too little energy to reach what matters.

In a closed box that only loses energy, a body rises no higher than all energy of those awake could lift it while the
others lie on the floor, and goes no faster than all of it could drive it. Sleepers whom no one awake can reach stay
asleep, and add nothing.
"""

import math
from collections.abc import Sequence
from typing import Final

from comphy.puzzles.phyre.world.constants import GRAVITY, STEPS_PER_SECOND
from comphy.sim.body import Body
from comphy.sim.contacts import Pair
from comphy.sim.repeated_planar_world import Arena
from comphy.sim.shapes import Sphere, bounding_radius, planar_geometry

MARGIN: Final = 0.25  # metres; more than the distance at which the engine wakes a neighbour
SPARE: Final = 1.5  # the engine's contacts may add a little energy

_Reach = tuple[float, float, float, float]  # left, bottom, right, top


def out_of_reach(arena: Arena, goal: Pair, steps_left: int) -> bool:
    """Whether the two bodies of the goal, which do not touch now, cannot come to touch in the time that is left."""
    awake, bodies = arena.awake, arena.everyone
    reaches = _reaches(arena, bodies, awake, steps_left / STEPS_PER_SECOND)
    moved = set(awake)
    for i, body in enumerate(bodies):
        if i not in moved and not body.static:
            sleeper = _box(arena, i)
            if any(_overlap(reach, sleeper) for reach in reaches.values()):
                return False
    first, second = (reaches[i] if i in moved else _box(arena, i) for i in goal)
    return not _overlap(first, second)


def _reaches(arena: Arena, bodies: Sequence[Body], awake: Sequence[int], seconds: float) -> dict[int, _Reach]:
    states = arena.states()
    spare_energy = 0.0  # above that of lying still on the floor
    weights, floors = [], []
    for i in awake:
        body, (place, _, velocity, spin) = bodies[i], states[i]
        floor = body.shape.radius if isinstance(body.shape, Sphere) else 0.0
        moving = velocity[0] ** 2 + velocity[1] ** 2 + planar_geometry(body.shape).inertia_per_mass * spin[2] ** 2
        spare_energy += body.mass * (SPARE * moving / 2 + GRAVITY * max(0.0, place[1] - floor))
        weights.append(body.mass)
        floors.append(floor)
    reaches = {}
    for i, mass, floor in zip(awake, weights, floors, strict=True):
        size, (x, y, _) = bounding_radius(bodies[i].shape), states[i][0]
        top = max(y, floor + spare_energy / (mass * GRAVITY)) + size + MARGIN
        way = math.sqrt(2 * spare_energy / mass) * seconds + size + MARGIN
        reaches[i] = (x - way, -math.inf, x + way, top)
    return reaches


def _box(arena: Arena, body: int) -> _Reach:
    (left, bottom, _), (right, top, _) = arena.surrounding_box(body)
    return (left, bottom, right, top)


def _overlap(a: _Reach, b: _Reach) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
