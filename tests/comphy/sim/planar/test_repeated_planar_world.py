"""Repeated planar worlds: textbook physics in the plane, sleep, and runs that do not depend on earlier ones."""

import hashlib
import math
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.bullet import Engine
from comphy.sim.planar.repeated_planar_world import RepeatedPlanarWorld
from comphy.sim.planar.sleep import BLOCK_STEPS
from comphy.sim.shapes import Box, Compound, Part, Sphere, Vector

pytestmark = pytest.mark.bullet

RATE = 60
GRAVITY = 9.8
ROUGH = Surface(0.5, 0.2)


def floor() -> Body:
    return Body(Box((40.0, 1.0, 3.0)), position=(0.0, -1.0, 0.0), surface=ROUGH)


def ball(x: float, y: float, radius: float = 1.0, velocity: Vector = (0.0, 0.0, 0.0)) -> Body:
    return Body(Sphere(radius), 0.25 * math.pi * radius**2, (x, y, 0.0), velocity=velocity, surface=ROUGH)


def plank(
    x: float, y: float, half: tuple[float, float], angle: float = 0.0, velocity: Vector = (0.0, 0.0, 0.0)
) -> Body:
    turn = (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))
    return Body(Box((*half, 3.0)), half[0] * half[1], (x, y, 0.0), turn, velocity, surface=ROUGH)


def cross() -> Body:
    arms = (Part(Box((2.0, 0.3, 3.0))), Part(Box((0.3, 2.0, 3.0))))
    return Body(Compound(arms), 1.0, (-9.0, 7.0, 0.0), surface=ROUGH)


def world_of(*bodies: Body, engine: Engine | None = None) -> RepeatedPlanarWorld:
    return RepeatedPlanarWorld(bodies, timestep=1.0 / RATE, gravity=(0.0, -GRAVITY, 0.0), engine=engine)


def steps(place: RepeatedPlanarWorld, count: int) -> None:
    for _ in islice(place.walk(), count):
        pass


def test_a_thrown_ball_follows_a_parabola() -> None:
    with world_of(floor()) as place:
        place.start([ball(0.0, 30.0, velocity=(5.0, 3.0, 0.0))])
        steps(place, 96)
        (x, y, z), _, (vx, vy, _), _ = place.states()[1]
    seconds = 96 / RATE
    assert (x, vx, z) == pytest.approx((5.0 * seconds, 5.0, 0.0), abs=1e-9)
    assert vy == pytest.approx(3.0 - GRAVITY * seconds, abs=1e-9)
    assert y == pytest.approx(30.0 + 3.0 * seconds - GRAVITY * seconds**2 / 2, abs=GRAVITY * seconds / RATE)


@pytest.mark.parametrize("shape", ["ball", "plank"])
def test_a_dropped_body_bounces_by_its_restitution_and_comes_to_rest(shape: str) -> None:
    with world_of(floor()) as place:
        ratios = []
        for height in np.linspace(2.0, 20.0, 9):
            body = ball(0.0, 1.0 + height) if shape == "ball" else plank(0.0, 0.5 + height, (2.0, 0.5))
            place.start([body])
            speeds = []
            for _ in islice(place.walk(), 400):
                speeds.append(place.states()[1][2][1])
            impact = int(np.argmin(speeds))
            ratios.append(max(speeds[impact : impact + 4]) / -speeds[impact])
            assert place.asleep
            assert place.states()[1][0][1] == pytest.approx(1.0 if shape == "ball" else 0.5, abs=0.01)
    assert np.median(ratios) == pytest.approx(0.2, abs=0.005)


def test_a_sliding_plank_brakes_by_its_friction() -> None:
    with world_of(floor()) as place:
        place.start([plank(0.0, 0.5, (2.0, 0.5), velocity=(6.0, 0.0, 0.0))])
        steps(place, 30)
        assert 6.0 - place.states()[1][2][0] == pytest.approx(0.5 * GRAVITY * 30 / RATE, rel=0.01)


@pytest.mark.parametrize("degrees", [10.0, 25.0])
def test_a_ball_rolls_down_as_a_disc(degrees: float) -> None:
    slope = math.radians(degrees)
    ramp = plank(0.0, 0.0, (60.0, 1.0), -slope)
    ramp = Body(ramp.shape, 0.0, ramp.position, ramp.orientation, surface=ROUGH)
    with world_of(ramp) as place:
        place.start([ball(2.5 * math.sin(slope), 2.5 * math.cos(slope), radius=1.5)])
        steps(place, 180)
        _, _, velocity, spin = place.states()[1]
    expected = GRAVITY * math.sin(slope) / 1.5 * 3.0
    assert math.hypot(*velocity) == pytest.approx(expected, rel=0.005)
    assert -spin[2] * 1.5 == pytest.approx(expected, rel=0.005)


