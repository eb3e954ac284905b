"""The World: planar and tabletop motion against textbook formulas, determinism, stopping, and the reach filter."""

import hashlib
import math
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from comphy.sim.body import Body, Surface
from comphy.sim.bullet import Engine
from comphy.sim.contacts import ContactLog
from comphy.sim.rollout import Collision, Rollout
from comphy.sim.shapes import Box, Compound, ConvexPolygon, HalfSpace, Part, Sphere, about_z, planar_geometry
from comphy.sim.watch import PairWatch
from comphy.sim.world import World
from tests.support.rollouts import identical

GRAVITY = 9.8
DOWN = (0.0, -GRAVITY, 0.0)
RATE = 60
SQUARE = ConvexPolygon(((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)))
ROUGH = Surface(0.5, 0.2)


def planar_run(bodies: list[Body], frames: int, steps_per_frame: int = 1) -> Rollout:
    with World(bodies, timestep=1.0 / RATE, gravity=DOWN, planar=True) as world:
        return world.run(frames, steps_per_frame)


def floor() -> Body:
    return Body(Box((20.0, 0.5, 1.0)), position=(0.0, -0.5, 0.0), surface=ROUGH)


def jar() -> Compound:
    """A U of three convex outlines around its centroid."""
    side = ConvexPolygon(((-0.1, -0.5), (0.1, -0.5), (0.1, 0.5), (-0.1, 0.5)))
    bottom = ConvexPolygon(((-0.4, -0.1), (0.4, -0.1), (0.4, 0.1), (-0.4, 0.1)))
    places = ((side, -0.5, 0.0), (side, 0.5, 0.0), (bottom, 0.0, -0.4))
    y = planar_geometry(Compound(tuple(Part(s, (px, py, 0.0)) for s, px, py in places))).centroid[1]
    return Compound(tuple(Part(s, (px, py - y, 0.0)) for s, px, py in places))


JAR_BELOW_CENTROID = 0.5 - 0.4 * 0.16 / (0.2 + 0.2 + 0.16)  # areas of the sides and of the bottom, which lies 0.4 down


@pytest.mark.bullet
def test_a_planar_ball_falls() -> None:
    rollout = planar_run([Body(Sphere(0.2), 1.0, (0.0, 10.0, 0.0))], RATE + 1)
    assert 10.0 - rollout.positions[-1, 0, 1] == pytest.approx(GRAVITY / 2, rel=0.02)


@pytest.mark.bullet
def test_a_planar_ball_rolls_down_a_ramp_as_a_disc() -> None:
    slope, radius, seconds = math.radians(20.0), 0.25, 1.5
    normal = (math.sin(slope), math.cos(slope))
    ramp = Body(Box((20.0, 0.5, 1.0)), orientation=about_z(-slope), surface=Surface(0.8))
    start = tuple((0.5 + radius) * n for n in normal)
    ball = Body(Sphere(radius), 2.0, (start[0], start[1], 0.0), surface=Surface(0.8))
    rollout = planar_run([ball, ramp], round(seconds * RATE) + 1)
    travelled = np.linalg.norm(rollout.positions[-1, 0] - rollout.positions[0, 0])
    acceleration = GRAVITY * math.sin(slope) / (1 + 1 / 2)
    assert travelled == pytest.approx(acceleration * seconds**2 / 2, rel=0.03)
    assert -rollout.angular_velocities[-1, 0, 2] * radius == pytest.approx(acceleration * seconds, rel=0.03)


def crowd() -> list[Body]:
    """Boxes, balls, a polygon and a jar that fall into a bin."""
    pentagon = ConvexPolygon(tuple((0.4 * math.cos(a), 0.4 * math.sin(a)) for a in np.arange(5) * 2 * math.pi / 5))
    boxes = [
        Body(Box((0.3, 0.2, 0.5)), 1.0 + k, (0.7 * k - 1.5, 1.0 + k, 0.0), about_z(0.3 * k), surface=ROUGH)
        for k in range(4)
    ]
    balls = [
        Body(Sphere(0.25), 1.0, (0.9 * k - 1.0, 6.0, 0.0), velocity=(1.0 - k, 0.0, 0.0), surface=ROUGH)
        for k in range(3)
    ]
    walls = [Body(Box((0.5, 5.0, 1.0)), position=(x, 4.0, 0.0), surface=ROUGH) for x in (-3.0, 3.0)]
    others = [
        Body(pentagon, 2.0, (0.2, 7.0, 0.0), angular_velocity=(0.0, 0.0, 3.0), surface=ROUGH),
        Body(jar(), 3.0, (0.0, 9.0, 0.0), about_z(0.5), surface=ROUGH),
    ]
    return [*boxes, *balls, *others, floor(), *walls]


