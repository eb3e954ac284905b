"""Lets an agent play the test tasks, one after the other. Scores are those of the benchmark's `Evaluator`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from comphy.evaluation.puzzles.phyre.results import written_tries
from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS
from comphy.puzzles.phyre.benchmark.evaluator import Evaluator
from comphy.puzzles.phyre.benchmark.tasks import template_of
from models.agents.contract import Agent, AttemptResult, Puzzle, RunAttempt
from models.train.run import Report

REPORTED_ATTEMPTS: Final = (1, 10, 100)
Tried = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TaskResult:
    """`solved_at`: the number of the attempt, counted from 1; None: never. `tried`: the balls of each attempt, x, y and
    radius in pixels, so that attempts can be watched."""

    task_id: str
    solved_at: int | None
    attempts: int
    tried: tuple[Tried, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Scores:
    """`auccess` from 0 to 1; `success`: the percentage of tasks solved within so many attempts."""

    tasks: int
    auccess: float
    success: dict[int, float]


def scores_of(results: Sequence[TaskResult]) -> Scores:
    evaluator = Evaluator.of_results({one.task_id: one.solved_at for one in results})
    success = {k: evaluator.success_at(k) for k in REPORTED_ATTEMPTS}
    return Scores(len(results), evaluator.get_auccess(), success)


def scores_by_template(results: Sequence[TaskResult]) -> dict[str, Scores]:
    templates = sorted({template_of(one.task_id) for one in results})
    return {name: scores_of([one for one in results if template_of(one.task_id) == name]) for name in templates}


def evaluate(
    agent: Agent,
    puzzles: Sequence[Puzzle],
    run_attempt: RunAttempt,
    report: Report = lambda done, total: None,
) -> list[TaskResult]:
    """Play all puzzles. Online agents learn from each task before the next, so the order of tasks matters to them."""
    evaluator = Evaluator([puzzle.id for puzzle in puzzles])
    tried: list[tuple[Tried, ...]] = []
    for index, puzzle in enumerate(puzzles):
        attempts = play(agent, puzzle, run_attempt)
        for attempt in attempts:
            evaluator.maybe_log_attempt(index, attempt.status)
        tried.append(tuple(balls_tried(puzzle, attempt) for attempt in attempts))
        agent.learn(puzzle, attempts)
        report(index + 1, len(puzzles))
    return [
        TaskResult(puzzle.id, evaluator.solved_at[puzzle.id], evaluator.get_attempts_for_task(index), tried[index])
        for index, puzzle in enumerate(puzzles)
    ]


def play(agent: Agent, puzzle: Puzzle, run_attempt: RunAttempt) -> list[AttemptResult]:
    """The valid attempts on one task, at most 100."""
    attempts: list[AttemptResult] = []
    plan = agent.play(puzzle)
    action = next(plan, None)
    while action is not None:
        result = run_attempt(puzzle, action)
        if not result.status.is_invalid():
            attempts.append(result)
        done = result.status.is_solved() and not agent.continues_after_solving
        if done or len(attempts) == MAX_TEST_ATTEMPTS:
            break
        try:
            action = plan.send(result)
        except StopIteration:
            break
    plan.close()
    return attempts


def balls_tried(puzzle: Puzzle, attempt: AttemptResult) -> Tried:
    [balls] = puzzle.tier.balls_of(attempt.action[None]).astype(int).tolist()
    return tuple(map(tuple, balls))


def as_record(results: Sequence[TaskResult]) -> dict[str, Any]:
    """Scores and all results as JSON can hold them."""
    whole = scores_of(results)
    return {
        "auccess": whole.auccess,
        "success": {str(k): share for k, share in whole.success.items()},
        "auccess_by_template": {name: scores.auccess for name, scores in scores_by_template(results).items()},
        "tasks": {
            one.task_id: {"solved_at": one.solved_at, "attempts": one.attempts, "tried": written_tries(one.tried)}
            for one in results
        },
    }
