"""`SimulatedWorld`: the base of all worlds. It owns or borrows an engine, builds the bodies in it and rewinds them."""

import math
from collections.abc import Sequence

from comphy.closing import Closeable
from comphy.sim.body import Body, State
from comphy.sim.bullet import Engine
from comphy.sim.bullet.bodies import PLANAR_ITERATIONS
from comphy.sim.bullet.scene import BulletScene
from comphy.sim.shapes import Vector, bounding_radius, planar_geometry


class EngineUser(Closeable):
    """Works with an engine that was handed in, or opens one of its own, which it closes at the end."""

    def __init__(self, engine: Engine | None = None) -> None:
        self._owns_engine = engine is None
        self._engine = engine or Engine()

    def close(self) -> None:
        if self._owns_engine:
            self._engine.close()


class SimulatedWorld(EngineUser):
    """Bodies in an engine. Every run starts from their initial states and depends on nothing that was run before.

    A subclass says how a run is stepped and what is recorded of it: `World` (whole rollouts with collisions),
    `RepeatedPlanarWorld` (many short runs, each with other added bodies) and `DynamicPlanarWorld` (bodies enter and leave
    during a run). Several worlds may exist at once, each on its own `Engine`; worlds that share one must be used one
    after the other.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        *,
        timestep: float,
        gravity: Vector,
        planar: bool,
        engine: Engine | None = None,
        iterations: int = PLANAR_ITERATIONS,
    ) -> None:
        if planar:
            check_planar(bodies)
        super().__init__(engine)
        self.bodies = tuple(bodies)
        self.timestep = timestep
        self._scene = BulletScene(self._engine, self.bodies, gravity, timestep, planar, iterations)
        self._set_run_bodies(self.bodies)

    def _rewind(self, added: Sequence[Body] = ()) -> None:
        """Begin a run: every body in its initial state, and behind them the bodies added for this run (planar worlds)."""
        self._scene.rewind(added)
        self._set_run_bodies((*self.bodies, *added))

    def _set_run_bodies(self, bodies: tuple[Body, ...]) -> None:
        self.run_bodies = bodies  # of the present run, added ones last
        self._moving = [i for i, body in enumerate(bodies) if not body.static]
        self._states: list[State] = [
            (body.position, body.orientation, body.velocity, body.angular_velocity) for body in bodies
        ]

    def states(self) -> list[State]:
        """Position, orientation, velocity and angular velocity of each body now; valid until the next call."""
        self._scene.read_states(self._moving, self._states)
        return self._states


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
