"""Shots of several birds, looked for one after the other."""

import numpy as np
import pytest

from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.sim.bullet import Engine
from data_gen.phyq.solutions import search
from data_gen.phyq.solutions.search import Effort, certified_solution
from data_gen.phyq.solutions.shot_by_shot import ShotsResult, shot_by_shot

pytestmark = pytest.mark.bullet

CHIMNEY, BELOW, NOWHERE = (
    67.0,
    21.5,
    45.0,
)  # degrees, in 11.1: at the pig in the chimney, at those below it, past all of it


@pytest.fixture(autouse=True)
def few_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data_gen.phyq.solutions.shot_by_shot.DIRECTIONS", (BELOW, NOWHERE, CHIMNEY))


@pytest.mark.slow
def test_the_chimney_comes_first() -> None:
    """Two birds through the chimney, then one at the pigs below; those first, and the third one falls out of reach."""
    with Engine() as engine, Game(find_template("11.1").level, engine) as game:
        found = list(shot_by_shot(game, lambda: ShotsResult(game.pigs_left, game.pig_life, 0)))
        assert [[shot.degrees for shot in shots] for shots in found] == [pytest.approx([CHIMNEY, CHIMNEY, BELOW])]
        assert game.play(found[0]) is Status.WON
        assert game.play(found[0][::-1]) is Status.LOST


@pytest.mark.slow
def test_what_is_found_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    template, at_home = find_template("11.1"), Placement(0.0, 0.0, ())
    nothing_else = Effort(fresh=0)
    with Engine() as engine:
        found = certified_solution(template, at_home, [], nothing_else, np.random.default_rng(0), engine)
        assert found is not None and len(found.shots) == 3
        with Game(placed_level(template, at_home), engine) as game:
            assert game.play(found.shots) is Status.WON
        monkeypatch.setattr(search, "shot_by_shot", lambda *about: iter(()))
        assert certified_solution(template, at_home, [], nothing_else, np.random.default_rng(0), engine) is None
