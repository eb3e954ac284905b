"""Flickering contacts become one collision per touch, with the right step and impulse."""

import math

import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.contacts import ContactLog
from comphy.sim.rollout import Rollout
from comphy.sim.shapes import HalfSpace, Sphere
from comphy.sim.world import BLOW_SECONDS, RELEASE_SECONDS, World

GRAVITY = 9.8
TIMESTEP = 1.0 / 250
HERE = (0.0, 0.0, 0.0)


def test_contacts_within_the_release_time_are_one_collision() -> None:
    log = ContactLog(release_steps=5, blow_steps=1000)
    for step in (10, 11, 16, 21):
        log.touch(step, (0, 1), 0.5, (float(step), 0.0, 0.0))
    (collision,) = log.collisions()
    assert (collision.step, collision.last_step) == (10, 21)
    assert collision.impulse == pytest.approx(2.0)
    assert collision.location == (10.0, 0.0, 0.0)


def test_contacts_beyond_the_release_time_are_two_collisions() -> None:
    log = ContactLog(release_steps=5, blow_steps=1000)
    log.touch(10, (0, 1), 1.0, HERE)
    log.touch(16, (0, 1), 2.0, HERE)
    assert [(c.step, c.impulse) for c in log.collisions()] == [(10, 1.0), (16, 2.0)]


def test_pairs_are_kept_apart_and_events_sorted_by_time() -> None:
    log = ContactLog(release_steps=100, blow_steps=1000)
    log.touch(7, (1, 2), 1.0, HERE)
    log.touch(7, (0, 2), 1.0, HERE)
    log.touch(8, (0, 1), 1.0, HERE)
    log.touch(9, (1, 2), 1.0, HERE)
    assert [(c.step, c.pair) for c in log.collisions()] == [(7, (0, 2)), (7, (1, 2)), (8, (0, 1))]


def dropped(height: float, restitution: float, mass: float = 2.0, seconds: float = 2.0) -> Rollout:
    """A ball falls on a fixed ball below it."""
    surface = Surface(0.0, restitution)
    bodies = [
        Body(Sphere(0.2), mass, (0.0, 0.0, 0.4 + height), surface=surface),
        Body(Sphere(0.2), 0.0, (0.0, 0.0, 0.0), surface=surface),
    ]
    with World(bodies, timestep=TIMESTEP, gravity=(0.0, 0.0, -GRAVITY), watch=[(0, 1)]) as world:
        return world.run(round(seconds / TIMESTEP / 10), 10)


@pytest.mark.bullet
def test_a_bouncing_ball_collides_once_per_bounce() -> None:
    height, restitution = 1.0, 0.5
    fall, speed = math.sqrt(2 * height / GRAVITY), math.sqrt(2 * GRAVITY * height)
    flights = [2 * speed * restitution**k / GRAVITY for k in (1, 2, 3)]
    assert flights[1] > RELEASE_SECONDS > flights[2]
    collisions = dropped(height, restitution).collisions
    assert len(collisions) == 3
    for collision, time in zip(collisions, (fall, fall + flights[0], fall + flights[0] + flights[1]), strict=True):
        assert collision.step * TIMESTEP == pytest.approx(time, abs=4 * TIMESTEP)
        assert collision.pair == (0, 1)
        assert collision.location == pytest.approx((0.0, 0.0, 0.2), abs=0.02)


@pytest.mark.bullet
def test_the_impulse_is_the_change_of_momentum() -> None:
    height, restitution, mass = 1.0, 0.5, 2.0
    first = dropped(height, restitution, mass).collisions[0]
    assert first.impulse == pytest.approx(mass * (1 + restitution) * math.sqrt(2 * GRAVITY * height), rel=0.02)


@pytest.mark.bullet
def test_a_rattling_ball_collides_once() -> None:
    (collision,) = dropped(0.01, 0.5).collisions
    assert collision.step * TIMESTEP == pytest.approx(math.sqrt(2 * 0.01 / GRAVITY), abs=4 * TIMESTEP)
    assert collision.last_step - collision.step > RELEASE_SECONDS / TIMESTEP


@pytest.mark.bullet
def test_two_free_bodies_share_the_impulse() -> None:
    bodies = [
        Body(Sphere(0.2), 1.0, (-0.5, 0.0, 0.0), velocity=(1.0, 0.0, 0.0), surface=Surface(0.0, 0.2)),
        Body(Sphere(0.2), 5.0, (0.0, 0.0, 0.0), surface=Surface(0.0, 0.2)),
    ]
    with World(bodies, timestep=TIMESTEP, gravity=(0.0, 0.0, 0.0)) as world:
        rollout = world.run(25, 10)
    (collision,) = rollout.collisions
    assert collision.impulse == pytest.approx(1.2 * 1.0 * 5.0 / 6.0, rel=5e-3)
    assert collision.impulse == pytest.approx(5.0 * rollout.velocities[-1, 1, 0], rel=1e-3)
    assert collision.step * TIMESTEP == pytest.approx(0.1, abs=2 * TIMESTEP)


@pytest.mark.bullet
def test_only_watched_pairs_are_reported() -> None:
    bodies = [Body(Sphere(0.2), 1.0, (0.0, 0.0, 0.2)), Body(HalfSpace())]
    with World(bodies, timestep=TIMESTEP) as world:
        assert world.run(10, 10).collisions == ()
    with World(bodies, timestep=TIMESTEP, watch=[(0, 1)]) as world:
        (resting,) = world.run(10, 10).collisions
    blow = round(BLOW_SECONDS / TIMESTEP)
    assert resting.impulse == pytest.approx(1.0 * GRAVITY * blow * TIMESTEP, rel=0.1), "leaning does not count"
    assert resting.last_step == 89


def test_the_impulse_is_that_of_the_blow() -> None:
    log = ContactLog(release_steps=5, blow_steps=3)
    for step in (10, 11, 12, 13, 14):
        log.touch(step, (0, 1), 1.0, (0.0, 0.0, 0.0))
    (collision,) = log.collisions()
    assert (collision.step, collision.last_step, collision.impulse) == (10, 14, 3.0)
    assert log.leaning((0, 1), 15) and log.leaning((0, 1), 16), "touched within half the release"
    assert not log.leaning((0, 1), 17) and not log.leaning((0, 1), 12) and not log.leaning((0, 2), 15)
