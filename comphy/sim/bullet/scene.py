"""`BulletScene`: bodies inside an engine that are rewound, stepped and read."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from comphy.errors import ComphyError
from comphy.sim.body import Body, State
from comphy.sim.bullet.bodies import PLANAR_ITERATIONS, BodyMaker, ClientSettings
from comphy.sim.bullet.coulomb import coulomb_force
from comphy.sim.bullet.engine import Engine
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.shapes import IDENTITY, Quaternion, Vector

FAR_AWAY: Final = 1e4  # where planar bodies wait while their past is forgotten, so far apart that none meet
STILL: Final = (0.0, 0.0, 0.0)


class BulletScene:
    """Bodies inside an engine: build, rewind, step with forces, read states. `ids[i]` is Bullet's name of body i."""

    def __init__(
        self,
        engine: Engine,
        bodies: Sequence[Body],
        gravity: tuple[float, float, float],
        timestep: float,
        planar: bool,
        iterations: int = PLANAR_ITERATIONS,
    ) -> None:
        self._bullet = engine.bullet
        self._engine = engine
        self._client = engine.client
        self._bodies = tuple(bodies)
        self._settings = ClientSettings(gravity, timestep, planar, iterations)
        self._timestep = timestep
        self._added: list[Body] = []
        self._asleep: set[int] = set()
        self._steps_per_call = 0
        self.begins_asleep = False  # bodies may be put to sleep before their first step
        self.ids: list[int] = []
        self._numbers: dict[int, int] = {}  # the places of Bullet's names in `ids`

    def rewind(self, added: Sequence[Body] = ()) -> None:
        """Put every body into its initial state, with no memory of earlier runs.

        Added bodies come after the others and take part in this run only; planar worlds may have them. Making a body costs
        as much as fifty steps, so added bodies of the same kind as those of the last run are those, moved.
        """
        if self._engine.client != self._client:
            raise ComphyError("Expected a world that is open (its engine was closed). Make a new one.")
        if not self._settings.planar or not self._engine.has_built(self):
            self._build()
        if self._settings.planar:
            self._replace_added(added)
            self._forget_contacts()
        self._numbers = {name: i for i, name in enumerate(self.ids)}

    def _build(self) -> None:
        maker = self._engine.planar_maker
        if maker and maker.serves(self._settings):
            maker.remove(maker.names)
        else:
            maker = BodyMaker.set_up(self._bullet, self._client, self._settings)
        self._set_steps_per_call(1)
        self._engine.set_built(self)
        self._engine.planar_maker = maker if self._settings.planar else None
        self._maker = maker
        self._added = []
        self._asleep = set()
        self.ids = [maker.add(body) for body in self._bodies]
        maker.names = self.ids  # the list itself: bodies that are added are in it, too

    def _replace_added(self, added: Sequence[Body]) -> None:
        """Bodies keep their order in the solver, so all those behind one that is removed are made again."""
        kept = 0
        for old, new in zip(self._added, added, strict=False):
            if _kind(old) != _kind(new):
                break
            kept += 1
        self._maker.remove(self.ids[len(self._bodies) + kept :])
        del self.ids[len(self._bodies) + kept :]
        self.ids += [self._maker.add(body) for body in added[kept:]]
        self._added = list(added)

    def _forget_contacts(self) -> None:
        """Let all moving bodies take one step upright and far from everything, each at its own height above the plane, then
        place them.

        That step ends all contacts, and Bullet works out a body's inertia in the world at the end of each step. Bodies
        that begin asleep keep their boxes of that step: seen from above they must be where they belong, turned as they are.
        """
        bullet, client = self._bullet, self._client
        bodies = zip([*self._bodies, *self._added], self.ids, strict=True)
        moving = [(body, name) for body, name in bodies if not body.static]
        for name in self._asleep:
            bullet.changeDynamics(name, -1, activationState=bullet.ACTIVATION_STATE_WAKE_UP, physicsClientId=client)
        self._asleep.clear()
        for k, (body, name) in enumerate(moving):
            x, y, _ = body.position
            orientation = body.orientation if self.begins_asleep else IDENTITY
            bullet.resetBasePositionAndOrientation(name, (x, y, FAR_AWAY * (k + 1)), orientation, client)
            bullet.resetBaseVelocity(name, STILL, STILL, client)
        bullet.stepSimulation(client)
        for body, name in moving:
            bullet.resetBasePositionAndOrientation(name, body.position, body.orientation, client)
            bullet.resetBaseVelocity(name, body.velocity, body.angular_velocity, client)

    def step(self, count: int) -> None:
        """Take `count` steps, a power of two, without forces and without recording contacts."""
        if count != self._steps_per_call:
            self._set_steps_per_call(count)
        self._bullet.stepSimulation(self._client)

    def _set_steps_per_call(self, count: int) -> None:
        self._bullet.setTimeStep(self._timestep * count, self._client)
        self._bullet.setPhysicsEngineParameter(numSubSteps=count if count > 1 else 0, physicsClientId=self._client)
        self._steps_per_call = count

    def position(self, body: int) -> Sequence[float]:
        place: Sequence[float] = self._bullet.getBasePositionAndOrientation(self.ids[body], self._client)[0]
        return place

    def velocity(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        """Linear and angular."""
        motion: tuple[Sequence[float], Sequence[float]] = self._bullet.getBaseVelocity(self.ids[body], self._client)
        return motion

    def bounding_box(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        """The lower and the upper corner of an axis-aligned box around a body."""
        corners: tuple[Sequence[float], Sequence[float]] = self._bullet.getAABB(self.ids[body], -1, self._client)
        return corners

    def put_to_sleep(self, body: int) -> None:
        """Stop a body and leave it out of all work until one that is awake comes near it."""
        name = self.ids[body]
        self._bullet.resetBaseVelocity(name, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), self._client)
        sleep = self._bullet.ACTIVATION_STATE_SLEEP
        self._bullet.changeDynamics(name, -1, activationState=sleep, physicsClientId=self._client)
        self._asleep.add(name)

    def wake(self, body: int) -> None:
        name = self.ids[body]
        wake_up = self._bullet.ACTIVATION_STATE_WAKE_UP
        self._bullet.changeDynamics(name, -1, activationState=wake_up, physicsClientId=self._client)
        self._asleep.discard(name)

    def place(self, body: int, position: Vector, orientation: Quaternion = IDENTITY) -> None:
        """Put a body somewhere else, at rest."""
        name = self.ids[body]
        self._bullet.resetBasePositionAndOrientation(name, position, orientation, self._client)
        self._bullet.resetBaseVelocity(name, STILL, STILL, self._client)

    def set_velocity(self, body: int, velocity: Vector, spin: Vector) -> None:
        self._bullet.resetBaseVelocity(self.ids[body], velocity, spin, self._client)

    def velocities(self, bodies: Sequence[int]) -> dict[int, Sequence[float]]:
        """The linear velocities of some bodies."""
        motion, ids, client = self._bullet.getBaseVelocity, self.ids, self._client
        return {body: motion(ids[body], client)[0] for body in bodies}

    def collect_gaps(self, body: int, gaps: dict[Pair, float]) -> None:
        """Add those that a body is in contact with or nearly so, each with the smallest distance."""
        name, number = self.ids[body], self._numbers
        for point in self._bullet.getContactPoints(name, -1, -2, -2, self._client):
            other, gap = number[point[2] if point[1] == name else point[1]], point[8]
            pair = (body, other) if body < other else (other, body)
            if pair not in gaps or gap < gaps[pair]:
                gaps[pair] = gap

    def gap_within(self, first: int, second: int, reach: float) -> float:
        """The distance of two bodies wherever they are, asleep or awake; infinity if it is above `reach`."""
        points = self._bullet.getClosestPoints(self.ids[first], self.ids[second], reach, physicsClientId=self._client)
        return min([point[8] for point in points], default=math.inf)

    def close_pairs(self) -> Iterator[tuple[int, int, float]]:
        """All pairs of bodies in contact or nearly so, point by point, each with the distance; overlap is negative."""
        number = self._numbers
        for point in self._bullet.getContactPoints(physicsClientId=self._client):
            yield number[point[1]], number[point[2]], point[8]

    def gap(self, first: int, second: int) -> float:
        """The smallest distance between two bodies that are in contact or nearly so, else infinity; overlap is negative."""
        points = self._bullet.getContactPoints(self.ids[first], self.ids[second], -2, -2, self._client)
        return min([point[8] for point in points], default=math.inf)

    def advance(
        self,
        steps: range,
        states: Sequence[State],
        attractions: Sequence[tuple[int, int, float]],
        watched: Sequence[tuple[Pair, int]],
        log: ContactLog,
    ) -> None:
        """Step through `steps` from `states` with Coulomb forces (body, body, k*qi*qj); log the watched pairs' contacts.

        A watched pair comes with the first step at which its contacts are asked for. This is the hot loop of the toolkit:
        engine functions are bound to local names and called by position.
        """
        step_simulation, contact_points, client = (
            self._bullet.stepSimulation,
            self._bullet.getContactPoints,
            self._client,
        )
        forces = [
            coulomb_force(
                self._engine, (self.ids[i], self.ids[j]), (states[i], states[j]), strength, self._timestep
            ).__next__
            for i, j, strength in attractions
        ]
        touches = [(start, pair, self.ids[pair[0]], self.ids[pair[1]]) for pair, start in watched]
        first_touch = min([start for _, start in watched], default=steps.stop)
        if self._steps_per_call != 1:
            self._set_steps_per_call(1)
        for step in steps:
            for apply_force in forces:
                apply_force()
            step_simulation(client)
            if step >= first_touch:
                for start, pair, a, b in touches:
                    if step >= start:
                        points = contact_points(a, b, -2, -2, client)
                        if points:
                            self._log(log, step, pair, points)

    def _log(self, log: ContactLog, step: int, pair: Pair, points: Sequence[Any]) -> None:
        force = sum(point[9] for point in points)
        if force > 0.0:
            strongest = max(points, key=lambda point: point[9])
            log.touch(step, pair, force * self._timestep, strongest[5])

    def read_states(self, bodies: Sequence[int], states: list[State]) -> None:
        """Put the present states of `bodies` into their places in `states`."""
        pose, motion, ids, client = (
            self._bullet.getBasePositionAndOrientation,
            self._bullet.getBaseVelocity,
            self.ids,
            self._client,
        )
        for i in bodies:
            states[i] = pose(ids[i], client) + motion(ids[i], client)


def _kind(body: Body) -> Body:
    """What cannot be changed once a body is made: all but where it is and how it moves."""
    return replace(body, position=STILL, orientation=IDENTITY, velocity=STILL, angular_velocity=STILL)
