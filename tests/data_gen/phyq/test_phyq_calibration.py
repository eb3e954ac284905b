"""The two simplest published players, and how often they win."""

import math

import numpy as np
import pytest

from comphy.puzzles.phyq.benchmark.observing.scene import from_pixel
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import RELEASE
from comphy.sim.bullet import Engine
from data_gen.phyq.calibration import PIG_SHOOTER, pig_shooter_rate, random_rate
from data_gen.phyq.plain_players import shot_anywhere, shot_at_a_pig

pytestmark = pytest.mark.bullet


def test_a_random_shot_is_full_and_goes_anywhere_to_the_right() -> None:
    rng = np.random.default_rng(0)
    level = find_template("15.5").level
    shots = [shot_anywhere(level, Bird.YELLOW, rng) for _ in range(400)]
    degrees = [shot.degrees for shot in shots]
    assert -90 < min(degrees) < -75 and 75 < max(degrees) < 90 and abs(np.mean(degrees)) < 5
    assert np.mean([np.hypot(*shot.velocity) for shot in shots]) == pytest.approx(10.0, rel=0.02), "always far pulled"
    assert all(shot.tap is not None and shot.tap > 0 for shot in shots)
    assert shot_anywhere(level, Bird.RED, rng).tap is None


def test_pig_shooter_takes_both_arcs_and_far_shots_where_there_are_none() -> None:
    rng = np.random.default_rng(0)
    near, far = find_template("1.5").level, find_template("3.4").level
    degrees = [shot_at_a_pig(near, Bird.RED, rng).degrees for _ in range(40)]
    assert {round(one / 90) for one in degrees} == {0, 1}
    x, y = from_pixel((-600.0, 560.0))  # the published release point
    degrees_there = math.degrees(math.atan2(RELEASE[1] - y, RELEASE[0] - x))
    assert shot_at_a_pig(far, Bird.RED, rng).degrees == pytest.approx(degrees_there, abs=0.1)


@pytest.mark.slow
def test_pig_shooter_wins_single_force_as_published_and_bouncing_never() -> None:
    with Engine() as engine:
        for scenario in (1, 6):
            wins, plays = pig_shooter_rate(scenario, 8, engine).total
            won, published = PIG_SHOOTER[scenario]
            assert wins / plays == pytest.approx(won / published, abs=0.25)
        first = random_rate(5, 4, engine)
        assert first == random_rate(5, 4, engine) and first.plays == 4 and set(first.wins) == {"5.4", "5.5"}
