"""ComPhy's table: free motion, bounces and charges by the published numbers."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest

from comphy.scene.objects import TIMESTEP, InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from comphy.sim.bullet import Engine
from comphy.sim.rollout import Rollout
from comphy.sim.tabletop import LAWS, clip_of, object_body, simulate, tabletop_world
from comphy.sim.world import World

pytestmark = pytest.mark.bullet

# Deceleration = constant + slope * speed, as fitted on the published annotations.
PUBLISHED = {Shape.SPHERE: (0.0, 0.158), Shape.CUBE: (0.240, 0.152), Shape.CYLINDER: (0.232, 0.157)}
COLORS = tuple(Color)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def state(x: float, y: float, vx: float, vy: float, shape: Shape, yaw: float = 0.0) -> InitialState:
    velocity = (vx, vy, 0.0)
    orientation = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))
    return InitialState((x, y, OBJECT_RADIUS), orientation, velocity, (0.0, 0.0, 0.0))


def video(*things: tuple[Shape, float, int, InitialState], frames: int = 50, hidden: int = 0) -> Video:
    objects = tuple(
        ObjectSpec(COLORS[k], shape, Material.METAL, mass, charge) for k, (shape, mass, charge, _) in enumerate(things)
    )
    return Video(objects, tuple(t[3] for t in things), tuple(range(len(things))), frames, frames + hidden)


def decelerating(shape: Shape, speed: float, seconds: float) -> float:
    """The distance covered under the published law, integrated numerically."""
    constant, slope = PUBLISHED[shape]
    distance, step = 0.0, 1e-4
    for _ in range(round(seconds / step)):
        speed = max(0.0, speed - (constant + slope * speed) * step)
        distance += speed * step
    return distance


@pytest.mark.parametrize("shape", list(Shape))
def test_free_motion_is_straight_and_as_published(shape: Shape, engine: Engine) -> None:
    for speed, heading, yaw in ((0.6, 0.3, 0.0), (1.5, 2.0, 0.7), (3.0, -1.0, 1.2)):
        vx, vy = speed * math.cos(heading), speed * math.sin(heading)
        rollout = simulate(video((shape, 1.0, 0, state(0, 0, vx, vy, shape, yaw)), frames=101), engine)
        path = rollout.positions[-1, 0, :2]
        along = path @ (math.cos(heading), math.sin(heading))
        assert along == pytest.approx(decelerating(shape, speed, 4.0), rel=0.05)
        assert abs(path @ (-math.sin(heading), math.cos(heading))) < 1e-3 * along
        assert np.abs(rollout.positions[..., 2] - OBJECT_RADIUS).max() < 1e-3


def test_mass_does_not_matter_to_free_motion(engine: Engine) -> None:
    for shape in Shape:
        light, heavy = (
            simulate(video((shape, mass, 0, state(0, 0, 1.0, 0, shape))), engine).positions[-1, 0]
            for mass in (1.0, 5.0)
        )
        np.testing.assert_allclose(light, heavy, atol=1e-4)


def meeting(a: Shape, b: Shape, speed: float, aside: float, engine: Engine, masses: tuple[float, float]) -> Rollout:
    """`a` runs into the resting `b`."""
    return simulate(
        video((a, masses[0], 0, state(-0.7, aside, speed, 0, a)), (b, masses[1], 0, state(0, 0, 0, 0, b))), engine
    )


@pytest.mark.parametrize(("a", "b"), list(combinations_with_replacement(Shape, 2)))
@pytest.mark.parametrize(("speed", "masses"), [(0.8, (1.0, 1.0)), (1.3, (5.0, 1.0)), (2.2, (1.0, 5.0))])
def test_pairs_meet_at_their_surfaces_and_bounce_alike(
    a: Shape, b: Shape, speed: float, masses: tuple[float, float], engine: Engine
) -> None:
    rollout = meeting(a, b, speed, 0.0, engine, masses)
    touch = rollout.collisions[0]
    before = touch.step // rollout.steps_per_frame
    assert touch.pair == (0, 1)
    gap = rollout.positions[before, 1, 0] - rollout.positions[before, 0, 0] - 2 * OBJECT_RADIUS
    assert 0 <= gap <= speed / 25, "the last frame before the touch is at most one frame's way off"
    approaching = rollout.velocities[before, 0, 0] - rollout.velocities[before, 1, 0]
    separating = rollout.velocities[before + 1, 1, 0] - rollout.velocities[before + 1, 0, 0]
    braking = 0.4 / 25 / approaching  # what friction may change within the frame
    assert separating / approaching == pytest.approx(LAWS.restitution, abs=0.005 + braking)
    momentum = rollout.velocities[before + 1, :, 0] @ masses
    assert momentum == pytest.approx(masses[0] * rollout.velocities[before, 0, 0], rel=0.03)
    assert np.abs(rollout.positions[..., 2] - OBJECT_RADIUS).max() < 1e-3, "nobody tips or is lifted"


@pytest.mark.parametrize("b", [Shape.SPHERE, Shape.CYLINDER])
@pytest.mark.parametrize("a", [Shape.SPHERE, Shape.CYLINDER])
def test_round_objects_bounce_off_the_line_of_centres(a: Shape, b: Shape, engine: Engine) -> None:
    for speed, aside in ((0.9, 0.05), (1.4, -0.15), (2.0, 0.25)):
        rollout = meeting(a, b, speed, aside, engine, (1.0, 1.0))
        touch = rollout.collisions[0]
        before = touch.step // rollout.steps_per_frame
        late = (touch.step / rollout.steps_per_frame - before) / 25
        place = rollout.positions[before] + late * rollout.velocities[before]
        line = (place[1] - place[0]) / np.linalg.norm(place[1] - place[0])
        assert np.linalg.norm(place[1] - place[0]) == pytest.approx(2 * OBJECT_RADIUS, abs=0.01)
        approaching = (rollout.velocities[before, 0] - rollout.velocities[before, 1]) @ line
        separating = (rollout.velocities[before + 1, 1] - rollout.velocities[before + 1, 0]) @ line
        assert separating / approaching == pytest.approx(LAWS.restitution, abs=0.03)


@pytest.mark.parametrize("other", list(Shape))
def test_cubes_bounce_at_the_point_of_contact(other: Shape, engine: Engine) -> None:
    """Off the line of centres a cube also turns: what bounces are the surfaces, along the impulse, where they meet."""
    for speed, aside, yaw in ((0.8, 0.1, 0.2), (1.2, -0.12, 0.7), (1.7, 0.05, 1.1), (2.3, -0.05, 0.5)):
        scene = video(
            (Shape.CUBE, 1.0, 0, state(-0.8, aside, speed, 0, Shape.CUBE, yaw)),
            (other, 1.0, 0, state(0, 0, 0, 0, other, 0.3)),
        )
        rollout = tabletop_world(scene, engine).run(300, 1)  # every step is a frame
        touch = rollout.collisions[0]
        before, after = touch.step, touch.step + 2
        arms = np.array(touch.location) - rollout.positions[before, :2]
        surface = rollout.velocities[:, :2] + np.cross(rollout.angular_velocities[:, :2], arms)
        impulse = rollout.velocities[after, 1] - rollout.velocities[before, 1]
        line = impulse / np.linalg.norm(impulse)
        approaching = (surface[before, 0] - surface[before, 1]) @ line
        separating = (surface[after, 1] - surface[after, 0]) @ line
        assert separating / approaching == pytest.approx(LAWS.restitution, abs=0.04)


def test_charges_pull_and_push_sliding_objects(engine: Engine) -> None:
    for sign, mass in ((1, 1.0), (-1, 1.0), (1, 5.0)):
        rollout = simulate(
            video(
                (Shape.CYLINDER, mass, 1, state(0, 0, 0, 1.0, Shape.CYLINDER)),
                (Shape.CYLINDER, 1.0, sign, state(0.6, 0, 0, 1.0, Shape.CYLINDER)),
                frames=4,
            ),
            engine,
        )
        acceleration = rollout.velocities[1, 0, 0] * 25
        assert acceleration == pytest.approx(-sign * 0.138 / 0.6**2 / mass, rel=0.05)


def test_balls_yield_in_full_and_never_slip(engine: Engine) -> None:
    pushed = simulate(
        video(
            (Shape.SPHERE, 1.0, 1, state(0, 0, 0, 0.0, Shape.SPHERE)),
            (Shape.SPHERE, 1.0, 1, state(0.8, 0, 0, 0.0, Shape.SPHERE)),
            frames=4,
        ),
        engine,
    )
    assert -pushed.velocities[1, 0, 0] * 25 == pytest.approx(0.138 / 0.8**2, rel=0.05)
    struck = simulate(
        video(
            (Shape.SPHERE, 1.0, 0, state(0, 0, 1.5, 0.0, Shape.SPHERE)),
            (Shape.SPHERE, 1.0, 0, state(0.7, 0.1, 0, 0.0, Shape.SPHERE)),
            frames=50,
        ),
        engine,
    )
    speed = np.linalg.norm(struck.velocities[20:, 1], axis=-1)
    np.testing.assert_allclose(speed[10:] / speed[:-10], (1 - LAWS.damping) ** 0.4, rtol=1e-3)
    assert np.abs(struck.angular_velocities).max() < 1e-6


def test_the_table_is_the_last_body_and_not_in_the_rollout(engine: Engine) -> None:
    scene = video(
        (Shape.CUBE, 5.0, -1, state(0, 0, 0, 0, Shape.CUBE)), (Shape.SPHERE, 1.0, 1, state(1, 0, 0, 0, Shape.CUBE))
    )
    world = tabletop_world(scene, engine)
    assert [body.mass for body in world.bodies] == [5.0, 1.0, 0.0]
    assert [body.charge for body in world.bodies] == [-1.0, 1.0, 0.0]
    assert simulate(scene, engine).positions.shape == (50, 2, 3)


def test_all_frames_are_simulated_and_the_visible_ones_shown(engine: Engine) -> None:
    scene = video((Shape.CUBE, 1.0, 0, state(0, 0, 1, 0, Shape.CUBE)), frames=20, hidden=10)
    rollout = simulate(scene, engine)
    clip = clip_of(scene, rollout)
    assert (len(rollout), len(clip)) == (30, 20)
    np.testing.assert_array_equal(clip.positions, rollout.positions[:20])
    assert rollout.positions[0, 0] == pytest.approx((0, 0, OBJECT_RADIUS)), "frame 0 is the initial state"


def test_laws_act(engine: Engine) -> None:
    spec, start = ObjectSpec(Color.RED, Shape.CUBE, Material.METAL), state(0, 0, 1, 0, Shape.CUBE)
    body = object_body(spec, start, replace(LAWS, friction=0.5, restitution=0.7, damping=0.3))
    assert (body.surface.friction, body.surface.restitution) == (0.5, 0.7)
    assert (body.linear_damping, body.angular_damping) == (0.3, 0.3)
    slick = replace(LAWS, friction=0.0, damping=0.0)
    rollout = simulate(video((Shape.CUBE, 1.0, 0, start)), engine, slick)
    assert rollout.positions[-1, 0, 0] == pytest.approx(49 / 25, rel=1e-3)


def test_outlines_from_above_bound_every_touch(engine: Engine) -> None:
    """The tabletop's own contact distances must miss nothing that the shapes' bounding balls find."""
    rng = np.random.default_rng(3)
    touches = 0
    for _ in range(12):
        shapes = [list(Shape)[k] for k in rng.integers(3, size=4)]
        corners = [(-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6)]
        scene = video(
            *(
                (shape, 1.0, 0, state(x, y, -1.5 * x + rng.normal(0, 0.2), -1.5 * y, shape, rng.uniform(0, 1.5)))
                for shape, (x, y) in zip(shapes, corners, strict=True)
            )
        )
        bodies = tabletop_world(scene, engine).bodies
        wide = World(bodies, timestep=TIMESTEP, coulomb=LAWS.coulomb, engine=engine).run(50, 10)
        tight = tabletop_world(scene, engine).run(50, 10)
        touches += len(wide.collisions)
        assert [(c.step, c.pair) for c in tight.collisions] == [(c.step, c.pair) for c in wide.collisions]
    assert touches > 20
