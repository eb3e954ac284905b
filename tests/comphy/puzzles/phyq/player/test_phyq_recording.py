"""Recordings of games: what moves is where the engine has it, and what happens is told with its step."""

import math
from itertools import pairwise

import pytest

from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.player.recording import STRIDE, record
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.world.catalog import EXPLOSIONS, Bird
from comphy.puzzles.phyq.world.constants import GRAVITY, TIMESTEP
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level, Pig

pytestmark = pytest.mark.bullet

LONELY = Pig("BasicSmall", -16.0, -3.27)  # behind the slingshot, where no bird goes


def test_a_flight_is_the_parabola() -> None:
    shot = Shot.at(40.0)
    with Game(Level((Bird.RED,), (LONELY,))) as game:
        found = record(game, [shot])
    [bird] = found.flyers
    for frame in range(bird.start, bird.start + 60):
        seconds = frame * STRIDE * TIMESTEP
        x, y, _ = bird.poses[frame - bird.start]
        assert x == pytest.approx(shot.start[0] + shot.velocity[0] * seconds, abs=1e-4)
        assert y == pytest.approx(shot.start[1] + shot.velocity[1] * seconds - GRAVITY * seconds**2 / 2, abs=1e-4)
    assert found.launches == (0,)
    assert bird.touched is not None
    assert bird.touched * TIMESTEP == pytest.approx(seconds_to_ground(shot), abs=0.1)
    assert found.ready == (bird.touched,)
    assert (found.status, found.pigs_left) == (Status.LOST, 1)
    assert found.things == {}, "the pig was never touched"


def test_watching_changes_nothing() -> None:
    """The verdict of a game that is recorded step by step is that of the game that flies in blocks."""
    for task_id in ("3.3:001", "14.2:001", "15.2:001"):
        task = find_task(task_id)
        with Game(task.level) as game:
            found = record(game, task.solution)
            assert game.play(task.solution) is found.status is Status.WON
            deaths = [(death.step, death.body - FIRST_THING) for death in game.record.deaths]
            assert deaths == [death for death in found.deaths if death[0] <= found.end]
            assert (game.world.steps, game.score) == (found.end, found.points)


def test_tracks_end_where_the_engine_has_things() -> None:
    task = find_task("10.1:001")
    with Game(task.level) as game:
        found = record(game, task.solution)
        for number, track in found.things.items():
            if track.gone is None:
                (x, y, _), (_, _, sin, cos), _, _ = game.world.state(number + FIRST_THING)
                assert track.poses[-1][:2] == pytest.approx((x, y), abs=0.2), "at most a step before"
                angle = 2 * math.atan2(sin, cos) - track.unwrapped()[-1][2]
                assert math.remainder(angle, 2 * math.pi) == pytest.approx(0.0, abs=0.2)
    pigs = [k for k, thing in enumerate(task.level.things) if isinstance(thing, Pig)]
    assert {thing for _, thing in found.deaths} >= set(pigs)


def test_a_blue_bird_becomes_three_and_a_black_one_a_blast() -> None:
    with Game(Level((Bird.BLUE,), (LONELY,))) as game:
        blue = record(game, [Shot.at(45.0, tap=1.0)])
    assert blue.taps == (100,)
    assert [one.bird for one in blue.flyers] == [Bird.BLUE] * 3
    assert [one.start for one in blue.flyers] == [1, 50, 50]
    with Game(Level((Bird.BLACK,), (LONELY,))) as game:
        black = record(game, [Shot.at(45.0, tap=1.0)])
    [blast] = black.blasts
    assert (blast.step, blast.radius) == (100, EXPLOSIONS["black"].radius)
    [bird] = black.flyers
    assert blast.place == pytest.approx(bird.poses[-1][:2])


def test_a_turn_goes_on_beyond_a_full_one() -> None:
    task = find_task("3.6:001")
    with Game(task.level) as game:
        found = record(game, task.solution)
    for track in found.things.values():
        angles = [angle for _, _, angle in track.unwrapped()]
        assert all(abs(b - a) < 1.5 for a, b in pairwise(angles))


def test_a_win_is_looked_at_for_a_moment() -> None:
    """The last pig vanishes before the recording ends, though the game was over when it died."""
    task = find_task("15.4:001")
    with Game(task.level) as game:
        found = record(game, task.solution)
    pigs = [k for k, thing in enumerate(task.level.things) if isinstance(thing, Pig)]
    assert found.blasts and found.steps > found.end
    for pig in pigs:
        gone = found.things[pig].gone
        assert gone is not None and found.end <= gone <= found.steps
