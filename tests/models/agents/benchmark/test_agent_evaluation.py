"""The loop: at most 100 valid attempts, invalid ones are free, and agents are told what became of each."""

from collections.abc import Sequence

import numpy as np
import pytest

from comphy.puzzles.phyre.world.simulation import SimulationStatus
from models.agents.benchmark.playing import TaskResult, as_record, evaluate, play, scores_of
from models.agents.contract import AttemptResult, OfflineAgent, Plan, Puzzle, one_by_one
from models.agents.strategies.fixed_list_agents import OptimalAgent, RandomAgent
from tests.support.tiny_world import ACTIONS, attempt, outcome, puzzles

NEVER = SimulationStatus.NOT_SOLVED


def failing(puzzle: Puzzle, action: np.ndarray) -> AttemptResult:
    return AttemptResult(action, NEVER, lambda: np.empty((0, 0, 6)))


def test_rand_takes_the_list_in_order_and_invalid_actions_are_free() -> None:
    [puzzle, *_] = puzzles(1)
    statuses = outcome(puzzle, ACTIONS)
    first = int(np.argmax(statuses > 0))
    assert (statuses[:first] == 0).any() and (statuses[:first] < 0).any(), "the list shows what is asked"
    [result] = evaluate(RandomAgent(ACTIONS), [puzzle], attempt)
    assert result.solved_at == result.attempts == 1 + int((statuses[:first] < 0).sum())
    valid = ACTIONS[: first + 1][statuses[: first + 1] != 0]
    assert np.array_equal(result.tried, puzzle.tier.balls_of(valid)), "what was tried is kept"


def test_a_task_has_a_hundred_attempts() -> None:
    [puzzle, *_] = puzzles(1)
    results = play(RandomAgent(np.tile(ACTIONS, (4, 1))), puzzle, failing)
    assert len(results) == 100
    assert evaluate(RandomAgent(ACTIONS), [puzzle], failing) == [TaskResult(puzzle.id, None, 60)]


class Listener(OfflineAgent):
    """Writes down what it is told."""

    def __init__(self, continues_after_solving: bool) -> None:
        self.continues_after_solving = continues_after_solving
        self.heard: list[SimulationStatus] = []
        self.learned: dict[str, int] = {}

    def play(self, puzzle: Puzzle) -> Plan:
        for action in ACTIONS:
            result = yield action
            assert result.action is action
            self.heard.append(result.status)

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        self.learned[puzzle.id] = len(results)


def test_an_agent_hears_of_every_attempt_and_learns_from_the_valid_ones() -> None:
    first, second = puzzles(1)
    agent = Listener(continues_after_solving=True)
    results = evaluate(agent, [first, second], attempt)
    expected = [*outcome(first, ACTIONS), *outcome(second, ACTIONS)]
    assert agent.heard == expected
    assert agent.learned == {p.id: int((outcome(p, ACTIONS) != 0).sum()) for p in (first, second)}
    assert [one.attempts for one in results] == list(agent.learned.values())
    stops = Listener(continues_after_solving=False)
    assert [one.solved_at for one in evaluate(stops, [first, second], attempt)] == [one.solved_at for one in results]
    assert stops.learned == {one.task_id: one.solved_at for one in results}


def test_optimal_is_an_upper_bound() -> None:
    known = puzzles(2)
    best = scores_of(evaluate(OptimalAgent(ACTIONS, lambda p: outcome(p, ACTIONS)), known, attempt))
    random = scores_of(evaluate(RandomAgent(ACTIONS), known, attempt))
    assert best.auccess == pytest.approx(1.0) and best.success[1] == 100
    assert random.auccess < best.auccess
    unsolvable = OptimalAgent(ACTIONS, lambda p: np.full(len(ACTIONS), -1, dtype=np.int8))
    assert [one.solved_at for one in evaluate(unsolvable, known, failing)] == [None] * len(known)


def test_a_plan_that_is_fixed_can_be_told_things() -> None:
    plan = one_by_one(ACTIONS[:2])
    assert next(plan) is not None
    assert plan.send(failing(puzzles(1)[0], ACTIONS[0])) is not None


def test_results_as_a_record() -> None:
    """Solved at once is worth 1, at attempt 10 of 100 ln(10.1) / ln(101)."""
    record = as_record(
        [TaskResult("00000:000", 1, 1), TaskResult("00000:001", None, 100), TaskResult("00002:000", 10, 10)]
    )
    assert record["auccess_by_template"]["00000"] == pytest.approx(0.5)
    assert record["auccess_by_template"]["00002"] == pytest.approx(np.log(10.1) / np.log(101))
    assert record["success"] == {
        "1": pytest.approx(100 / 3),
        "10": pytest.approx(200 / 3),
        "100": pytest.approx(200 / 3),
    }
    assert record["tasks"]["00000:001"] == {"solved_at": None, "attempts": 100, "tried": ""}