def crowded(engine: Engine | None = None) -> RepeatedPlanarWorld:
    planks = [plank(3.0 * k - 6.0, 4.0 + 2 * k, (2.0, 0.4), 0.3 * k) for k in range(4)]
    posts = [plank(8.0 + 2.0 * k, 3.0, (0.4, 3.0)) for k in range(3)]
    return world_of(floor(), *planks, *posts, cross(), ball(-5.0, 14.0), engine=engine)


ADDED = (
    [ball(9.0, 20.0, 1.2)],
    [ball(-7.0, 15.0, 0.4), ball(2.0, 18.0, 1.2)],
    [ball(9.2, 20.0, 1.2)],
    [],
    [ball(-7.0, 15.0, 0.4), ball(3.0, 18.0, 0.7)],
    [ball(9.0, 21.0, 0.7)],
)


def digest(place: RepeatedPlanarWorld, added: list[Body], blocks: int = 30) -> str:
    place.start(added)
    for _ in range(blocks):
        place.advance()
    return hashlib.sha256(repr(place.states()).encode()).hexdigest()


def print_digests() -> None:
    """Entry point of the other process."""
    with crowded() as place:
        for added in ADDED[::-1]:
            print(digest(place, added))


@pytest.fixture(scope="module")
def fresh() -> list[str]:
    """Each run in a world of its own."""
    found = []
    for added in ADDED:
        with crowded() as place:
            found.append(digest(place, added))
    assert len(set(found)) == len(ADDED)
    return found


def test_a_run_does_not_depend_on_earlier_ones(fresh: list[str]) -> None:
    with crowded() as place:
        for k in (0, 1, 2, 3, 4, 5, 0, 5, 1, 4, 1, 3, 0):
            assert digest(place, ADDED[k]) == fresh[k]
            place.start(ADDED[k - 1])
            place.advance()


def test_repeated_planar_worlds_share_an_engine_one_after_the_other(fresh: list[str]) -> None:
    with Engine() as engine:
        one, other = crowded(engine), world_of(floor(), ball(0.0, 5.0), engine=engine)
        for k in (1, 0):
            other.start([ball(3.0, 3.0)])
            other.advance()
            assert digest(one, ADDED[k]) == fresh[k]


def test_another_process_gives_the_same_bits(fresh: list[str]) -> None:
    code = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as t; t.print_digests()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.split() if len(line) == 64] == fresh[::-1]


def test_walking_and_advancing_are_the_same_run() -> None:
    with crowded() as place:
        for added in ADDED[:3]:
            place.start(added)
            walk = place.walk()
            walked = [
                repr(place.states()) for k, _ in enumerate(islice(walk, 40 * BLOCK_STEPS), 1) if k % BLOCK_STEPS == 0
            ]
            place.start(added)
            for seen in walked:
                place.advance()
                assert repr(place.states()) == seen


def test_bodies_stay_in_the_plane() -> None:
    with crowded() as place:
        place.start(ADDED[1])
        for _ in range(62):
            place.advance()
            for position, turn, _, _ in place.states()[1:]:
                assert abs(position[2]) < 1e-2  # metres; a pixel is 0.17
                assert math.degrees(2 * math.hypot(turn[0], turn[1])) < 1e-6
        assert all(-0.1 < position[1] < 12.0 for position, _, _, _ in place.states()[1:]), "all fell, none through"


def test_a_sleeper_wakes_when_it_is_struck_and_falls_when_it_is_pushed_off() -> None:
    ledge = Body(Box((2.0, 0.5, 3.0)), position=(0.0, 9.5, 0.0), surface=ROUGH)
    with world_of(floor(), ledge, plank(1.2, 10.5, (0.7, 0.5))) as place:
        place.start()
        steps(place, 120)
        assert place.asleep
        asleep = repr(place.states())
        steps(place, 50)
        assert repr(place.states()) == asleep
        place.start([ball(-12.0, 15.2, 1.0, velocity=(12.0, 0.0, 0.0))])
        steps(place, 3 * BLOCK_STEPS)
        assert 2 not in place.awake
        steps(place, 300)
        (x, y, _), _, _, _ = place.states()[2]
    assert x > 2.0 and y < 2.0


def test_a_slow_ball_keeps_rolling() -> None:
    with world_of(floor()) as place:
        place.start([ball(0.0, 1.0, velocity=(0.05, 0.0, 0.0))])
        steps(place, 600)
        assert not place.asleep
        assert place.states()[1][0][0] == pytest.approx(0.05 / 1.5 * 10.0, rel=0.05), "two thirds after slipping"


def test_touching_and_pairs() -> None:
    with world_of(floor(), ball(0.0, 1.0), ball(5.0, 8.0)) as place:
        place.start([ball(2.0, 1.0)])
        steps(place, 2)
        assert place.touching(0, 1, 0.01)
        assert not place.touching(0, 2, 0.01)
        assert place.touching_pairs(0.01) == {(0, 1), (0, 3), (1, 3)}
        assert place.distance(1, 3) == pytest.approx(2.0, abs=0.01)
