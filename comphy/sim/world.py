"""`World`: bodies, gravity and forces in; `Rollout` out. All three benchmarks simulate through it."""

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import TracebackType

import numpy as np

from comphy.sim.body import Body
from comphy.sim.bullet import BulletScene, Engine, State
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import Vector, bounding_radius, planar_geometry
from comphy.sim.watch import PairWatch

StopRule = Callable[[int, list[State]], bool]

_STATE = struct.Struct("13d")

# Contacts of one pair closer together than this many seconds are one collision.
RELEASE_SECONDS = 0.2
# A blow is over after this long; later contact is leaning.
BLOW_SECONDS = 0.04


class World:
    """A built scene that can be run again and again; every run starts from the bodies' initial states.

    Tabletop worlds are 3-D with z up. Planar worlds live in the x-y plane with y up; bodies keep z = 0 and turn about z.
    Several worlds may exist at once, each on its own `Engine`; worlds that share one must be used one after the other.
    `watch` names the pairs whose collisions are wanted (default: all moving ones), or maps them to the greatest distance
    of centres at which they can touch, where the caller knows better than the shapes' bounding balls.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        *,
        timestep: float,
        gravity: Vector = (0.0, 0.0, -9.8),
        coulomb: float = 0.0,
        planar: bool = False,
        watch: Sequence[Pair] | Mapping[Pair, float] | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.bodies = tuple(bodies)
        self.timestep = timestep
        self._owns_engine = engine is None
        if planar:
            check_planar(self.bodies)
        self._engine = engine or Engine()
        self._scene = BulletScene(self._engine, self.bodies, gravity, timestep, planar)
        self._dynamic = [i for i, body in enumerate(self.bodies) if not body.static]
        self._watch = PairWatch(self.bodies, watch, timestep, contacts_are_steady=not planar)
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
        log = ContactLog(round(RELEASE_SECONDS / self.timestep), max(1, round(BLOW_SECONDS / self.timestep)))
        read_states, advance, in_reach = self._scene.read_states, self._scene.advance, self._watch.in_reach
        self._watch.restart()
        states: list[State] = [
            (body.position, body.orientation, body.velocity, body.angular_velocity) for body in self.bodies
        ]
        history = list(states)
        for frame in range(1, frames):
            if stop is not None and stop(frame - 1, states):
                break
            steps = range((frame - 1) * steps_per_frame, frame * steps_per_frame)
            advance(steps, states, self._attractions, in_reach(states, steps, log), log)
            read_states(self._dynamic, states)
            history += states
        return self._rollout(history, log, steps_per_frame)

    def _rollout(self, history: list[State], log: ContactLog, steps_per_frame: int) -> Rollout:
        rows = [_STATE.pack(*place, *turn, *velocity, *spin) for place, turn, velocity, spin in history]
        table = np.frombuffer(b"".join(rows)).reshape(-1, len(self.bodies), 13).copy()
        return Rollout(
            positions=table[..., 0:3],
            orientations=table[..., 3:7],
            velocities=table[..., 7:10],
            angular_velocities=table[..., 10:13],
            collisions=log.collisions(),
            steps_per_frame=steps_per_frame,
        )


def check_planar(bodies: Sequence[Body]) -> None:
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
