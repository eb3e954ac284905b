"""The only file that talks to Bullet. Its conventions and quirks are converted here and nowhere else.

- Friction and restitution: Bullet acts with the product of the two bodies' numbers, so each body gets the square root
  of its stated value and the product is the geometric mean that `comphy.sim.body.mix` promises. Bullet ignores
  restitution below a speed threshold; it is set to zero.
- Tabletop worlds use Bullet's plain rigid bodies: their damping is the documented (1 - d)^t. The default multibody
  formulation damps by d * v * (1 + |v|) instead, and is half as fast.
- Planar worlds use multibodies with huge inertia about the two off-plane axes (a plain rigid body turns to NaN under
  that, and pybullet exposes no linear/angular factors); Bullet's own damping is left at zero there and applied exactly.
- Rewinding: restoring a saved state is bit-exact for planar worlds. For rigid bodies it is not (the order of cached
  contacts survives in the solver), so tabletop worlds are built again in the same, already connected client.
- Contacts are reported up to the breaking threshold before bodies touch; only those that carry force count.
- Tabletop bounces: Bullet lets a contact brake bodies before they meet, which eats most of the restitution, and pushes
  overlapping bodies apart by adding speed, which fakes some. There, contacts act from touch on and overlaps are undone
  without adding speed. The multibody solver of planar worlds has no such mode: at 60 Hz the median bounce there is
  0.03 to 0.07 above the stated value, and single ones may be off by 0.2.
- Tabletop friction: the solver's default accuracy leaves sliding objects a spin of up to 0.2 rad/s out of nothing.
"""

import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

from comphy.errors import MissingDependency
from comphy.sim.body import Body
from comphy.sim.contacts import ContactLog, Pair
from comphy.sim.shapes import (
    IDENTITY,
    Box,
    Compound,
    ConvexPolygon,
    Cylinder,
    HalfSpace,
    Part,
    Shape,
    Solid,
    Sphere,
    planar_geometry,
)

OFF_PLANE_INERTIA: Final = 1e6
SOLVER_RESIDUAL: Final = 1e-12
POSITION_AGE: Final = 5  # steps after which a charged body's position is asked for again

# Position, orientation (x, y, z, w), velocity and angular velocity of a body.
State: TypeAlias = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]


def _pybullet() -> Any:
    if loaded := sys.modules.get("pybullet"):
        return loaded
    with _silenced_stderr():
        try:
            import pybullet
        except ImportError as error:
            raise MissingDependency("Simulation needs Bullet, which is not installed: pip install pybullet") from error
    return pybullet


