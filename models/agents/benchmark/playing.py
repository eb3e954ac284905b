"""Lets an agent play the test tasks, one after the other, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from comphy.evaluation.puzzles.auccess import MAX_TEST_ATTEMPTS, auccess, success_at, success_curve
from comphy.puzzles.phyre.benchmark.evaluator import Evaluator
from comphy.puzzles.phyre.benchmark.tasks import template_of
from models.agents.contract import Agent, Attempt, Puzzle, Trial
from models.train.run import Report

REPORTED_ATTEMPTS: Final = (1, 10, 100)


@dataclass(frozen=True)
class TaskResult:
    """`solved_at`: the number of the attempt, counted from 1; None: never."""

    task_id: str
    solved_at: int | None
    attempts: int


@dataclass(frozen=True)
class Scores:
    tasks: int
    auccess: float  # from 0 to 1
    success: dict[int, float]  # percentage of tasks solved within so many attempts


def scores_of(results: Sequence[TaskResult]) -> Scores:
    curve = success_curve([one.solved_at for one in results])
    return Scores(len(results), auccess(curve), {k: success_at(curve, k) for k in REPORTED_ATTEMPTS})


def scores_by_template(results: Sequence[TaskResult]) -> dict[str, Scores]:
    templates = sorted({template_of(one.task_id) for one in results})
    return {name: scores_of([one for one in results if template_of(one.task_id) == name]) for name in templates}


def evaluate(
    agent: Agent,
    puzzles: Sequence[Puzzle],
    attempt: Attempt,
    report: Report = lambda done, total: None,
) -> list[TaskResult]:
    """Online agents learn from each task before the next, so the order of tasks matters to them."""
    evaluator = Evaluator([puzzle.id for puzzle in puzzles])
    results = []
    for index, puzzle in enumerate(puzzles):
        trials = play(agent, puzzle, attempt)
        for trial in trials:
            evaluator.maybe_log_attempt(index, trial.status)
        agent.learn(puzzle, trials)
        results.append(TaskResult(puzzle.id, _solved_at(trials), evaluator.get_attempts_for_task(index)))
        report(index + 1, len(puzzles))
    return results


def play(agent: Agent, puzzle: Puzzle, attempt: Attempt) -> list[Trial]:
    """The valid attempts on one task, at most 100."""
    trials: list[Trial] = []
    plan = agent.play(puzzle)
    action = next(plan, None)
    while action is not None:
        trial = attempt(puzzle, action)
        if not trial.status.is_invalid():
            trials.append(trial)
        done = trial.status.is_solved() and not agent.plays_on
        if done or len(trials) == MAX_TEST_ATTEMPTS:
            break
        try:
            action = plan.send(trial)
        except StopIteration:
            break
    plan.close()
    return trials


def as_record(results: Sequence[TaskResult]) -> dict[str, Any]:
    """Scores and all results as JSON can hold them."""
    whole = scores_of(results)
    return {
        "auccess": whole.auccess,
        "success": {str(k): share for k, share in whole.success.items()},
        "auccess_by_template": {name: scores.auccess for name, scores in scores_by_template(results).items()},
        "tasks": {one.task_id: {"solved_at": one.solved_at, "attempts": one.attempts} for one in results},
    }


def _solved_at(trials: Sequence[Trial]) -> int | None:
    return next((k for k, trial in enumerate(trials, 1) if trial.status.is_solved()), None)
