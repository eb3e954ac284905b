"""`imaginer` with a part taken away, and with more than the others see."""

from collections.abc import Sequence

import numpy as np
import pytest

from comphy.evaluation.puzzles.phyq.results import header
from comphy.puzzles.phyq.benchmark.contract import Agent, SimulationResult, View
from comphy.puzzles.phyq.benchmark.evaluator import look
from comphy.puzzles.phyq.benchmark.observing.scene import scene_of
from comphy.puzzles.phyq.benchmark.observing.symbolic import symbolic_state
from comphy.puzzles.phyq.benchmark.setups import select
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.constants import MAX_STRETCH
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level
from models.agents.phyq.ablations import ABLATIONS
from models.agents.phyq.agents import find_agent

pytestmark = pytest.mark.bullet
SEVERAL_BIRDS = find_task("2.4:001")


class Imagined:
    """Nothing that is imagined wins; what was tried is remembered."""

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.shots: list[Shot] = []

    def __call__(self, level: Level, shots: Sequence[Shot]) -> SimulationResult:
        self.levels.append(level)
        self.shots.extend(shots)
        return SimulationResult(False, 1, 1.0, 5.0)


def shown(view: View, noise: int = 0) -> object:
    with Game(SEVERAL_BIRDS.level) as game:
        return look(game, view, np.random.default_rng(noise))


def choose(agent: Agent) -> Imagined:
    imagined = Imagined()
    agent.shoot(shown(agent.view), np.random.default_rng(0), imagined)
    return imagined


def test_two_views_have_no_noise() -> None:
    with Game(SEVERAL_BIRDS.level) as game:
        exact = symbolic_state(scene_of(game))
    assert shown(View.SYMBOLIC_EXACT, 0) == shown(View.SYMBOLIC_EXACT, 1) == exact
    assert shown(View.SYMBOLIC, 0) != shown(View.SYMBOLIC, 1)
    truth = shown(View.TRUTH)
    assert isinstance(truth, Level) and truth.birds == SEVERAL_BIRDS.level.birds
    for true, found in zip(SEVERAL_BIRDS.level.things, truth.things, strict=True):
        assert (found.x, found.y) == pytest.approx((true.x, true.y), abs=0.05)


def test_results_of_who_sees_more_are_marked() -> None:
    chosen = select(None, [find_template("2.4")], [SEVERAL_BIRDS], learns=False)
    marked = {
        agent.name: any("upper bound" in remark for remark in header(agent, chosen, 1, 0)["remarks"])
        for agent in (*ABLATIONS, find_agent("imaginer"))
    }
    assert {name for name, upper in marked.items() if upper} == {"imaginer_without_noise", "imaginer_truth"}


def test_the_truth_is_imagined_in_one_scene_which_is_the_true_one() -> None:
    assert set(choose(find_agent("imaginer_truth")).levels) == {shown(View.TRUTH)}
    seen = choose(find_agent("imaginer_one_scene")).levels
    assert len(set(seen)) == 1 and seen[0] != shown(View.TRUTH)


def test_random_shots_are_those_of_the_random_player() -> None:
    """Who pulls anywhere pulls farther than the sling goes, mostly; proposals never do."""

    def too_far(name: str) -> float:
        return float(
            np.mean([np.hypot(shot.dx, shot.dy) > 1.001 * MAX_STRETCH for shot in choose(find_agent(name)).shots])
        )

    assert too_far("imaginer") == 0.0
    assert too_far("imaginer_random_shots") > 0.5


def test_the_first_proposal_imagines_nothing() -> None:
    assert choose(find_agent("first_proposal")).levels == []
