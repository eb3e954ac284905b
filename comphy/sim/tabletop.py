"""ComPhy's laws of motion: how the objects of a video become bodies on a table, and how a video is simulated.

The numbers are those that fits on the published annotations imply: free motion decelerates by mu*g + c*v (a
ball by c*v alone), pairs bounce with restitution 0.21, charges act with k = 0.138 (docs/results.md compares).
"""

import math
from dataclasses import dataclass
from itertools import combinations

from comphy.scene.clip import Clip
from comphy.scene.objects import STEPS_PER_FRAME, TIMESTEP, InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from comphy.sim.body import Body, Surface
from comphy.sim.bullet import Engine
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import Box, Compound, HalfSpace, Part, Solid, Sphere
from comphy.sim.shapes import Shape as CollisionShape
from comphy.sim.world import World


@dataclass(frozen=True)
class TabletopLaws:
    """Constants of the tabletop world, in scene units and seconds."""

    gravity: float = 9.8
    friction: float = 0.024
    restitution: float = 0.21
    damping: float = 0.145
    coulomb: float = 0.138

    @property
    def drag(self) -> float:
        """The rate c of the exponential decay of speed that the damping means."""
        return -math.log1p(-self.damping)

    def friction_of(self, shape: Shape) -> float:
        """Balls have none: the published fit gives them no constant deceleration, not even after collisions.

        With friction a ball would slip after every impact until its spin fits its speed, and the spin of a uniformly
        coloured ball is a state that no viewer can see.
        """
        return 0.0 if shape is Shape.SPHERE else self.friction

    def sliding(self, shape: Shape) -> float:
        """The constant part of the deceleration."""
        return self.friction_of(shape) * self.gravity


LAWS = TabletopLaws()

# Cubes and cylinders stand on three small feet inside their outline. Bullet builds the contact of a flat face with a
# plane up point by point and sheds the points as the face slides, which makes the object tremble and brake unevenly;
# three points of support are complete from the first step and share the load in only one way.
# A cylinder's side is a ball: all objects meet at the height of their centres, where the two have the same outline, and
# Bullet finds a cylinder's contact at its upper or lower rim, which tips the object and swallows the bounce.
_FOOT_RADIUS = 0.1 * OBJECT_RADIUS
FOOT_DISTANCE = 0.85 * OBJECT_RADIUS
_LIFT = 0.025 * OBJECT_RADIUS  # of the solid off the table, which the feet alone touch


def _standing(solid: Solid) -> Compound:
    feet = [
        Part(
            Sphere(_FOOT_RADIUS),
            (
                FOOT_DISTANCE * math.cos(math.pi / 2 + 2 * math.pi * i / 3),
                FOOT_DISTANCE * math.sin(math.pi / 2 + 2 * math.pi * i / 3),
                -OBJECT_RADIUS + _FOOT_RADIUS,
            ),
        )
        for i in range(3)
    ]
    return Compound((Part(solid, (0.0, 0.0, _LIFT)), *feet))


COLLISION_SHAPES: dict[Shape, CollisionShape] = {
    Shape.SPHERE: Sphere(OBJECT_RADIUS),
    Shape.CUBE: _standing(Box((OBJECT_RADIUS, OBJECT_RADIUS, OBJECT_RADIUS - _LIFT))),
    Shape.CYLINDER: _standing(Sphere(OBJECT_RADIUS)),
}


# Objects stand upright, so they touch no farther out than their outlines from above reach.
OUTLINE_RADIUS = {Shape.SPHERE: OBJECT_RADIUS, Shape.CYLINDER: OBJECT_RADIUS, Shape.CUBE: OBJECT_RADIUS * math.sqrt(2)}


def object_body(spec: ObjectSpec, state: InitialState, laws: TabletopLaws = LAWS) -> Body:
    return Body(
        COLLISION_SHAPES[spec.shape],
        spec.mass,
        state.position,
        state.orientation,
        state.velocity,
        state.angular_velocity,
        Surface(laws.friction_of(spec.shape), laws.restitution),
        laws.damping,
        laws.damping,
        float(spec.charge),
    )


def tabletop_world(video: Video, engine: Engine | None = None, laws: TabletopLaws = LAWS) -> World:
    """The video's objects, numbered as in the video, and the table as the last body."""
    bodies = [object_body(spec, state, laws) for spec, state in zip(video.objects, video.initial, strict=True)]
    table = Body(HalfSpace(), surface=Surface(laws.friction, 0.0))
    return World(
        [*bodies, table],
        timestep=TIMESTEP,
        gravity=(0.0, 0.0, -laws.gravity),
        coulomb=laws.coulomb,
        watch={
            (i, j): OUTLINE_RADIUS[video.objects[i].shape] + OUTLINE_RADIUS[video.objects[j].shape]
            for i, j in combinations(range(len(bodies)), 2)
        },
        engine=engine,
    )


def simulate(video: Video, engine: Engine | None = None, laws: TabletopLaws = LAWS) -> Rollout:
    """The rollout of a video's objects over all its frames, the hidden ones included."""
    with tabletop_world(video, engine, laws) as world:
        rollout = world.run(video.total_frames, STEPS_PER_FRAME)
    return rollout.select(range(len(video.objects)))


def clip_of(video: Video, rollout: Rollout) -> Clip:
    """What a viewer sees of a rollout: the visible frames."""
    frames = slice(0, video.visible_frames)
    return Clip(video.objects, rollout.positions[frames], rollout.orientations[frames])
