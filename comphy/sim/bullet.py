"""The only file that imports pybullet. Bullet's conventions and quirks are converted here and nowhere else.

- Friction and restitution: Bullet acts with the product of the two bodies' numbers, so each body gets the square root
  of its stated value and the product is the geometric mean that `Surface` promises. Bullet ignores
  restitution below a speed threshold; on tabletops it is set to zero.
- Tabletop worlds use Bullet's plain rigid bodies: their damping is the documented (1 - d)^t. The default multibody
  formulation damps by d * v * (1 + |v|) instead, and is half as fast.
- Planar worlds use the same rigid bodies with a vast inertia about the two off-plane axes: they tilt by less than 1e-7
  degrees and stay in the plane. pybullet sets an inertia together with the mass of the same call, or with zero, which
  turns the state to NaN: both are given.
- Rewinding: a saved state does not bring back the first run bit by bit. Bullet's usual collision detection keeps pairs
  that have parted for a while, which ones depends on earlier runs, and they change the order in the solver. Tabletop
  worlds are built again in the same, already connected client. Planar worlds use the simple kind that compares all
  boxes and keeps nothing; below some twenty bodies it is also the faster one.
- Planar worlds set up alike follow each other in a client without emptying it, which takes as long as a short run: the
  last one's bodies are removed, and shapes are kept. The bits are those of a new client.
- A sleeping body keeps its box in the collision detection, even if it is placed elsewhere, and grows it to both places:
  what comes near the box wakes the body. So sleepers are moved out of the plane and back only, never across it.
- Sleep: Bullet puts bodies to sleep after two slow seconds at any step. Here they sleep when told to, and only wake by
  themselves: the threshold below which they would fall asleep is zero. A body that wakes within a call of many steps
  would miss gravity until its end, since Bullet applies it once per call.
- Many steps in one call are the same bits as single ones, if their number is a power of two: Bullet divides the time.
- Contacts are reported up to the breaking threshold before bodies touch; only those that carry force count.
- Tabletop bounces: Bullet lets a contact brake bodies before they meet, which eats most of the restitution, and pushes
  overlapping bodies apart by adding speed, which fakes some. There, contacts act from touch on and overlaps are undone
  without adding speed. Planar worlds rest on contacts that act a little before touch, or what stands would tremble, and
  do not bounce below 1 m/s, as the engines of the planar benchmarks do not. Bodies with continuous collision detection
  (CCD) are the exception: contacts act on them from touch on, and the engine sweeps them along their way, or they would
  be braked early or pass through.
- Tabletop friction: the solver's default accuracy leaves sliding objects a spin of up to 0.2 rad/s out of nothing.
"""

import math
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, TypeAlias

from comphy.closing import Closeable
from comphy.errors import ComphyError, MissingDependency
from comphy.sim.body import Body
from comphy.sim.bullet_shapes import BulletShapes
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.shapes import IDENTITY, Quaternion, Vector, bounding_radius, planar_geometry
from comphy.sim.silence import silenced_stderr

MOST_SHAPES: Final = 500  # in a client, before it is emptied
MOST_ENGINES: Final = 128  # open at once in a process; Bullet aborts the interpreter where memory ends
OFF_PLANE_INERTIA: Final = 1e12  # times the inertia in the plane
PLANAR_ITERATIONS: Final = 15
PLANAR_WARM_START: Final = 0.5  # share of the last step's contact impulses to start from
PLANAR_BOUNCE_SPEED: Final = 1.0  # m/s; slower bodies do not bounce
FAR_AWAY: Final = 1e4  # where planar bodies wait while their past is forgotten, so far apart that none meet
STILL: Final = (0.0, 0.0, 0.0)
FIRST_CUSTOM_GROUP: Final = 1 << 10  # the first of the collision groups that Bullet does not use itself
SOLVER_RESIDUAL: Final = 1e-12
# What Bullet starts with; given back by the next world in the same client, since a reset keeps them.
BULLETS_ITERATIONS: Final = 50
BULLETS_WARM_START: Final = 0.1
BULLETS_RESIDUAL: Final = 1e-7
POSITION_AGE: Final = 5  # steps after which a charged body's position is asked for again

# Position, orientation (x, y, z, w), velocity and angular velocity of a body.
State: TypeAlias = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]


