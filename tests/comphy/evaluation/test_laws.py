"""The fits find known constants in made-up motion, and the published ones in simulated motion."""

import math
from dataclasses import replace

import numpy as np
import pytest

from comphy.evaluation.laws import (
    PUBLISHED,
    Comparison,
    Estimate,
    Line,
    MotionLaws,
    Observation,
    compare,
    fit_contact_distances,
    fit_coulomb,
    fit_deceleration,
    fit_laws,
    fit_restitution,
)
from comphy.scene.objects import InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from comphy.sim.bullet import Engine
from comphy.sim.rollout import Collision, Rollout
from comphy.sim.tabletop import simulate

COLORS = tuple(Color)


def observed(
    specs: list[tuple[Shape, float, int]],
    positions: np.ndarray,
    velocities: np.ndarray,
    touches: tuple[tuple[int, tuple[int, int]], ...] = (),
) -> Observation:
    """Motion [frames, objects, 2] as an observation; `touches` are (engine step, pair)."""
    objects = tuple(
        ObjectSpec(COLORS[k], shape, Material.METAL, mass, charge) for k, (shape, mass, charge) in enumerate(specs)
    )
    height = np.full((*positions.shape[:2], 1), 0.2)
    collisions = tuple(Collision(step, step, pair, 1.0, (0.0, 0.0, 0.0)) for step, pair in touches)
    upright = np.broadcast_to((0.0, 0.0, 0.0, 1.0), (*positions.shape[:2], 4))
    spin = np.zeros((*positions.shape[:2], 3))
    return Observation(
        objects,
        Rollout(
            np.concatenate([positions, height], -1),
            upright,
            np.concatenate([velocities, 0 * height], -1),
            spin,
            collisions,
            10,
        ),
    )


def coasting(shape: Shape, law: Line, speed: float, heading: float) -> Observation:
    """v' = -(constant + slope v) in closed form, until just before rest."""
    t = np.arange(60) / 25
    limit = law.constant / law.slope
    v = (speed + limit) * np.exp(-law.slope * t) - limit
    s = (speed + limit) * (1 - np.exp(-law.slope * t)) / law.slope - limit * t
    moving = v > 0
    direction = np.array([math.cos(heading), math.sin(heading)])
    return observed([(shape, 1.0, 0)], (s[moving, None] * direction)[:, None], (v[moving, None] * direction)[:, None])


def test_deceleration_is_found_per_shape() -> None:
    laws = {Shape.SPHERE: Line(0.0, 0.3), Shape.CUBE: Line(0.5, 0.1), Shape.CYLINDER: Line(0.2, 0.2)}
    runs = [
        coasting(shape, law, speed, heading)
        for shape, law in laws.items()
        for speed, heading in ((0.7, 0.0), (1.5, 2.0), (3.0, -1.0))
    ]
    for shape, fit in fit_deceleration(runs).items():
        assert fit.constant == pytest.approx(laws[shape].constant, abs=1e-3)
        assert fit.slope == pytest.approx(laws[shape].slope, rel=1e-2)
        assert fit.samples > 50


def test_deceleration_looks_at_free_motion_only() -> None:
    law = Line(0.2, 0.2)
    disturbed = coasting(Shape.CUBE, law, 2.0, 0.0)
    rollout = disturbed.rollout
    rollout.velocities[30:, 0, 0] *= 0.5  # a blow between frames 29 and 30
    blow = observed([(Shape.CUBE, 1.0, 0)], rollout.positions[..., :2], rollout.velocities[..., :2], ((295, (0, 0)),))
    fit = fit_deceleration([blow])[Shape.CUBE]
    assert fit.samples < 60 - 7
    assert 0.1 < fit.at(1.5) < 0.6, "the blow itself would read as a deceleration of about 10"
    charged = observed([(Shape.CUBE, 1.0, 1)], rollout.positions[..., :2], rollout.velocities[..., :2])
    assert fit_deceleration([charged]) == {}


def bouncing(restitution: float, masses: tuple[float, float], speed: float, heading: float) -> Observation:
    """One object hits another that rests, without friction; they touch in frame 10."""
    frames, touch, distance = 20, 10.4, 0.4
    t = (np.arange(frames) - touch)[:, None] / 25
    direction = np.array([math.cos(heading), math.sin(heading)])
    common = speed * masses[0] / sum(masses)
    first = np.where(t < 0, speed, common - restitution * speed * masses[1] / sum(masses))
    second = np.where(t < 0, 0.0, common + restitution * speed * masses[0] / sum(masses))
    velocities = np.stack([first * direction, second * direction], 1)
    positions = np.stack([first * t * direction - distance * direction, second * t * direction], 1)
    return observed([(Shape.SPHERE, m, 0) for m in masses], positions, velocities, ((104, (0, 1)),))


@pytest.mark.parametrize("restitution", [0.0, 0.37, 0.9])
def test_restitution_is_found(restitution: float) -> None:
    runs = [bouncing(restitution, (1.0, m), 0.5 + 0.1 * k, k) for k in range(6) for m in (1.0, 5.0)]
    fit = fit_restitution(runs)
    assert fit is not None
    assert fit.value == pytest.approx(restitution, abs=1e-9)
    assert fit.samples == 12


def test_slow_touches_do_not_count() -> None:
    assert fit_restitution([bouncing(0.5, (1.0, 1.0), 0.2, 0.0)] * 20) is None


