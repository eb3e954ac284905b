"""How a client is set up, and how bodies are made in it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from comphy.sim.body import Body
from comphy.sim.bullet.shapes import BulletShapes
from comphy.sim.shapes import bounding_radius, planar_geometry

MOST_SHAPES: Final = 500  # in a client, before it is emptied
OFF_PLANE_INERTIA: Final = 1e12  # times the inertia in the plane
PLANAR_ITERATIONS: Final = 15
PLANAR_WARM_START: Final = 0.5  # share of the last step's contact impulses to start from
PLANAR_BOUNCE_SPEED: Final = 1.0  # m/s; slower bodies do not bounce
FIRST_CUSTOM_GROUP: Final = 1 << 10  # the first of the collision groups that Bullet does not use itself
SOLVER_RESIDUAL: Final = 1e-12
# What Bullet starts with; given back by the next world in the same client, since a reset keeps them.
BULLETS_ITERATIONS: Final = 50
BULLETS_WARM_START: Final = 0.1
BULLETS_RESIDUAL: Final = 1e-7


@dataclass(frozen=True)
class ClientSettings:
    """What a client is set up for. `iterations` are those of the solver, in planar worlds."""

    gravity: tuple[float, float, float]
    timestep: float
    planar: bool
    iterations: int = PLANAR_ITERATIONS

    def accuracy(self) -> dict[str, float]:
        """Parameters of the engine."""
        if self.planar:
            return {
                "restitutionVelocityThreshold": PLANAR_BOUNCE_SPEED,
                "numSolverIterations": self.iterations,
                "warmStartingFactor": PLANAR_WARM_START,
                "solverResidualThreshold": BULLETS_RESIDUAL,
            }
        return {
            "restitutionVelocityThreshold": 0.0,
            "numSolverIterations": BULLETS_ITERATIONS,
            "warmStartingFactor": BULLETS_WARM_START,
            "solverResidualThreshold": SOLVER_RESIDUAL,
        }


@dataclass
class BodyMaker:
    """A client that is set up, its shapes and its bodies. The next planar world of the same settings goes on with it.

    Attributes:
        picture: one for all bodies. Without it a ball gets one made of its hull, which takes as long as all the rest.
        names: Bullet's names of the bodies in the client."""

    bullet: Any
    client: int
    settings: ClientSettings
    shapes: BulletShapes
    picture: int
    names: list[int] = field(default_factory=list)

    @classmethod
    def set_up(cls, bullet: Any, client: int, settings: ClientSettings) -> "BodyMaker":
        """Empty the client, which takes as long as a game, and set it up."""
        flags = bullet.RESET_USE_SIMPLE_BROADPHASE if settings.planar else 0
        bullet.resetSimulation(flags, physicsClientId=client)
        bullet.setGravity(*settings.gravity, physicsClientId=client)
        bullet.setPhysicsEngineParameter(
            deterministicOverlappingPairs=1,
            useSplitImpulse=1,
            splitImpulsePenetrationThreshold=0.0,
            **settings.accuracy(),
            physicsClientId=client,
        )
        picture = bullet.createVisualShape(bullet.GEOM_BOX, halfExtents=(1.0, 1.0, 1.0), physicsClientId=client)
        return cls(bullet, client, settings, BulletShapes(bullet, client), picture)

    def serves(self, settings: ClientSettings) -> bool:
        """Whether another world can go on with it."""
        return settings.planar and settings == self.settings and len(self.shapes) < MOST_SHAPES

    def remove(self, names: Sequence[int]) -> None:
        """Remove bodies, the last one first, so that new ones get the same names in the same order."""
        for name in reversed(names):
            self.bullet.removeBody(name, self.client)

    def add(self, body: Body) -> int:
        """Make a body; returns Bullet's name of it."""
        bullet, client = self.bullet, self.client
        name: int = bullet.createMultiBody(
            body.mass,
            self.shapes[body.shape],
            self.picture,
            body.position,
            body.orientation,
            useMaximalCoordinates=1,
            physicsClientId=client,
        )
        bullet.changeDynamics(name, -1, **self._dynamics(body), physicsClientId=client)
        if body.collision_group:
            group = FIRST_CUSTOM_GROUP << (body.collision_group - 1)
            bullet.setCollisionFilterGroupMask(name, -1, group, ~group, client)
        if not body.static:
            bullet.resetBaseVelocity(name, body.velocity, body.angular_velocity, client)
        return name

    def _dynamics(self, body: Body) -> dict[str, Any]:
        bullet = self.bullet
        dynamics: dict[str, Any] = {
            "lateralFriction": math.sqrt(body.surface.friction),
            "restitution": math.sqrt(body.surface.restitution),
            "linearDamping": body.linear_damping,
            "angularDamping": body.angular_damping,
        }
        if not self.settings.planar:
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
        return dynamics