def _pybullet() -> Any:
    if loaded := sys.modules.get("pybullet"):
        return loaded
    with silenced_stderr():
        try:
            import pybullet
        except ImportError as error:
            raise MissingDependency("Simulation needs Bullet, which is not installed: pip install pybullet") from error
    return pybullet


@dataclass
class PlanarKit:
    """What the next planar world in the same client can go on with: an empty client set up alike, and its shapes."""

    settings: tuple[Any, ...]
    shapes: BulletShapes
    picture: int
    names: list[int]  # of the bodies that are in the client


class Engine(Closeable):
    """One Bullet client. Costly to open (tens of ms), cheap to rebuild: keep one for many worlds in sequence.

    One that is no longer in use is closed with its last reference. Raises `ComphyError` if too many are open."""

    _open: ClassVar[weakref.WeakSet["Engine"]] = weakref.WeakSet()

    def __init__(self) -> None:
        self.client = -1
        if len(self._open) >= MOST_ENGINES:
            raise ComphyError(
                f"Expected at most {MOST_ENGINES} open physics engines in a process, of 28 MB each (got one more). Close "
                "worlds when they are done (`with World(...) as world:`), or hand one Engine to worlds that run in turn."
            )
        self._bullet = _pybullet()
        self.client = self._bullet.connect(self._bullet.DIRECT)
        if self.client < 0:
            raise ComphyError(
                "Bullet opened no physics engine (it refused the connection). Close worlds that are done, and try again."
            )
        self._open.add(self)
        self._close = weakref.finalize(self, self._bullet.disconnect, self.client)
        self._close.atexit = False  # the end of the process gives everything back
        self._built: Callable[[], BulletScene | None] = _nothing
        self.planar_kit: PlanarKit | None = None

    def built(self) -> "BulletScene | None":
        """The scene whose bodies are in the client now."""
        return self._built()

    def set_built(self, scene: "BulletScene") -> None:
        self._built = weakref.ref(scene)  # a cycle of references would keep both until Python looks for cycles

    def close(self) -> None:
        if self.client >= 0:
            self._close()
            self._open.discard(self)
            self.client = -1


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
        self._bullet = _pybullet()
        self._engine = engine
        self._client = engine.client
        self._bodies = tuple(bodies)
        self._gravity = gravity
        self._timestep = timestep
        self._planar = planar
        self._iterations = iterations  # of the solver, in planar worlds
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
        if not self._planar or self._engine.built() is not self:
            self._build()
        if self._planar:
            self._replace_added(added)
            self._forget_contacts()
        self._numbers = {name: i for i, name in enumerate(self.ids)}

    def _replace_added(self, added: Sequence[Body]) -> None:
        """Bodies keep their order in the solver, so all those behind one that is removed are made again."""
        kept = 0
        for old, new in zip(self._added, added, strict=False):
            if _kind(old) != _kind(new):
                break
            kept += 1
        for name in reversed(self.ids[len(self._bodies) + kept :]):
            self._bullet.removeBody(name, self._client)
        del self.ids[len(self._bodies) + kept :]
        self.ids += [self._add(body) for body in added[kept:]]
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
        forces = [self._coulomb_force(i, j, strength, states).__next__ for i, j, strength in attractions]
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

    def _coulomb_force(self, i: int, j: int, strength: float, states: Sequence[State]) -> Iterator[None]:
        """Each `next`, due before each step, pushes the pair apart by strength / distance squared.

        Asking the engine for positions costs more than the force itself. They are asked for every few steps and carried
        on along the last known velocity in between, which is within 3e-4 of the truth at the accelerations of a
        tabletop. A generator, because its variables are the interpreter's fastest.
        """
        pose, push = self._bullet.getBasePositionAndOrientation, self._bullet.applyExternalForce
        client, world_frame = self._client, self._bullet.WORLD_FRAME
        a, b, dt = self.ids[i], self.ids[j], self._timestep
        (ax, ay, az), (avx, avy, avz) = states[i][0], states[i][2]
        (bx, by, bz), (bvx, bvy, bvz) = states[j][0], states[j][2]
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

    def _build(self) -> None:
        settings = (self._gravity, self._timestep, self._iterations)
        kit = self._engine.planar_kit
        if self._planar and kit and kit.settings == settings and len(kit.shapes) < MOST_SHAPES:
            for name in reversed(kit.names):  # so that new ones get the same names in the same order
                self._bullet.removeBody(name, self._client)
        else:
            self._set_up()
            kit = PlanarKit(settings, BulletShapes(self._bullet, self._client), self._make_picture(), [])
        self._set_steps_per_call(1)
        self._engine.set_built(self)
        self._engine.planar_kit = kit if self._planar else None
        self._added = []
        self._asleep = set()
        self._shapes, self._picture = kit.shapes, kit.picture
        self.ids = [self._add(body) for body in self._bodies]
        kit.names = self.ids  # the list itself: bodies that are added are in it, too

    def _make_picture(self) -> int:
        """Without a picture of its own a ball gets one made of its hull, which takes as long as all the rest."""
        half_extents = (1.0, 1.0, 1.0)
        picture: int = self._bullet.createVisualShape(
            self._bullet.GEOM_BOX, halfExtents=half_extents, physicsClientId=self._client
        )
        return picture

    def _set_up(self) -> None:
        """Empty the client, which takes as long as a game, and set it up."""
        bullet, client = self._bullet, self._client
        flags = bullet.RESET_USE_SIMPLE_BROADPHASE if self._planar else 0
        bullet.resetSimulation(flags, physicsClientId=client)
        bullet.setGravity(*self._gravity, physicsClientId=client)
        bullet.setPhysicsEngineParameter(
            deterministicOverlappingPairs=1,
            useSplitImpulse=1,
            splitImpulsePenetrationThreshold=0.0,
            **self._accuracy(),
            physicsClientId=client,
        )

    def _accuracy(self) -> dict[str, float]:
        if self._planar:
            return {
                "restitutionVelocityThreshold": PLANAR_BOUNCE_SPEED,
                "numSolverIterations": self._iterations,
                "warmStartingFactor": PLANAR_WARM_START,
                "solverResidualThreshold": BULLETS_RESIDUAL,
            }
        return {
            "restitutionVelocityThreshold": 0.0,
            "numSolverIterations": BULLETS_ITERATIONS,
            "warmStartingFactor": BULLETS_WARM_START,
            "solverResidualThreshold": SOLVER_RESIDUAL,
        }

    def _add(self, body: Body) -> int:
        bullet, client = self._bullet, self._client
        name: int = bullet.createMultiBody(
            body.mass,
            self._shapes[body.shape],
            self._picture,
            body.position,
            body.orientation,
            useMaximalCoordinates=1,
            physicsClientId=client,
        )
        dynamics: dict[str, Any] = {
            "lateralFriction": math.sqrt(body.surface.friction),
            "restitution": math.sqrt(body.surface.restitution),
            "linearDamping": body.linear_damping,
            "angularDamping": body.angular_damping,
        }
        if not self._planar:
            dynamics["contactProcessingThreshold"] = 0.0
        elif body.static:
            dynamics["activationState"] = bullet.ACTIVATION_STATE_SLEEP  # Bullet looks for no contacts between sleepers
        else:
            inertia = body.mass * planar_geometry(body.shape).inertia_per_mass
            off_plane = OFF_PLANE_INERTIA * inertia
            dynamics |= {"mass": body.mass, "localInertiaDiagonal": (off_plane, off_plane, inertia)}
            dynamics |= {"activationState": bullet.ACTIVATION_STATE_ENABLE_SLEEPING, "sleepThreshold": 0.0}
        if body.continuous_collision:
            dynamics |= {"contactProcessingThreshold": 0.0, "ccdSweptSphereRadius": 0.5 * bounding_radius(body.shape)}
        bullet.changeDynamics(name, -1, **dynamics, physicsClientId=client)
        if body.collision_group:
            group = FIRST_CUSTOM_GROUP << (body.collision_group - 1)
            bullet.setCollisionFilterGroupMask(name, -1, group, ~group, client)
        if not body.static:
            bullet.resetBaseVelocity(name, body.velocity, body.angular_velocity, client)
        return name


def _nothing() -> None:
    """What is built in an engine at first."""


def _kind(body: Body) -> Body:
    """What cannot be changed once a body is made: all but where it is and how it moves."""
    return replace(body, position=STILL, orientation=IDENTITY, velocity=STILL, angular_velocity=STILL)
