"""The stage: bodies that come and go, touches that are reported as they begin, and swift bodies."""

import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.dynamic_planar_world import Stage
from comphy.sim.shapes import Box, Sphere, Vector

pytestmark = pytest.mark.bullet

STEP = 0.01
DOWN: Vector = (0.0, -5.0, 0.0)
WEIGHTLESS: Vector = (0.0, 0.0, 0.0)
DULL = Surface(0.5, 0.01)


def slab(x: float, y: float, width: float, height: float, mass: float = 0.0) -> Body:
    return Body(Box((width / 2, height / 2, 1.0 if mass else 0.005)), mass, (x, y, 0.0), surface=DULL)


def bird(bounce: float = 0.43, flock: int = 0) -> Body:
    return Body(Sphere(0.17), 0.5, surface=Surface(0.3, bounce**2 / 0.01, lively=True), swift=True, flock=flock)


@pytest.mark.parametrize("thickness", [0.06, 0.5])
@pytest.mark.parametrize("speed", [3.0, 10.0, 18.3])
@pytest.mark.parametrize("x", [-3.0, -2.97, -2.93])
def test_a_swift_body_bounces_as_its_surface_says_off_the_thinnest_wall(
    thickness: float, speed: float, x: float
) -> None:
    with Stage([slab(0, 0, thickness, 4), bird()], [1], timestep=STEP, gravity=WEIGHTLESS) as stage:
        stage.start()
        stage.enter(1, (x, 0.0, 0.0), (speed, 0.0, 0.0))
        touches = [touch for _ in range(120) for touch in stage.step()]
        assert [touch.pair for touch in touches] == [(0, 1)]
        assert touches[0].velocities[1] == pytest.approx((speed, 0.0, 0.0))
        assert stage.velocity(1)[0][0] == pytest.approx(-0.43 * speed, rel=0.01)


def test_one_flock_does_not_touch_itself_but_all_others() -> None:
    for flocks, meets in (((1, 1), False), ((1, 2), True), ((0, 1), True)):
        bodies = [bird(flock=flock) for flock in flocks]
        with Stage(bodies, [0, 1], timestep=STEP, gravity=WEIGHTLESS) as stage:
            stage.start()
            stage.enter(0, (-1.0, 0.0, 0.0), (5.0, 0.0, 0.0))
            stage.enter(1, (1.0, 0.0, 0.0), (-5.0, 0.0, 0.0))
            touches = [touch for _ in range(60) for touch in stage.step()]
            assert bool(touches) is meets


def test_what_rested_on_someone_who_leaves_falls() -> None:
    bodies = [slab(0, -0.5, 20, 1), slab(0, 0.5, 1, 1, 1.0), slab(0, 1.5, 1, 1, 1.0), slab(5, 0.5, 1, 1, 1.0)]
    with Stage(bodies, timestep=STEP, gravity=DOWN) as stage:
        stage.start()
        while not stage.at_rest:
            stage.step()
        assert stage.present == [1, 2, 3]
        stage.leave(1)
        assert stage.awake == [2], "nobody else is disturbed"
        landing = [touch for _ in range(200) for touch in stage.step() if touch.pair == (0, 2)]
        assert len(landing) == 1
        assert landing[0].velocities[1][1] == pytest.approx(-(10.0**0.5), rel=0.02), "as after falling by its height"
        assert stage.position(2)[1] == pytest.approx(0.5, abs=0.02)
        assert stage.present == [2, 3] and stage.at_rest


def test_runs_are_the_same_bit_by_bit_whatever_happened_before() -> None:
    bodies = [slab(0, -0.5, 20, 1), *(slab(x, 0.5, 0.3, 1, 1.0) for x in (0.0, 0.7, 1.4)), bird(), bird()]

    def run(stage: Stage, speed: float) -> list[object]:
        stage.start()
        stage.enter(4, (-4.0, 1.0, 0.0), (speed, 1.0, 0.0))
        seen: list[object] = []
        for step in range(150):
            seen += stage.step()
            if step == 60:
                stage.leave(2)
                stage.enter(5, (-4.0, 1.0, 0.0), (speed, 1.0, 0.0))
        return [*seen, *(stage.state(body) for body in range(len(bodies)))]

    with Stage(bodies, [4, 5], timestep=STEP, gravity=DOWN) as stage:
        first = run(stage, 9.0)
        assert len(first) > len(bodies) + 3, "something is hit"
        run(stage, 5.0)
        assert run(stage, 9.0) == first
    with Stage(bodies, [4, 5], timestep=STEP, gravity=DOWN) as stage:
        assert run(stage, 9.0) == first
