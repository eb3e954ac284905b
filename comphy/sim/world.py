"""`World`: bodies, gravity and forces in; `Rollout` out.

All three benchmarks simulate through `SimulatedWorld`, the base of this class: ComPhy's tabletops through `World` itself,
PHYRE through `RepeatedPlanarWorld`, Phy-Q through `DynamicPlanarWorld` (both in `comphy.sim.planar`).
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from comphy.sim.body import Body, State
from comphy.sim.bullet import Engine
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import Vector
from comphy.sim.simulated_world import SimulatedWorld
from comphy.sim.watch import PairWatch

StopRule = Callable[[int, list[State]], bool]

_STATE: Final = struct.Struct("13d")

RELEASE_SECONDS: Final = 0.2  # contacts of one pair that are closer together in time are one collision
BLOW_SECONDS: Final = 0.04  # a blow is over after this long; later contact is leaning


class World(SimulatedWorld):
    """A built scene that can be run again and again; every run starts from the bodies' initial states.

    Tabletop worlds are 3-D with z up. Planar worlds live in the x-y plane with y up; bodies keep z = 0 and turn about
    z. All lengths are in metres, times in seconds.

    Args:
        bodies: what is in the world. Results number them in this order.
        timestep: seconds of an engine step.
        gravity: acceleration, m/s².
        coulomb: constant k of the force k q_i q_j / d² between charged bodies; 0 for none.
        planar: whether the world is 2-D.
        watch: pairs whose collisions are wanted; by default all pairs of moving bodies. A mapping gives the greatest
            distance of centres at which each pair can touch, where the caller knows better than the shapes' bounding
            balls.
        engine: an engine to use; by default the world opens one of its own, and closes it at the end.

    Raises:
        ValueError: if a moving planar body is not centred at its centroid, or is outside the plane.
        MissingDependency: if Bullet is not installed."""

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
        super().__init__(bodies, timestep=timestep, gravity=gravity, planar=planar, engine=engine)
        self._watch = PairWatch(self.bodies, watch, timestep, contacts_are_steady=not planar)
        self._attractions = [
            (i, j, coulomb * self.bodies[i].charge * self.bodies[j].charge)
            for i, j in combinations(range(len(self.bodies)), 2)
            if coulomb and self.bodies[i].charge and self.bodies[j].charge
        ]

    def run(self, frames: int, steps_per_frame: int, stop: StopRule | None = None) -> Rollout:
        """Simulate from the initial states and record a state for each frame.

        Args:
            frames: how many states to record, the initial one included.
            steps_per_frame: engine steps from one frame to the next.
            stop: called as `stop(frame, states)` before the next frame is simulated; the run ends early when it is
                true.

        Returns:
            The states of all bodies and the collisions of the watched pairs."""
        self._rewind()
        log = ContactLog(round(RELEASE_SECONDS / self.timestep), max(1, round(BLOW_SECONDS / self.timestep)))
        read_states, advance, in_reach = self._scene.read_states, self._scene.advance, self._watch.in_reach
        self._watch.restart()
        states = self._states
        history = list(states)
        for frame in range(1, frames):
            if stop is not None and stop(frame - 1, states):
                break
            steps = range((frame - 1) * steps_per_frame, frame * steps_per_frame)
            advance(steps, states, self._attractions, in_reach(states, steps, log), log)
            read_states(self._moving, states)
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
