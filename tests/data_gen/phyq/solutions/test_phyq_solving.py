"""Solutions that are found by trying."""

import numpy as np
import pytest

from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.templates.variation import vary
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot, parsed_shot, written_shot
from comphy.puzzles.phyq.world.level import Level, Platform
from data_gen.phyq.solutions.solving import NUDGES, is_robust, solve, turned

pytestmark = pytest.mark.bullet


@pytest.mark.parametrize("template_id", ["1.5", pytest.param("3.4", marks=pytest.mark.slow), "7.1", "15.7"])
def test_what_is_found_wins_also_when_turned_a_little(template_id: str) -> None:
    level = vary(find_template(template_id), np.random.default_rng(5))
    with Game(level) as game:
        found = solve(game, np.random.default_rng(0), 400)
        assert found is not None
        assert game.play(found.shots) is Status.WON
        for nudge in NUDGES:
            assert game.play([turned(shot, nudge) for shot in found.shots]) is Status.WON
        again = solve(game, np.random.default_rng(0), 400)
        assert again == found


def test_a_walled_in_pig_is_given_up() -> None:
    [pig] = find_template("1.5").level.pigs
    walls = (Platform(pig.x - 1, pig.y, 0.3, 3), Platform(pig.x + 1, pig.y, 0.3, 3))
    lids = (Platform(pig.x, pig.y + 1.5, 3, 0.3), Platform(pig.x, pig.y - 0.5, 3, 0.3))
    with Game(Level(find_template("1.5").level.birds, (pig, *walls, *lids))) as game:
        assert solve(game, np.random.default_rng(0), 30) is None


@pytest.mark.slow
def test_an_fragile_win_does_not_count() -> None:
    with Game(find_template("1.5").level) as game:
        wins = [degrees for degrees in np.arange(10.0, 25.0, 0.05) if game.play([Shot.at(degrees)]) is Status.WON]
        assert not is_robust(game, (Shot.at(wins[0]),)), "at the edge"
        assert is_robust(game, (Shot.at(float(np.median(wins))),))


def test_a_shot_is_turned_and_written_and_read() -> None:
    shot = Shot.at(30.0, 0.8, tap=1.25, watch=2.0)
    assert turned(shot, 5.0).degrees == pytest.approx(35.0) and turned(shot, 5.0).tap == 1.25
    for one in (shot, Shot.at(30.0), Shot.at(-10.0, watch=3.0)):
        read = parsed_shot(written_shot(one))
        assert (read.tap, read.watch) == (one.tap, one.watch)
        assert (read.dx, read.dy) == pytest.approx((one.dx, one.dy))
