"""OBJECT-SEARCH: leaves a favourite that fails, climbs to where attempts came close, and tries only what is allowed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.shapes import ball, bar
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from models.agents.benchmark.playing import play
from models.agents.contract import AttemptResult, Puzzle, RunAttempt
from models.agents.scorers.parts import mirrored_actions
from models.agents.scorers.scorer import ActionScorer
from models.agents.strategies.belief import BeliefSettings
from models.agents.strategies.object_search import ObjectSearchAgent, SearchSettings
from tests.support.tiny_world import ACTIONS, attempt, puzzles


class Prejudice(ActionScorer):
    """The nearer a ball is to one place, the better."""

    def __init__(self, place: Sequence[float], slope: float) -> None:
        super().__init__()
        self.place = nn.Parameter(torch.tensor(place))
        self.slope = slope

    def observe(self, puzzles: Sequence[Puzzle]) -> Tensor:
        return torch.zeros(len(puzzles), 1)

    def encode(self, views: Tensor) -> Tensor:
        return views

    def score(self, features: Tensor, actions: Tensor) -> Tensor:
        return -self.slope * (actions - self.place).abs().sum(dim=1)

    def mirrored(self, views: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        return views, mirrored_actions(actions)


def empty_room() -> Puzzle:
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    scene.goal(scene.moving(ball(0.05), centre_x=0.5, top=1.0), floor)
    return Puzzle("00002:000", scene.build(), BALL)


def solved_where(near: Callable[[np.ndarray], float], goal: float) -> RunAttempt:
    """An attempt is a solution from `goal` on; before, the goal's body hangs as high as it is far from that."""

    def tried(puzzle: Puzzle, action: np.ndarray) -> AttemptResult:
        value = near(action)
        status = SimulationStatus.SOLVED if value >= goal else SimulationStatus.NOT_SOLVED
        poses = np.array([[(body.x, body.y, body.angle, 0.0, 0.0, 0.0) for body in puzzle.scene.bodies]])
        poses[0, puzzle.scene.goal[0], 1] = 20.0 + 200.0 * (goal - value)
        return AttemptResult(action, status, lambda: poses)

    return tried


def attempts_needed(
    scorer: ActionScorer, actions: np.ndarray, settings: SearchSettings, tried: RunAttempt
) -> int | None:
    results = play(ObjectSearchAgent([scorer], actions, 64, settings, seed=0), empty_room(), tried)
    return len(results) if results[-1].status.is_solved() else None


def test_it_leaves_a_favourite_that_fails() -> None:
    """The scorer is sure of one corner; the solution is elsewhere."""
    actions = BALL.sample(400, np.random.default_rng(0)) * (1, 0.5, 0.2) + (0, 0.3, 0)
    scorer = Prejudice((0.2, 0.5, 0.1), slope=4.0)
    tried = solved_where(lambda action: -abs(action[0] - 0.6), -0.02)

    def needed(correlation: float) -> int:
        belief = BeliefSettings(length_scale=12.0, correlation=correlation, proximity_weight=0.0)
        return attempts_needed(scorer, actions, SearchSettings(belief, neighbours=0), tried) or 101

    assert needed(0.95) < needed(0.0)


def test_it_climbs_to_where_attempts_came_close() -> None:
    """The list holds no solution; from the attempt that came closest a few steps lead to one."""
    actions = np.array([(x, 0.5, 0.1) for x in np.linspace(0.1, 0.6, 10)])
    scorer = Prejudice((0.1, 0.5, 0.1), slope=0.0)
    tried = solved_where(lambda action: float(action[0]), 0.7)
    assert attempts_needed(scorer, actions, SearchSettings(neighbours=0), tried) is None
    found = attempts_needed(scorer, actions, SearchSettings(neighbours=8), tried)
    assert found is not None and found < 60


def test_it_tries_nothing_that_is_forbidden_and_nothing_twice() -> None:
    [puzzle, *_] = puzzles(1)
    agent = ObjectSearchAgent([Prejudice((0.5, 0.5, 0.5), slope=1.0)], ACTIONS, 64, SearchSettings(), seed=0)
    tried = solved_where(lambda action: 0.0, 1.0)
    results = play(agent, puzzle, tried)
    actions = np.array([result.action for result in results])
    assert len(actions) == 100 and puzzle.valid(actions).all()
    again = play(agent, puzzle, tried)
    np.testing.assert_array_equal(actions, [result.action for result in again])
    assert len(np.unique(BALL.balls_of(actions).reshape(100, 3), axis=0)) == 100


def test_two_balls_are_searched_as_one_is() -> None:
    puzzle = replace(empty_room(), tier=TWO_BALLS)
    actions = TWO_BALLS.sample(20, np.random.default_rng(0))
    agent = ObjectSearchAgent([Prejudice((0.5,) * 6, slope=1.0)], actions, 64, SearchSettings(), seed=0)
    results = play(agent, puzzle, solved_where(lambda action: 0.0, 1.0))
    tried = np.array([result.action for result in results])
    assert tried.shape == (100, 6) and puzzle.valid(tried).all()


def test_runs_are_watched_only_if_it_matters() -> None:
    [puzzle, *_] = puzzles(1)
    settings = SearchSettings(BeliefSettings(proximity_weight=0.0), neighbours=0)
    agent = ObjectSearchAgent([Prejudice((0.5, 0.5, 0.5), slope=1.0)], ACTIONS, 64, settings, seed=0)

    def unseen(puzzle: Puzzle, action: np.ndarray) -> AttemptResult:
        def watch() -> np.ndarray:
            raise AssertionError("watched")

        return AttemptResult(action, attempt(puzzle, action).status, watch)

    assert play(agent, puzzle, unseen)[-1].status.is_solved()