@contextmanager
def _silenced_stderr() -> Iterator[None]:
    """Bullet's C code greets on the error stream when it is loaded; scripts that read our errors must not see it."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class Engine:
    """One Bullet client. Costly to open (tens of ms), cheap to rebuild: keep one for many worlds in sequence."""

    def __init__(self) -> None:
        self._bullet = _pybullet()
        self.client = self._bullet.connect(self._bullet.DIRECT)
        self.built: BulletScene | None = None  # whose bodies are in the client now

    def close(self) -> None:
        if self.client >= 0:
            self._bullet.disconnect(self.client)
            self.client = -1

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


class BulletScene:
    """Bodies inside an engine: build, rewind, step with forces, read states. `ids[i]` is Bullet's name of body i."""

    def __init__(
        self,
        engine: Engine,
        bodies: Sequence[Body],
        gravity: tuple[float, float, float],
        timestep: float,
        planar: bool,
    ) -> None:
        self._bullet = _pybullet()
        self._engine = engine
        self._client = engine.client
        self._bodies = tuple(bodies)
        self._gravity = gravity
        self._timestep = timestep
        self._planar = planar
        self.ids: list[int] = []
        self._saved: int | None = None
        self._damped: list[tuple[int, float, float]] = []

    def rewind(self) -> None:
        """Put every body into its initial state, with no memory of earlier runs."""
        if self._saved is not None and self._engine.built is self:
            self._bullet.restoreState(self._saved, physicsClientId=self._client)
            return
        self._build()
        if self._planar:
            self._saved = self._bullet.saveState(physicsClientId=self._client)

    def advance(
        self,
        steps: range,
        states: Sequence[State],
        attractions: Sequence[tuple[int, int, float]],
        watched: Sequence[tuple[Pair, int]],
        log: ContactLog,
    ) -> None:
        """Step through `steps` from `states` with Coulomb forces (body, body, k*qi*qj); log the watched pairs' contacts.

        A watched pair comes with the first step to look at. The hot loop of the toolkit: engine functions are bound to
        local names and called by position.
        """
        step_simulation, contact_points, client = (
            self._bullet.stepSimulation,
            self._bullet.getContactPoints,
            self._client,
        )
        forces = [self._coulomb_force(i, j, strength, states).__next__ for i, j, strength in attractions]
        touches = [(start, pair, self.ids[pair[0]], self.ids[pair[1]]) for pair, start in watched]
        first_touch = min([start for _, start in watched], default=steps.stop)
        damped = bool(self._damped)
        for step in steps:
            for apply_force in forces:
                apply_force()
            step_simulation(client)
            if damped:
                self._damp()
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

    def _damp(self) -> None:
        for body, keep_linear, keep_angular in self._damped:
            linear, angular = self._bullet.getBaseVelocity(body, self._client)
            self._bullet.resetBaseVelocity(
                body,
                [component * keep_linear for component in linear],
                [component * keep_angular for component in angular],
                self._client,
            )

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
        bullet, client = self._bullet, self._client
        bullet.resetSimulation(physicsClientId=client)
        bullet.setTimeStep(self._timestep, physicsClientId=client)
        bullet.setGravity(*self._gravity, physicsClientId=client)
        bullet.setPhysicsEngineParameter(
            deterministicOverlappingPairs=1, restitutionVelocityThreshold=0.0, physicsClientId=client
        )
        if not self._planar:
            bullet.setPhysicsEngineParameter(
                useSplitImpulse=1,
                splitImpulsePenetrationThreshold=0.0,
                solverResidualThreshold=SOLVER_RESIDUAL,
                physicsClientId=client,
            )
        self._engine.built = self
        self._damped = []
        shapes: dict[Shape, int] = {}
        self.ids = [self._add(body, shapes) for body in self._bodies]

    def _add(self, body: Body, shapes: dict[Shape, int]) -> int:
        bullet, client = self._bullet, self._client
        if body.shape not in shapes:
            shapes[body.shape] = self._collision_shape(body.shape)
        name: int = bullet.createMultiBody(
            body.mass,
            shapes[body.shape],
            -1,
            body.position,
            body.orientation,
            useMaximalCoordinates=0 if self._planar else 1,
            physicsClientId=client,
        )
        dynamics: dict[str, Any] = {
            "lateralFriction": math.sqrt(body.surface.friction),
            "restitution": math.sqrt(body.surface.restitution),
            "linearDamping": 0.0 if self._planar else body.linear_damping,
            "angularDamping": 0.0 if self._planar else body.angular_damping,
        }
        if not self._planar:
            dynamics["contactProcessingThreshold"] = 0.0
        elif not body.static:
            inertia = body.mass * planar_geometry(body.shape).inertia_per_mass
            dynamics["localInertiaDiagonal"] = (OFF_PLANE_INERTIA, OFF_PLANE_INERTIA, inertia)
        bullet.changeDynamics(name, -1, **dynamics, physicsClientId=client)
        if not body.static:
            bullet.resetBaseVelocity(name, body.velocity, body.angular_velocity, client)
            if self._planar and (body.linear_damping or body.angular_damping):
                keep_linear = (1.0 - body.linear_damping) ** self._timestep
                keep_angular = (1.0 - body.angular_damping) ** self._timestep
                self._damped.append((name, keep_linear, keep_angular))
        return name

    def _collision_shape(self, shape: Shape) -> int:
        bullet = self._bullet
        if isinstance(shape, HalfSpace):
            plane: int = bullet.createCollisionShape(
                bullet.GEOM_PLANE, planeNormal=shape.normal, physicsClientId=self._client
            )
            return plane
        parts = shape.parts if isinstance(shape, Compound) else (Part(shape),)
        if len(parts) == 1 and parts[0].orientation == IDENTITY and parts[0].position == (0.0, 0.0, 0.0):
            single: int = bullet.createCollisionShape(**self._solid(parts[0].shape), physicsClientId=self._client)
            return single
        return self._compound(parts)

    def _solid(self, solid: Solid) -> dict[str, Any]:
        bullet = self._bullet
        match solid:
            case Sphere(radius):
                return {"shapeType": bullet.GEOM_SPHERE, "radius": radius}
            case Box(half_extents):
                return {"shapeType": bullet.GEOM_BOX, "halfExtents": half_extents}
            case Cylinder(radius, half_height):
                return {"shapeType": bullet.GEOM_CYLINDER, "radius": radius, "height": 2 * half_height}
            case ConvexPolygon(vertices, depth):
                corners = [(x, y, z) for x, y in vertices for z in (-depth, depth)]
                return {"shapeType": bullet.GEOM_MESH, "vertices": corners}

    def _compound(self, parts: Sequence[Part]) -> int:
        """Several solids in one shape. This call takes convex hulls from mesh files only, so outlines go to disk."""
        fields = [self._solid(part.shape) for part in parts]
        with ExitStack() as stack:
            files = [""] * len(fields)
            if any("vertices" in f for f in fields):
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comphy-hulls-")))
                files = [_hull_file(folder / f"{i}.obj", f.get("vertices")) for i, f in enumerate(fields)]
            compound: int = self._bullet.createCollisionShapeArray(
                shapeTypes=[f["shapeType"] for f in fields],
                radii=[f.get("radius", 0.0) for f in fields],
                halfExtents=[f.get("halfExtents", (0.0, 0.0, 0.0)) for f in fields],
                lengths=[f.get("height", 0.0) for f in fields],
                fileNames=files,
                meshScales=[(1.0, 1.0, 1.0)] * len(fields),
                collisionFramePositions=[part.position for part in parts],
                collisionFrameOrientations=[part.orientation for part in parts],
                physicsClientId=self._client,
            )
        return compound


def _hull_file(path: Path, vertices: Sequence[Sequence[float]] | None) -> str:
    """A Wavefront file of the points; Bullet takes their convex hull, the faces only need to name every point."""
    if vertices is None:
        return ""
    points = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices)
    faces = "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, len(vertices) - 1))
    path.write_text(points + faces)
    return str(path)
