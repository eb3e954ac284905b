"""What is tried after a shot that wins, but not also when it is turned a little."""

import numpy as np
import pytest

from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.sim.bullet import Engine
from data_gen.phyq.solutions import search
from data_gen.phyq.solutions.aims import Aim
from data_gen.phyq.solutions.search import Effort, certified_solution

pytestmark = pytest.mark.bullet


def test_a_sibling_at_the_edge_of_what_wins_is_turned_to_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    template, at_home, one_sibling = find_template("1.5"), Placement(0.0, 0.0, ()), Effort(1, 0, 0, 0)
    monkeypatch.setattr(search, "REFINED", 0)
    with Engine() as engine:
        with Game(placed_level(template, at_home), engine) as game:
            degrees = np.arange(10.0, 25.0, 0.1)
            edge = next(float(one) for one in degrees if game.play([Shot.at(float(one))]) is Status.WON)

        def found(at: float) -> float | None:
            aims = (Aim(None, False, 1.0, degrees=at),)
            certified = certified_solution(template, at_home, [aims], one_sibling, np.random.default_rng(0), engine)
            return None if certified is None else certified.shots[0].degrees

        assert (middle := found(edge)) is not None and edge + 0.1 < middle < edge + 0.2
        assert found(middle) == pytest.approx(middle), "what needs no refining stays"
        assert found(edge - 1.0) is None, "what does not win is not turned"
