"""Energy bound: proves that a task will stay unsolved, because what still moves has too little energy to reach the goal.

In a closed box that only loses energy, a body rises no higher than the energy of all awake bodies could lift it while the
others lie on the floor, and moves no faster than all of that energy could drive it. Sleeping bodies that no awake body can
reach stay asleep, and add no energy.
"""

import math
from typing import Final

from comphy.puzzles.phyre.world.constants import GRAVITY, STEPS_PER_SECOND
from comphy.sim.contacts import Pair
from comphy.sim.planar.repeated_planar_world import RepeatedPlanarWorld
from comphy.sim.shapes import Sphere, bounding_radius, planar_geometry

MARGIN: Final = 0.25  # metres; more than the distance at which the engine wakes a neighbour
ENERGY_GAIN: Final = 1.5  # factor on kinetic energy: the engine's contacts may add a little

_Reach = tuple[float, float, float, float]  # left, bottom, right, top


def out_of_reach(world: RepeatedPlanarWorld, goal: Pair, steps_left: int) -> bool:
    """Whether the two bodies of the goal, which do not touch now, cannot come to touch in the time that is left."""
    reaches = _reaches(world, steps_left / STEPS_PER_SECOND)
    for i, body in enumerate(world.run_bodies):
        if i not in reaches and not body.static:
            sleeper = _box(world, i)
            if any(_overlap(reach, sleeper) for reach in reaches.values()):
                return False
    first, second = (reaches[i] if i in reaches else _box(world, i) for i in goal)
    return not _overlap(first, second)


def _reaches(world: RepeatedPlanarWorld, seconds: float) -> dict[int, _Reach]:
    """Of each awake body the region that it cannot leave within a time."""
    awake, bodies, states = world.awake, world.run_bodies, world.states()
    energy = 0.0  # above that of lying still on the floor
    floors = []
    for i in awake:
        body, (place, _, velocity, spin) = bodies[i], states[i]
        floor = body.shape.radius if isinstance(body.shape, Sphere) else 0.0
        moving = velocity[0] ** 2 + velocity[1] ** 2 + planar_geometry(body.shape).inertia_per_mass * spin[2] ** 2
        energy += body.mass * (ENERGY_GAIN * moving / 2 + GRAVITY * max(0.0, place[1] - floor))
        floors.append(floor)
    reaches = {}
    for i, floor in zip(awake, floors, strict=True):
        mass, size, (x, y, _) = bodies[i].mass, bounding_radius(bodies[i].shape), states[i][0]
        top = max(y, floor + energy / (mass * GRAVITY)) + size + MARGIN
        way = math.sqrt(2 * energy / mass) * seconds + size + MARGIN
        reaches[i] = (x - way, -math.inf, x + way, top)
    return reaches


def _box(world: RepeatedPlanarWorld, body: int) -> _Reach:
    (left, bottom, _), (right, top, _) = world.bounding_box(body)
    return (left, bottom, right, top)


def _overlap(a: _Reach, b: _Reach) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
