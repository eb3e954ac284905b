"""Coulomb's force between two charged bodies, as a generator that pushes them before each step."""

from collections.abc import Iterator
from typing import Final

from comphy.sim.body import State
from comphy.sim.bullet.engine import Engine

POSITION_AGE: Final = 5  # steps after which a charged body's position is asked for again


def coulomb_force(
    engine: Engine, names: tuple[int, int], states: tuple[State, State], strength: float, timestep: float
) -> Iterator[None]:
    """Each `next`, due before each step, pushes the pair apart by strength / distance squared.

    Asking the engine for positions costs more than the force itself. They are asked for every few steps and carried
    on along the last known velocity in between, which is within 3e-4 of the truth at the accelerations of a
    tabletop. A generator, because its variables are the interpreter's fastest.
    """
    pose, push = engine.bullet.getBasePositionAndOrientation, engine.bullet.applyExternalForce
    client, world_frame, dt = engine.client, engine.bullet.WORLD_FRAME, timestep
    (a, b), (first, second) = names, states
    (ax, ay, az), (avx, avy, avz) = first[0], first[2]
    (bx, by, bz), (bvx, bvy, bvz) = second[0], second[2]
    avx, avy, avz, bvx, bvy, bvz = avx * dt, avy * dt, avz * dt, bvx * dt, bvy * dt, bvz * dt
    while True:
        ux, uy, uz, vx, vy, vz = ax, ay, az, bx, by, bz
        for _ in range(POSITION_AGE):
            dx, dy, dz = ax - bx, ay - by, az - bz
            scale = strength * (dx * dx + dy * dy + dz * dz) ** -1.5
            dx *= scale
            dy *= scale
            dz *= scale
            push(a, -1, (dx, dy, dz), (ax, ay, az), world_frame, client)
            push(b, -1, (-dx, -dy, -dz), (bx, by, bz), world_frame, client)
            yield
            ax += avx
            ay += avy
            az += avz
            bx += bvx
            by += bvy
            bz += bvz
        (ax, ay, az), (bx, by, bz) = pose(a, client)[0], pose(b, client)[0]
        avx, avy, avz = (ax - ux) / POSITION_AGE, (ay - uy) / POSITION_AGE, (az - uz) / POSITION_AGE
        bvx, bvy, bvz = (bx - vx) / POSITION_AGE, (by - vy) / POSITION_AGE, (bz - vz) / POSITION_AGE
