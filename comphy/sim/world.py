"""`World`: bodies, gravity and forces in; `Rollout` out. All three benchmarks simulate through it."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from types import TracebackType

import numpy as np

from comphy.sim.body import Body
from comphy.sim.bullet import BulletScene, Engine
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import Vector, bounding_radius, planar_geometry

State = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]
StopRule = Callable[[int, list[State]], bool]

# Bodies nearer than this may carry contact force before their shapes meet exactly.
CONTACT_MARGIN = 0.02

# Contacts of one pair closer together than this many seconds are one collision.
RELEASE_SECONDS = 0.2


class World:
    """A built scene that can be run again and again; every run starts from the bodies' initial states.

    Tabletop worlds are 3-D with z up. Planar worlds live in the x-y plane with y up; bodies keep z = 0 and turn about z.
    Several worlds may exist at once, each on its own `Engine`; worlds that share one must be used one after the other.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        *,
        timestep: float,
        gravity: Vector = (0.0, 0.0, -9.8),
        coulomb: float = 0.0,
        planar: bool = False,
        watch: Sequence[Pair] | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.bodies = tuple(bodies)
        self.timestep = timestep
        self._owns_engine = engine is None
        if planar:
            _check_planar(self.bodies)
        self._engine = engine or Engine()
        self._scene = BulletScene(self._engine, self.bodies, gravity, timestep, planar)
        self._dynamic = [i for i, body in enumerate(self.bodies) if not body.static]
        radii = [bounding_radius(body.shape) for body in self.bodies]
        pairs = watch if watch is not None else combinations(self._dynamic, 2)
        self._watch = [((i, j), radii[i] + radii[j] + CONTACT_MARGIN) for i, j in pairs]
        self._attractions = [
            (i, j, coulomb * self.bodies[i].charge * self.bodies[j].charge)
            for i, j in combinations(range(len(self.bodies)), 2)
            if coulomb and self.bodies[i].charge and self.bodies[j].charge
        ]

    def close(self) -> None:
        if self._owns_engine:
            self._engine.close()

    def __enter__(self) -> "World":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def run(self, frames: int, steps_per_frame: int, stop: StopRule | None = None) -> Rollout:
        """Simulate and record `frames` states, the initial one included; end early when `stop(frame, states)` is true."""
        self._scene.rewind()
        log = ContactLog(round(RELEASE_SECONDS / self.timestep))
        states: list[State] = [
            (body.position, body.orientation, body.velocity, body.angular_velocity) for body in self.bodies
        ]
        history: list[float] = []
        _append(history, states)
        for frame in range(1, frames):
            if stop is not None and stop(frame - 1, states):
                break
            steps = range((frame - 1) * steps_per_frame, frame * steps_per_frame)
            self._scene.advance(steps, self._attractions, self._pairs_in_reach(states, steps), log)
            for i in self._dynamic:
                states[i] = self._scene.state(i)
            _append(history, states)
        return self._rollout(history, log, steps_per_frame)

    def _pairs_in_reach(self, states: list[State], steps: range) -> list[tuple[Pair, int]]:
        """Watched pairs that could touch within `steps`, each with the first step at which it could.

        No body is assumed to exceed three times the present top speed within a frame (a light body struck head-on by a
        heavy one leaves with less than twice the striker's), plus what gravity adds.
        """
        top_speed = max((math.hypot(*states[i][2]) for i in self._dynamic), default=0.0)
        seconds = len(steps) * self.timestep
        approach = (6.0 * top_speed + 10.0 * seconds) * self.timestep
        near = []
        for pair, contact_distance in self._watch:
            (ax, ay, az), (bx, by, bz) = states[pair[0]][0], states[pair[1]][0]
            limit = contact_distance + approach * len(steps)
            squared = (ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2
            if squared <= limit * limit:
                gap = max(0.0, math.sqrt(squared) - contact_distance)
                near.append((pair, steps.start + max(0, int(gap / approach) - 1)))
        return near

    def _rollout(self, history: list[float], log: ContactLog, steps_per_frame: int) -> Rollout:
        table = np.array(history).reshape(-1, len(self.bodies), 13)
        return Rollout(
            positions=table[..., 0:3],
            orientations=table[..., 3:7],
            velocities=table[..., 7:10],
            angular_velocities=table[..., 10:13],
            collisions=log.collisions(),
            steps_per_frame=steps_per_frame,
        )


def _append(history: list[float], states: list[State]) -> None:
    for state in states:
        for part in state:
            history.extend(part)


def _check_planar(bodies: Sequence[Body]) -> None:
    """A planar body must turn about z through its centroid, or the lock pulls it out of the plane."""
    for i, body in enumerate(bodies):
        if body.static:
            continue
        x, y = planar_geometry(body.shape).centroid
        if math.hypot(x, y) > 1e-6 * max(1.0, bounding_radius(body.shape)):
            raise ValueError(
                f"Expected the origin of planar body {i} at its centroid (got centroid ({x:g}, {y:g})). "
                "Shift the vertices or parts by minus the centroid and the body's position by plus it."
            )
        if body.position[2] != 0.0 or body.orientation[0] != 0.0 or body.orientation[1] != 0.0:
            raise ValueError(
                f"Expected planar body {i} at z = 0, turned about z only (got {body.position}, {body.orientation})."
            )
