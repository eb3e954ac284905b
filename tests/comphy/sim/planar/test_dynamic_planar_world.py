"""Planar worlds in which bodies enter and leave: touches reported as they begin, continuous collision detection."""

import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.planar.dynamic_planar_world import DynamicPlanarWorld
from comphy.sim.shapes import Box, Sphere, Vector

pytestmark = pytest.mark.bullet

STEP = 0.01
DOWN: Vector = (0.0, -5.0, 0.0)
WEIGHTLESS: Vector = (0.0, 0.0, 0.0)
DULL = Surface(0.5, 0.01)


def slab(x: float, y: float, width: float, height: float, mass: float = 0.0) -> Body:
    return Body(Box((width / 2, height / 2, 1.0 if mass else 0.005)), mass, (x, y, 0.0), surface=DULL)


def bird(bounce: float = 0.43, group: int = 0) -> Body:
    return Body(
        Sphere(0.17),
        0.5,
        surface=Surface(0.3, bounce**2 / 0.01, unbounded_restitution=True),
        continuous_collision=True,
        collision_group=group,
    )


@pytest.mark.parametrize("thickness", [0.06, 0.5])
@pytest.mark.parametrize("speed", [3.0, 10.0, 18.3])
@pytest.mark.parametrize("x", [-3.0, -2.97, -2.93])
def test_a_fast_body_bounces_as_its_surface_says_off_the_thinnest_wall(
    thickness: float, speed: float, x: float
) -> None:
    with DynamicPlanarWorld([slab(0, 0, thickness, 4), bird()], [1], timestep=STEP, gravity=WEIGHTLESS) as world:
        world.start()
        world.enter(1, (x, 0.0, 0.0), (speed, 0.0, 0.0))
        touches = [touch for _ in range(120) for touch in world.step()]
        assert [touch.pair for touch in touches] == [(0, 1)]
        assert touches[0].velocities[1] == pytest.approx((speed, 0.0, 0.0))
        assert world.velocity(1)[0][0] == pytest.approx(-0.43 * speed, rel=0.01)


def test_one_collision_group_does_not_touch_itself_but_all_others() -> None:
    for groups, meets in (((1, 1), False), ((1, 2), True), ((0, 1), True)):
        bodies = [bird(group=group) for group in groups]
        with DynamicPlanarWorld(bodies, [0, 1], timestep=STEP, gravity=WEIGHTLESS) as world:
            world.start()
            world.enter(0, (-1.0, 0.0, 0.0), (5.0, 0.0, 0.0))
            world.enter(1, (1.0, 0.0, 0.0), (-5.0, 0.0, 0.0))
            touches = [touch for _ in range(60) for touch in world.step()]
            assert bool(touches) is meets


def test_what_rested_on_someone_who_leaves_falls() -> None:
    bodies = [slab(0, -0.5, 20, 1), slab(0, 0.5, 1, 1, 1.0), slab(0, 1.5, 1, 1, 1.0), slab(5, 0.5, 1, 1, 1.0)]
    with DynamicPlanarWorld(bodies, timestep=STEP, gravity=DOWN) as world:
        world.start()
        while not world.asleep:
            world.step()
        assert world.present == [1, 2, 3]
        world.leave(1)
        assert world.awake == [2], "nobody else is disturbed"
        landing = [touch for _ in range(200) for touch in world.step() if touch.pair == (0, 2)]
        assert len(landing) == 1
        assert landing[0].velocities[1][1] == pytest.approx(-(10.0**0.5), rel=0.02), "as after falling by its height"
        assert world.position(2)[1] == pytest.approx(0.5, abs=0.02)
        assert world.present == [2, 3] and world.asleep


def test_runs_are_the_same_bit_by_bit_whatever_happened_before() -> None:
    bodies = [slab(0, -0.5, 20, 1), *(slab(x, 0.5, 0.3, 1, 1.0) for x in (0.0, 0.7, 1.4)), bird(), bird()]

    def run(world: DynamicPlanarWorld, speed: float) -> list[object]:
        world.start()
        world.enter(4, (-4.0, 1.0, 0.0), (speed, 1.0, 0.0))
        seen: list[object] = []
        for step in range(150):
            seen += world.step()
            if step == 60:
                world.leave(2)
                world.enter(5, (-4.0, 1.0, 0.0), (speed, 1.0, 0.0))
        return [*seen, *(world.state(body) for body in range(len(bodies)))]

    with DynamicPlanarWorld(bodies, [4, 5], timestep=STEP, gravity=DOWN) as world:
        first = run(world, 9.0)
        assert len(first) > len(bodies) + 3, "something is hit"
        run(world, 5.0)
        assert run(world, 9.0) == first
    with DynamicPlanarWorld(bodies, [4, 5], timestep=STEP, gravity=DOWN) as world:
        assert run(world, 9.0) == first