@pytest.mark.bullet
def test_planar_bodies_stay_in_the_plane() -> None:
    rollout = planar_run(crowd(), 101, 10)
    moving = slice(0, 9)
    assert np.isfinite(rollout.positions).all()
    assert np.abs(rollout.positions[:, moving, 2]).max() < 1e-4
    tilt = 2 * np.arcsin(np.hypot(rollout.orientations[:, moving, 0], rollout.orientations[:, moving, 1]))
    assert np.degrees(tilt.max()) < 1e-6
    assert (rollout.positions[-1, moving, 1] < rollout.positions[0, moving, 1]).all(), "everything has fallen"
    assert (rollout.positions[-1, moving, 1] > 0.1).all(), "nothing has sunk into the floor"
    assert len(rollout.collisions) > 5


@pytest.mark.bullet
def test_a_compound_of_outlines_carries_what_lies_on_it() -> None:
    table = Compound((Part(SQUARE, (-0.4, 0.0, 0.0)), Part(SQUARE, (0.4, 0.0, 0.0))))
    bodies = [
        Body(Box((0.2, 0.1, 0.5)), 1.0, (0.5, 0.4 + 0.1 + 0.2, 0.0), surface=ROUGH),
        Body(table, position=(0.0, 0.0, 0.0), surface=ROUGH),
    ]
    assert planar_run(bodies, 121).positions[-1, 0, 1] == pytest.approx(0.4 + 0.1, abs=0.005)


@pytest.mark.bullet
def test_a_moving_compound_stands_and_holds_a_ball() -> None:
    bodies = [
        Body(jar(), 2.0, (0.0, JAR_BELOW_CENTROID + 0.1, 0.0), surface=ROUGH),
        Body(Sphere(0.2), 1.0, (0.0, 1.5, 0.0), surface=ROUGH),
        floor(),
    ]
    rollout = planar_run(bodies, 241)
    assert rollout.positions[-1, 0, 1] == pytest.approx(JAR_BELOW_CENTROID, abs=0.01)
    assert rollout.positions[-1, 1, 1] == pytest.approx(0.2 + 0.2, abs=0.01), "the bottom is 0.2 thick"
    assert rollout.collisions[0].pair == (0, 1)


def test_a_planar_body_must_turn_about_its_centroid() -> None:
    corner = ConvexPolygon(((0.0, 0.0), (3.0, 0.0), (0.0, 6.0)))
    with pytest.raises(
        ValueError, match=r"planar body 1 at its centroid \(got centroid \(1, 2\)\)\. Shift the vertices"
    ):
        World([floor(), Body(corner, 1.0)], timestep=1 / RATE, planar=True)


def test_a_planar_body_must_lie_in_the_plane() -> None:
    with pytest.raises(ValueError, match="planar body 0 at z = 0"):
        World([Body(Sphere(0.2), 1.0, (0.0, 0.0, 0.1))], timestep=1 / RATE, planar=True)


def charged(masses: tuple[float, float], charges: tuple[float, float], gap: float = 0.9) -> World:
    bodies = [
        Body(Sphere(0.2), mass, (x, 0.0, 0.0), charge=charge)
        for mass, charge, x in zip(masses, charges, (0.0, gap), strict=True)
    ]
    return World(bodies, timestep=1 / 1000, gravity=(0.0, 0.0, 0.0), coulomb=0.138)


