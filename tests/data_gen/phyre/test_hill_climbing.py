"""Hill climbing finds a stable solution where as many random actions do not."""

from itertools import islice

import numpy as np
import pytest

from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
from data_gen.phyre.hill_climbing import Action, HillClimber
from data_gen.phyre.search import Effort, Searcher

pytestmark = pytest.mark.bullet
HARD = find_template("00117")
LUCKY = 3  # a seed with which climbing succeeds early
[SCENE] = [candidate.scene for candidate in islice(candidates(HARD), 1)]


def climbed(budget: int, engine: Engine) -> tuple[Action | None, int]:
    rng = np.random.default_rng(LUCKY)
    searcher = Searcher(SCENE, HARD.tier, rng, engine)
    climber = HillClimber(ActionSimulator({"": SCENE}, HARD.tier, engine), SCENE, rng, searcher.valid)
    return climber.climb(budget), climber.spent


@pytest.mark.slow
def test_a_stable_solution_of_a_hard_task(engine: Engine):
    solution, spent = climbed(2000, engine)
    assert solution is not None
    simulator = ActionSimulator({"": SCENE}, HARD.tier, engine)
    assert simulator.simulate_action(0, solution, need_images=False, stable=True).status.is_stably_solved()
    assert simulator.robustness(0, solution) == 1.0
    assert climbed(2000, engine) == (solution, spent)
    at_random = Searcher(SCENE, HARD.tier, np.random.default_rng(LUCKY), engine)
    assert at_random.search((), Effort(probe=1, sibling_tries=0, extra_random=4 * spent)).solution is None


def test_a_budget_is_kept(engine: Engine):
    solution, spent = climbed(20, engine)
    assert solution is None and spent <= 20 + 20 + 8
    assert climbed(0, engine) == (None, 0)


@pytest.mark.slow
def test_a_search_climbs_when_nothing_else_has_helped(engine: Engine):
    searcher = Searcher(SCENE, HARD.tier, np.random.default_rng(LUCKY), engine)
    found = searcher.search((), Effort(probe=1, sibling_tries=0, extra_random=0, hill_climbing_runs=2000))
    assert found.solution is not None and found.tried > 1
