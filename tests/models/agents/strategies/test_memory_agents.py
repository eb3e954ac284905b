"""MEM tries first what worked; MEM-O also remembers the test."""

import numpy as np
import pytest

from comphy.puzzles.phyre.world.simulation import SimulationStatus
from models.agents.benchmark.playing import evaluate, scores_of
from models.agents.contract import AttemptResult, Puzzle
from models.agents.strategies.fixed_list_agents import RandomAgent
from models.agents.strategies.memory import MemoryAgent, MemorySettings, OnlineMemoryAgent
from tests.support.tiny_world import ACTIONS, attempt, experience, fixed, puzzles

FIRST, SECOND, OTHER, LAST = puzzles(2)


def order(agent: MemoryAgent, puzzle: Puzzle) -> list[int]:
    return [int(np.flatnonzero((action == ACTIONS).all(axis=1))[0]) for action in agent.play(puzzle)]


def test_what_worked_comes_first_and_ties_keep_the_order() -> None:
    """Scores: action 0 failed twice: 0; 1 solved one of two: 1/3; 2 solved the one time it was valid: 1/2; 3: 2/3."""
    agent = MemoryAgent(fixed([[-1, 1, 1, 1, 0], [-1, -1, 0, 1, 0]], [FIRST, SECOND]), MemorySettings())
    assert agent.scores(LAST) == pytest.approx([0, 1 / 3, 1 / 2, 2 / 3, 0])
    assert order(agent, LAST) == [3, 2, 1, 0, 4]


def test_one_memory_for_each_template() -> None:
    seen = fixed([[1, -1, -1], [-1, -1, 1]], [FIRST, OTHER])
    agent = MemoryAgent(seen, MemorySettings(by_template=True))
    assert order(agent, SECOND) == [0, 1, 2] and order(agent, LAST) == [2, 0, 1]
    assert order(MemoryAgent(seen, MemorySettings()), SECOND) == order(MemoryAgent(seen, MemorySettings()), LAST)


def test_memory_beats_chance_on_every_template() -> None:
    """All templates count, not the first alone."""
    known = puzzles(6)
    test = [p for p in known if p.id.endswith(("4", "5"))]
    agent = MemoryAgent(experience([p for p in known if p not in test]), MemorySettings(by_template=True))
    results = evaluate(agent, test, attempt)
    assert len(results) == 4 and all(one.solved_at is not None for one in results)
    assert scores_of(results).auccess > scores_of(evaluate(RandomAgent(ACTIONS), test, attempt)).auccess


def test_the_test_is_remembered_with_its_weight() -> None:
    """Action 0 solved 2 and fails in the test, action 2 failed twice and solves there: 2/13 and 10/13."""
    seen = fixed([[1, -1, -1], [1, -1, -1]], [FIRST, SECOND])
    offline, online = MemoryAgent(seen, MemorySettings()), OnlineMemoryAgent(seen, MemorySettings(test_weight=10))
    outcomes = {0: SimulationStatus.NOT_SOLVED, 2: SimulationStatus.SOLVED}
    results = [AttemptResult(ACTIONS[k], status, lambda: np.empty((0, 0, 6))) for k, status in outcomes.items()]
    for agent in (offline, online):
        agent.learn(OTHER, results)
    assert order(offline, LAST) == [0, 1, 2]
    assert online.scores(LAST) == pytest.approx([2 / 13, 0, 10 / 13])
    assert order(online, LAST) == [2, 0, 1]


def test_learning_in_the_test_helps_where_training_misleads() -> None:
    """Trained on one template, tested on the other, whose solutions are elsewhere."""
    train, test = puzzles(4, ["00002"]), puzzles(8, ["00011"])
    settings = MemorySettings(test_weight=10)
    offline = scores_of(evaluate(MemoryAgent(experience(train), settings), test, attempt))
    online = scores_of(evaluate(OnlineMemoryAgent(experience(train), settings), test, attempt))
    assert online.auccess > offline.auccess + 0.1


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match=r"test_weight of at least 0 \(got -1\)"):
        MemorySettings(test_weight=-1)