def attracted(k: float, masses: tuple[float, float], charges: tuple[int, int], shape: Shape, law: Line) -> Observation:
    """Two charged objects that slide past each other, integrated in small steps."""
    position, velocity = np.array([[0.0, 0.0], [1.0, 0.9]]), np.array([[0.0, 0.9], [0.1, -0.8]])
    mass, substeps = np.array(masses)[:, None], 200
    step = 1 / 25 / substeps
    positions, velocities = [], []
    for _ in range(25):
        positions.append(position.copy())
        velocities.append(velocity.copy())
        for _ in range(substeps):
            offset = position[0] - position[1]
            force = k * charges[0] * charges[1] * offset / np.linalg.norm(offset) ** 3
            speed = np.linalg.norm(velocity, axis=1, keepdims=True)
            acceleration = np.stack([force, -force]) / mass - velocity / speed * (law.constant + law.slope * speed)
            velocity = velocity + acceleration * step
            position = position + velocity * step
    specs = [(shape, masses[0], charges[0]), (shape, masses[1], charges[1])]
    return observed(specs, np.array(positions), np.array(velocities))


@pytest.mark.parametrize("charges", [(1, 1), (1, -1)])
def test_coulombs_constant_is_found(charges: tuple[int, int]) -> None:
    law = Line(0.24, 0.15)
    runs = [attracted(0.3, masses, charges, Shape.CUBE, law) for masses in ((1.0, 1.0), (1.0, 5.0))]
    fit = fit_coulomb(runs, {Shape.CUBE: law})
    assert fit is not None
    assert fit.value == pytest.approx(0.3, rel=0.02)


def test_contact_distances_are_medians_before_the_touch() -> None:
    runs = []
    for distance in (0.40, 0.42, 0.90):
        positions = np.zeros((6, 2, 2))
        positions[:3, 1, 0], positions[3:, 1, 0] = distance, 7.0
        runs.append(observed([(Shape.SPHERE, 1.0, 0), (Shape.CUBE, 1.0, 0)], positions, 0 * positions, ((29, (0, 1)),)))
    fits = fit_contact_distances(runs * 5)
    assert set(fits) == {(Shape.CUBE, Shape.SPHERE)}
    assert fits[Shape.CUBE, Shape.SPHERE] == Estimate(pytest.approx(0.95 * 0.42), 15)


def test_too_few_samples_give_no_law() -> None:
    laws = fit_laws([bouncing(0.5, (1.0, 1.0), 1.0, 0.0)])
    assert laws.restitution is None
    assert laws.coulomb is None
    assert laws.contact_distance == {}


def test_the_table_compares_what_both_have() -> None:
    ours = MotionLaws({Shape.SPHERE: Line(0.01, 0.158, 99)}, {}, Estimate(0.1826, 50), None)
    rows = {row.law: row for row in compare(ours)}
    assert len(rows) == 5
    assert rows["deceleration sphere, constant"].deviation is None
    assert rows["deceleration sphere at 0.5"].deviation == pytest.approx(100 * 0.01 / 0.079)
    assert rows["restitution"].deviation == pytest.approx(10.0)
    assert rows["restitution"] == Comparison("restitution", 0.166, 0.1826, 50)


def test_the_published_laws_agree_with_themselves() -> None:
    rows = compare(PUBLISHED)
    assert len(rows) == 3 * 4 + 2 + 6
    assert all(row.deviation in (None, 0.0) for row in rows)


def random_pair(rng: np.random.Generator, charges: tuple[int, int]) -> Video:
    """One object runs at another that rests or, where both are charged, slowly passes it."""
    shapes = [list(Shape)[k] for k in rng.integers(3, size=2)]
    objects = tuple(
        ObjectSpec(COLORS[k], shape, Material.METAL, float(rng.choice((1.0, 5.0))), charges[k])
        for k, shape in enumerate(shapes)
    )
    speed, aside = (rng.uniform(0.3, 0.8), 0.7) if any(charges) else (rng.uniform(0.7, 2.0), rng.uniform(-0.2, 0.2))
    states = []
    for place, velocity in zip(((-0.9, aside), (0.0, 0.0)), (speed, 0.0), strict=True):
        yaw, motion = rng.uniform(0.0, math.pi / 2), (velocity, 0.0, 0.0)
        turned = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))
        states.append(InitialState((*place, OBJECT_RADIUS), turned, motion, (0.0, 0.0, 0.0)))
    return Video(objects, tuple(states), (0, 1), 50, 50)


@pytest.mark.bullet
@pytest.mark.slow
def test_simulated_motion_follows_the_published_laws() -> None:
    rng = np.random.default_rng(0)
    pairs = [random_pair(rng, (0, 0)) for _ in range(240)]
    charged = [random_pair(rng, (1, -1)) for _ in range(30)]
    lone = [
        replace(v, objects=v.objects[:1], initial=v.initial[:1], object_ids=(0,))
        for v in (random_pair(rng, (0, 0)) for _ in range(30))
    ]
    with Engine() as engine:
        met, drawn, alone = (
            [Observation(video.objects, simulate(video, engine)) for video in videos]
            for videos in (pairs, charged, lone)
        )
    deceleration = fit_deceleration(alone)
    laws = MotionLaws(deceleration, fit_contact_distances(met), fit_restitution(met), fit_coulomb(drawn, deceleration))
    rows = compare(laws)
    assert len(rows) == 3 * 4 + 2 + 6
    for row in rows:
        assert row.deviation is None or abs(row.deviation) < 15.0, row
