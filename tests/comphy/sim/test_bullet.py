"""Bullet's conventions as they are converted: mixing, damping, planes, hulls, missing engine."""

import gc
import math
import sys

import numpy as np
import pybullet
import pytest

from comphy.errors import ComphyError, MissingDependency
from comphy.sim.body import Body, Surface
from comphy.sim.bullet import Engine, engine
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import Box, Compound, ConvexPolygon, Cylinder, HalfSpace, Part, Shape, Sphere, Vector
from comphy.sim.world import World

GRAVITY = 9.8


def test_a_missing_engine_names_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingDependency, match="pip install pybullet"):
        Engine()


@pytest.mark.bullet
def test_an_engine_closes_once_and_for_all() -> None:
    with Engine() as engine:
        assert engine.client >= 0
    assert engine.client == -1
    engine.close()


def run(bodies: list[Body], seconds: float, rate: int, planar: bool, gravity: float = GRAVITY) -> Rollout:
    """One frame per step."""
    down = (0.0, -gravity, 0.0) if planar else (0.0, 0.0, -gravity)
    with World(bodies, timestep=1.0 / rate, gravity=down, planar=planar) as world:
        return world.run(round(seconds * rate) + 1, 1)


@pytest.mark.bullet
@pytest.mark.parametrize("planar", [False, True])
def test_a_sliding_box_brakes_by_the_geometric_mean_of_frictions(planar: bool) -> None:
    box, ground, speed = 0.4, 0.1, 2.0
    up = 1 if planar else 2
    floor: Vector = (20.0, 0.5, 1.0) if planar else (20.0, 20.0, 0.5)
    position, floor_position = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    position[up], floor_position[up] = 0.1, -0.5
    slider = Box((0.3, 0.1, 0.3)) if planar else Box((0.3, 0.3, 0.1))
    bodies = [
        Body(slider, 3.0, tuple(position), velocity=(speed, 0.0, 0.0), surface=Surface(box)),
        Body(Box(floor), 0.0, tuple(floor_position), surface=Surface(ground)),
    ]
    rollout = run(bodies, 0.8, 240, planar)
    lost = speed - rollout.velocities[-1, 0, 0]
    assert lost == pytest.approx(math.sqrt(box * ground) * GRAVITY * 0.8, rel=0.03)


@pytest.mark.bullet
@pytest.mark.parametrize("height", [0.02, 0.3, 1.03])
@pytest.mark.parametrize("ground", [HalfSpace(), Box((5.0, 5.0, 0.5))])
def test_a_dropped_ball_bounces_by_the_geometric_mean_of_restitutions(ground: Shape, height: float) -> None:
    below = -0.5 if isinstance(ground, Box) else 0.0
    bodies = [
        Body(Sphere(0.25), 1.0, (0.0, 0.0, 0.25 + height), surface=Surface(0.0, 0.9)),
        Body(ground, 0.0, (0.0, 0.0, below), surface=Surface(0.0, 0.4)),
    ]
    speed = run(bodies, 1.5, 250, planar=False).velocities[:, 0, 2]
    bounce = int(np.argmax(speed > 0.0))
    assert speed[bounce] / -speed[bounce - 1] == pytest.approx(0.6, abs=0.01)


@pytest.mark.bullet
@pytest.mark.parametrize("speed", [0.02, 0.2, 2.0])
def test_balls_bounce_alike_at_any_speed(speed: float) -> None:
    surfaces = Surface(0.0, 0.5), Surface(0.0, 0.08)
    bodies = [
        Body(Sphere(0.2), 1.0, (-0.21, 0.0, 0.0), velocity=(speed, 0, 0), surface=surfaces[0]),
        Body(Sphere(0.2), 1.0, (0.2, 0.0, 0.0), surface=surfaces[1]),
    ]
    rollout = run(bodies, 0.05 / speed, 250, planar=False, gravity=0.0)
    separating = rollout.velocities[-1, 1, 0] - rollout.velocities[-1, 0, 0]
    assert separating / speed == pytest.approx(0.2, abs=0.005)


