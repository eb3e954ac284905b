"""`PlanarWorld`: a world in the x-y plane, y up, in which bodies that rest are put to sleep."""

import math
from collections.abc import Sequence

from comphy.sim.body import Body
from comphy.sim.bullet import Engine
from comphy.sim.bullet.bodies import PLANAR_ITERATIONS
from comphy.sim.planar.sleep import Box, SleepManager
from comphy.sim.shapes import Vector
from comphy.sim.simulated_world import SimulatedWorld, check_planar


class PlanarWorld(SimulatedWorld):
    """What the planar worlds share. A run is what follows `start`; bodies are numbered by their places in `run_bodies`."""

    def __init__(
        self,
        bodies: Sequence[Body],
        *,
        timestep: float,
        gravity: Vector,
        engine: Engine | None = None,
        iterations: int = PLANAR_ITERATIONS,
    ) -> None:
        super().__init__(bodies, timestep=timestep, gravity=gravity, planar=True, engine=engine, iterations=iterations)
        self._gravity = math.hypot(*gravity)
        self._sleep = SleepManager(self._scene, ())

    def _start(self, added: Sequence[Body] = ()) -> None:
        """Begin a run: every body where it was at first, all of them awake."""
        check_planar(added)
        self._rewind(added)
        self._sleep = SleepManager(self._scene, self.run_bodies)

    @property
    def awake(self) -> list[int]:
        """The bodies that move or may soon."""
        return self._sleep.awake

    @property
    def asleep(self) -> bool:
        """Whether all bodies are asleep, so that nothing will change by itself."""
        return self._sleep.all_asleep

    def bounding_box(self, body: int) -> Box:
        """The lower and the upper corner of an axis-aligned box around a body."""
        return self._scene.bounding_box(body)