@pytest.mark.bullet
@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 5.0)])
@pytest.mark.parametrize("charges", [(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (2.0, -0.5), (1.0, 0.0)])
def test_charges_accelerate_by_coulombs_law(masses: tuple[float, float], charges: tuple[float, float]) -> None:
    with charged(masses, charges) as world:
        velocity = world.run(2, 1).velocities[-1]
    force = 0.138 * charges[0] * charges[1] / 0.9**2
    expected = [[-force / masses[0], 0.0, 0.0], [force / masses[1], 0.0, 0.0]]
    np.testing.assert_allclose(velocity * 1000, expected, atol=1e-9)


@pytest.mark.bullet
def test_momentum_and_energy_of_charges_in_free_space() -> None:
    with charged((1.0, 5.0), (1.0, 1.0)) as world:
        rollout = world.run(200, 5)
    masses = np.array([1.0, 5.0])
    np.testing.assert_allclose((rollout.velocities * masses[:, None]).sum(axis=1), 0.0, atol=1e-9)
    kinetic = (0.5 * masses * (rollout.velocities**2).sum(-1)).sum(-1)
    distance = np.linalg.norm(rollout.positions[:, 1] - rollout.positions[:, 0], axis=-1)
    np.testing.assert_allclose(kinetic + 0.138 / distance, 0.138 / 0.9, rtol=1e-3)


@pytest.mark.bullet
def test_momentum_is_kept_in_a_collision() -> None:
    bodies = [
        Body(Sphere(0.2), 1.0, (-0.6, 0.1, 0.0), velocity=(2.0, 0.0, 0.0), surface=Surface(0.3, 0.5)),
        Body(Box((0.2, 0.2, 0.2)), 5.0, (0.0, 0.0, 0.0), about_z(0.4), surface=Surface(0.3, 0.5)),
    ]
    with World(bodies, timestep=1 / 250, gravity=(0.0, 0.0, 0.0)) as world:
        rollout = world.run(30, 10)
    assert len(rollout.collisions) == 1
    momentum = (rollout.velocities * np.array([1.0, 5.0])[:, None]).sum(axis=1)
    np.testing.assert_allclose(momentum, np.broadcast_to([2.0, 0.0, 0.0], momentum.shape), atol=1e-6)


def tabletop_bodies(seed: int, speed: float = 1.5, count: int = 5) -> list[Body]:
    rng = np.random.default_rng(seed)
    shapes = (Sphere(0.2), Box((0.2, 0.2, 0.2)))
    angles = np.arange(count) * 2 * np.pi / count
    bodies = [
        Body(
            shapes[int(rng.integers(2))],
            float(rng.choice((1.0, 5.0))),
            (1.2 * math.cos(a), 1.2 * math.sin(a), 0.2),
            about_z(float(rng.uniform(0, 3))),
            (-speed * math.cos(a) + rng.normal(0, 0.3), -speed * math.sin(a) + rng.normal(0, 0.3), 0.0),
            surface=Surface(0.1, 0.5),
            charge=float(rng.choice((-1, 0, 1))),
        )
        for a in angles
    ]
    return [*bodies, Body(HalfSpace(), surface=Surface(0.1, 0.0))]


def tabletop_world(seed: int, engine: Engine | None = None, speed: float = 1.5) -> World:
    return World(tabletop_bodies(seed, speed), timestep=1 / 250, coulomb=0.138, engine=engine)


def planar_world(engine: Engine | None = None) -> World:
    return World(crowd(), timestep=1 / RATE, gravity=DOWN, planar=True, engine=engine)


def make(planar: bool, engine: Engine | None = None) -> World:
    return planar_world(engine) if planar else tabletop_world(3, engine)


def digest(rollout: Rollout) -> str:
    parts = (rollout.positions, rollout.orientations, rollout.velocities, rollout.angular_velocities)
    text = b"".join(part.tobytes() for part in parts) + repr(rollout.collisions).encode()
    return hashlib.sha256(text).hexdigest()


def print_digests() -> None:
    """Entry point of the other process."""
    for planar in (False, True):
        with make(planar) as world:
            print(digest(world.run(60, 5)))


@pytest.fixture(scope="module", params=[False, True], ids=["tabletop", "planar"])
def planar(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def reference(planar: bool) -> Rollout:
    with make(planar) as world:
        rollout = world.run(60, 5)
    assert rollout.collisions
    return rollout


@pytest.mark.bullet
def test_a_world_runs_alike_again_and_again(planar: bool, reference: Rollout) -> None:
    with make(planar) as world:
        world.run(37, 5)
        for _ in range(2):
            assert identical(world.run(60, 5), reference)


@pytest.mark.bullet
def test_an_engine_keeps_nothing_of_other_worlds(planar: bool, reference: Rollout) -> None:
    with Engine() as engine:
        for _ in range(2):
            make(not planar, engine).run(20, 5)
            tabletop_world(8, engine).run(20, 5)
            assert identical(make(planar, engine).run(60, 5), reference)


@pytest.mark.bullet
def test_a_world_is_rebuilt_when_another_used_its_engine(planar: bool, reference: Rollout) -> None:
    with Engine() as engine:
        world, other = make(planar, engine), make(not planar, engine)
        for _ in range(2):
            assert identical(world.run(60, 5), reference)
            other.run(10, 5)


@pytest.mark.bullet
def test_interleaved_engines_do_not_mix(planar: bool, reference: Rollout) -> None:
    with make(planar) as one, make(not planar) as two, make(planar) as three:
        two.run(15, 5)
        assert identical(three.run(60, 5), reference)
        two.run(15, 5)
        assert identical(one.run(60, 5), reference)


@pytest.mark.bullet
def test_another_process_gives_the_same_bits(planar: bool, reference: Rollout) -> None:
    folder = __file__.rsplit("/", 1)[0]
    code = f"import sys; sys.path.insert(0, {folder!r}); import test_world; test_world.print_digests()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    digests = [line for line in done.stdout.split() if len(line) == 64]
    assert digests[int(planar)] == digest(reference)


@pytest.mark.bullet
def test_the_stop_rule_ends_a_run() -> None:
    seen: list[int] = []

    def landed(frame: int, states: list) -> bool:
        seen.append(frame)
        return bool(states[0][0][1] < 0.5)

    bodies = [Body(Sphere(0.2), 1.0, (0.0, 1.0, 0.0)), floor()]
    with World(bodies, timestep=1 / RATE, gravity=DOWN, planar=True) as world:
        stopped, whole = world.run(60, 2, landed), world.run(60, 2)
    fall = math.sqrt(2 * 0.5 / GRAVITY) * RATE / 2
    assert len(stopped) == pytest.approx(fall + 1, abs=1)
    assert seen == list(range(len(stopped)))
    assert stopped.positions[-1, 0, 1] < 0.5 < stopped.positions[-2, 0, 1]
    np.testing.assert_array_equal(stopped.positions, whole.positions[: len(stopped)])


def test_select_renumbers_bodies_and_collisions() -> None:
    grid = np.arange(2 * 4 * 4, dtype=float).reshape(2, 4, 4)
    here = (0.0, 0.0, 0.0)
    collisions = tuple(Collision(k, k, pair, 1.0, here) for k, pair in enumerate(((0, 1), (1, 3), (0, 3), (2, 3))))
    rollout = Rollout(grid[..., :3], grid, grid[..., :3], grid[..., :3], collisions, 10)
    chosen = rollout.select([3, 0, 1])
    np.testing.assert_array_equal(chosen.positions, rollout.positions[:, [3, 0, 1]])
    np.testing.assert_array_equal(chosen.orientations, rollout.orientations[:, [3, 0, 1]])
    assert [(c.step, c.pair) for c in chosen.collisions] == [(0, (1, 2)), (1, (0, 2)), (2, (0, 1))]
    assert len(chosen) == 2


@pytest.mark.bullet
def test_the_reach_filter_misses_no_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine() as engine:
        worlds = [tabletop_world(seed, engine, speed) for seed in range(5) for speed in (1.0, 4.0, 12.0)]
        worlds += [
            World(_fast_planar(seed), timestep=1 / RATE, gravity=DOWN, planar=True, engine=engine) for seed in range(6)
        ]
        filtered = [world.run(20, 10) for world in worlds]

        def everything(watch: PairWatch, states: list, steps: range, log: ContactLog) -> list[tuple[tuple, int]]:
            return [(pair, steps.start) for pair in combinations(watch._dynamic, 2)]

        monkeypatch.setattr(PairWatch, "in_reach", everything)
        naive = [world.run(20, 10) for world in worlds]
    assert sum(len(rollout.collisions) for rollout in naive) > 60
    for mine, theirs in zip(filtered, naive, strict=True):
        assert [(c.step, c.pair, c.impulse) for c in mine.collisions] == [
            (c.step, c.pair, c.impulse) for c in theirs.collisions
        ]
        assert mine.positions.tobytes() == theirs.positions.tobytes()


def _fast_planar(seed: int) -> list[Body]:
    rng = np.random.default_rng(seed)
    shapes = (Sphere(0.2), Box((0.3, 0.1, 0.5)), SQUARE)
    bodies = [
        Body(
            shapes[k % 3],
            float(rng.choice((1.0, 20.0))),
            (1.5 * k - 4.0, float(rng.uniform(0.5, 2.0)), 0.0),
            velocity=(float(rng.uniform(-10, 10)), float(rng.uniform(-5, 5)), 0.0),
            angular_velocity=(0.0, 0.0, float(rng.uniform(-10, 10))),
            surface=Surface(0.3, 0.8),
        )
        for k in range(6)
    ]
    return [*bodies, floor()]
