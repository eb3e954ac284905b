"""The evaluator: what is logged, what is free, when it refuses, and scores against hand-made ones."""

import math
from itertools import count

import numpy as np
import pytest

from comphy.puzzles.phyre.benchmark.evaluator import Evaluator
from comphy.puzzles.phyre.world.simulation import SimulationStatus

TASKS = ("00000:000", "00000:001", "00001:000", "00002:000")
SOLVED, FAILED, INVALID = SimulationStatus.SOLVED, SimulationStatus.NOT_SOLVED, SimulationStatus.INVALID_INPUT


def solve_at(evaluator: Evaluator, index: int, attempt: int) -> None:
    for k in range(1, attempt + 1):
        assert evaluator.maybe_log_attempt(index, SOLVED if k == attempt else FAILED)


@pytest.mark.parametrize("attempt", [1, 2, 5, 10, 50, 100])
def test_solving_all_at_one_attempt(attempt: int) -> None:
    evaluator = Evaluator(TASKS)
    for index in range(len(TASKS)):
        solve_at(evaluator, index, attempt)
    assert evaluator.get_auccess() == pytest.approx((math.log(101) - math.log(attempt)) / math.log(101))


def test_invalid_attempts_are_free() -> None:
    evaluator = Evaluator(TASKS)
    for _ in range(500):
        assert evaluator.maybe_log_attempt(0, INVALID) is False
    assert (len(evaluator), evaluator.attempts_left(0)) == (0, 100)
    assert evaluator.maybe_log_attempt(0, SOLVED) is True
    assert evaluator.get_auccess() == pytest.approx(1 / 4)


def test_attempts_after_a_solution_change_no_score() -> None:
    evaluator = Evaluator(TASKS)
    solve_at(evaluator, 2, 3)
    before = evaluator.compute_all_metrics()
    for status in (FAILED, SOLVED, SimulationStatus.STABLY_SOLVED):
        assert evaluator.maybe_log_attempt(2, status)
    after = evaluator.compute_all_metrics()
    assert evaluator.get_attempts_for_task(2) == 6 and evaluator.is_solved(2)
    assert before["independent_solved_by_aucs"] == after["independent_solved_by_aucs"]
    assert before["total_solved"] == after["total_solved"] == 1 / 4


def test_a_loop_that_goes_on_after_the_solution_ends() -> None:
    evaluator = Evaluator(TASKS)
    for k in count():
        if not evaluator.attempts_left(1):
            break
        evaluator.maybe_log_attempt(1, SOLVED if k == 4 else FAILED)
    assert evaluator.attempts_per_task_index == (0, 100, 0, 0)
    assert evaluator.compute_all_metrics()["independent_solved_by"][4:6] == [0.0, 1 / 4]


def test_the_101st_attempt_is_refused_but_an_invalid_one_is_not() -> None:
    evaluator = Evaluator(TASKS)
    for _ in range(100):
        evaluator.maybe_log_attempt(3, -1)
    assert evaluator.maybe_log_attempt(3, 0) is False
    with pytest.raises(ValueError, match=r"at most 100 attempts on a task \(got one more on 00002:000, index 3\)"):
        evaluator.maybe_log_attempt(3, SOLVED)
    assert evaluator.get_auccess() == 0.0


def test_all_metrics() -> None:
    evaluator = Evaluator(TASKS)
    for _ in range(100):
        evaluator.maybe_log_attempt(0, FAILED)
    solve_at(evaluator, 1, 1)
    solve_at(evaluator, 2, 40)
    metrics = evaluator.compute_all_metrics()
    curve = [0.0] + [1 / 4] * 39 + [1 / 2] * 61
    assert metrics["independent_solved_by"] == curve
    weights = [math.log((k + 1) / k) for k in range(1, 101)]
    for k in (1, 39, 40, 100):
        expected = sum(w * s for w, s in zip(weights[:k], curve[1:], strict=False)) / sum(weights[:k])
        assert metrics["independent_solved_by_aucs"][k] == pytest.approx(expected)
        assert evaluator.get_auccess(k) == evaluator.get_aucess(k) == pytest.approx(expected)
    assert metrics["independent_solved_by_aucs"][0] == 0.0
    assert metrics["global_solved_by"] == {100: 0.0, 1000: 0.5, 100_000: 0.5}
    assert (metrics["total_attempts"], metrics["total_solved"]) == (141 / 4, 2 / 4)


def test_statuses_of_arrays_are_understood() -> None:
    evaluator = Evaluator(TASKS)
    logged = [evaluator.maybe_log_attempt(np.int64(0), one) for one in np.array([-1, 0, 1], dtype=np.int8)]
    assert logged == [True, False, True]
    assert evaluator.task_ids == TASKS and evaluator.is_solved(0) and not evaluator.is_solved(1)


def test_mistakes_are_explained() -> None:
    evaluator = Evaluator(TASKS)
    for index in (4, -1, "00000:000", 1.0):
        with pytest.raises(ValueError, match="index from 0 to 3"):
            evaluator.maybe_log_attempt(index, SOLVED)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"status \(got 7\); known: -1 NOT_SOLVED, 0 INVALID_INPUT"):
        evaluator.maybe_log_attempt(0, 7)
    with pytest.raises(ValueError, match="attempts from 1 to 100"):
        evaluator.get_auccess(101)
    with pytest.raises(ValueError, match=r"different tasks \(got 0, 0 different\)"):
        Evaluator(())
    with pytest.raises(ValueError, match=r"got 2, 1 different"):
        Evaluator((TASKS[0], TASKS[0]))


def test_results_of_an_earlier_game_are_scored_as_they_were_then() -> None:
    played = Evaluator(["a", "b", "c"])
    for index, statuses in enumerate(([-1, -1, 1], [1], [-1] * 100)):
        for status in statuses:
            played.maybe_log_attempt(index, status)
    assert played.solved_at == {"a": 3, "b": 1, "c": None}
    again = Evaluator.of_results(played.solved_at)
    assert again.get_auccess() == played.get_auccess() > 0
    assert again.curve.tolist() == played.curve.tolist()
    assert [again.success_at(k) for k in (1, 2, 3)] == pytest.approx([100 / 3, 100 / 3, 200 / 3])
    with pytest.raises(ValueError, match="attempts counted from 1"):
        Evaluator.of_results({"a": 0}).get_auccess()