@pytest.mark.bullet
@pytest.mark.parametrize("restitution", [0.2, 0.6])
def test_planar_balls_bounce_about_as_stated(restitution: float) -> None:
    """A contact that begins just before touch brakes a little; the typical bounce is right."""
    ratios = []
    for height in np.linspace(0.3, 2.5, 12):
        bodies = [
            Body(Sphere(0.25), 1.0, (0.0, 0.25 + height, 0.0), surface=Surface(0.5, restitution)),
            Body(Box((5.0, 0.5, 0.5)), 0.0, (0.0, -0.5, 0.0), surface=Surface(0.5, restitution)),
        ]
        speed = run(bodies, 1.5, 60, planar=True).velocities[:, 0, 1]
        jump = int(np.argmax(np.diff(speed) > 0.01))
        ratios.append(speed[jump : jump + 4].max() / math.sqrt(2 * GRAVITY * height))
    assert np.median(ratios) == pytest.approx(restitution, abs=0.02)


@pytest.mark.bullet
@pytest.mark.parametrize("planar", [False, True])
def test_damping_is_the_share_of_velocity_lost_per_second(planar: bool) -> None:
    body = Body(
        Sphere(0.2),
        2.0,
        velocity=(3.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 4.0),
        linear_damping=0.3,
        angular_damping=0.5,
    )
    rollout = run([body], 2.0, 120, planar, gravity=0.0)
    assert rollout.velocities[-1, 0, 0] == pytest.approx(3.0 * 0.7**2, rel=1e-6)
    assert rollout.angular_velocities[-1, 0, 2] == pytest.approx(4.0 * 0.5**2, rel=1e-6)


@pytest.mark.bullet
@pytest.mark.parametrize(
    ("shape", "height"),
    [
        (Sphere(0.3), 0.3),
        (Box((0.3, 0.2, 0.1)), 0.1),
        (Cylinder(0.3, 0.15), 0.15),
        (ConvexPolygon(((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)), half_depth=0.25), 0.25),
        (Compound((Part(Box((0.3, 0.3, 0.1))), Part(Sphere(0.1), (0.0, 0.0, 0.1)))), 0.1),
    ],
)
def test_every_shape_rests_on_a_plane_at_its_own_height(shape: Shape, height: float) -> None:
    bodies = [Body(shape, 1.0, (0.0, 0.0, height + 0.02), surface=Surface(0.5, 0.0)), Body(HalfSpace())]
    assert run(bodies, 1.5, 250, planar=False).positions[-1, 0, 2] == pytest.approx(height, abs=0.003)


@pytest.mark.bullet
def test_a_plane_faces_along_its_normal() -> None:
    bodies = [Body(Sphere(0.2), 1.0, (0.0, 0.5, 0.0)), Body(HalfSpace((0.0, 1.0, 0.0)))]
    assert run(bodies, 1.5, 60, planar=True).positions[-1, 0, 1] == pytest.approx(0.2, abs=0.005)


def falling_world() -> World:
    return World([Body(Sphere(0.2), mass=1.0, position=(0.0, 0.0, 3.0))], timestep=0.01)


@pytest.fixture
def few_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more than are open now."""
    monkeypatch.setattr(engine, "MOST_ENGINES", len(Engine._open) + 2)


@pytest.mark.bullet
@pytest.mark.usefixtures("few_engines")
def test_worlds_that_nobody_closed_give_their_engines_back():
    gc.disable()  # no cycle of references keeps them either
    try:
        for _ in range(6):
            falling_world().run(2, 1)
    finally:
        gc.enable()


@pytest.mark.bullet
@pytest.mark.usefixtures("few_engines")
def test_too_many_open_worlds_are_refused():
    first, second = falling_world(), falling_world()
    with pytest.raises(ComphyError, match=r"at most \d+ open physics engines"):
        falling_world()
    first.close()
    with falling_world() as third:
        assert len(third.run(2, 1)) == len(second.run(2, 1)) == 2
    second.close()


@pytest.mark.bullet
def test_an_engine_that_does_not_open_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pybullet, "connect", lambda *given: -1)
    with pytest.raises(ComphyError, match="refused the connection"):
        Engine()


@pytest.mark.bullet
def test_a_closed_world_says_so():
    """Bullet gives its number to the next engine: the world would run among another one's bodies."""
    world = falling_world()
    world.close()
    with Engine(), pytest.raises(ComphyError, match="its engine was closed"):
        world.run(2, 1)
