"""Selects the tasks of a template: candidates are tried in their order until enough keep the template's rules.

The outcome of a candidate depends only on those before it, whose solutions are tried on it first. So a selection that was
stopped goes on from the records of what has been tried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.templates.template import Candidate, Parameters, Rule, Template, candidates
from comphy.sim.bullet import Engine
from data_gen.phyre.difficulty import PUBLISHED_SHARE, STABLE
from data_gen.phyre.search import Action, Effort, Searcher

TASKS: Final = 100  # of a template
SPARE: Final = 30  # more are looked for where those that are alike are thinned out
SPARE_EASY: Final = 100  # more are looked for where the hardest so far are easier than the published ones
MOST: Final = 1500  # candidates that are tried
ROUNDS: Final = 3  # what nobody could solve is tried again, once solutions of others are known
TRIVIAL: Final = 0.1  # share of random actions
MASTERS: Final = 40  # solutions that are tried on all others
MASTERY: Final = 0.3  # share of tasks that a master solves
MILDER: Final = 0.75

Balls = tuple[int, ...]


class SelectionOutcome(StrEnum):
    TASK = "task"
    SOLVES_ITSELF = "solves itself"
    TRIVIAL = "trivial"
    ONE_BALL = "one ball is enough"
    UNSOLVED = "unsolved"
    FRAGILE = "does not hold on every machine"


@dataclass(frozen=True)
class CandidateTrial:
    """What became of a candidate, whose number is its place in the template's order. A solution is x, y and radius of
    each ball in whole pixels."""

    number: int
    round: int
    parameters: Parameters
    outcome: SelectionOutcome
    solution: Balls | None
    probed: int
    stable: int
    tried: int


def trials(template: Template, done: Sequence[CandidateTrial], effort: Effort) -> Iterator[CandidateTrial]:
    """All that are needed after those that are `done`; stops when there are enough tasks, or no candidates."""
    known = list(done)
    with Engine() as engine:
        for number, turn, candidate in _turns(template, known):
            if len(tasks_among(known)) >= wanted(template, known):
                return
            if any((one.number, one.round) == (number, turn) for one in known[: len(done)]):
                continue
            trial = _try(template, candidate, number, turn, known, effort, engine)
            known.append(trial)
            yield trial


def wanted(template: Template, known: Sequence[CandidateTrial]) -> int:
    """How many tasks are to be found, as it seems from those that are known."""
    spare = SPARE if Rule.DIVERSE in template.rules else 0
    found = sorted(map(_random_success, tasks_among(known)))
    if len(found) >= TASKS + spare and np.mean(found[:TASKS]) > STABLE * PUBLISHED_SHARE[template.id]:
        spare = SPARE_EASY
    return TASKS + spare


def tasks_among(known: Sequence[CandidateTrial]) -> list[CandidateTrial]:
    return [trial for trial in known if trial.outcome is SelectionOutcome.TASK]


def chosen(template: Template, known: Sequence[CandidateTrial]) -> list[CandidateTrial]:
    """The tasks of a template whose trials are complete, in the order of their numbers. If there are more than enough,
    the easiest are left out until the rest are as hard as the published ones, then those that are most alike."""
    found = hard_enough(tasks_among(known), STABLE * PUBLISHED_SHARE[template.id], TASKS)
    if Rule.DIVERSE in template.rules and len(found) > TASKS:
        masters = _actions(template, found[:MASTERS])
        kept = thinned_out(_power(template, found, masters), TASKS)
        found = [found[k] for k in kept]
    return sorted(found, key=lambda trial: trial.number)[:TASKS]


def hard_enough(tasks: Sequence[CandidateTrial], share: float, keep: int) -> list[CandidateTrial]:
    """Without the easiest ones, as long as random actions solve more than this share of the tasks stably."""
    left = sorted(tasks, key=_random_success)
    while len(left) > keep and np.mean([_random_success(trial) for trial in left]) > share:
        left.pop()
    return sorted(left, key=lambda trial: trial.number)


def _random_success(trial: CandidateTrial) -> float:
    return trial.stable / max(1, trial.probed)


def thinned_out(power: NDArray[np.bool_], keep: int) -> list[int]:
    """power [A, M]: which action solves which task. Of M tasks those are taken away, one by one, that most masters
    solve: actions that solve many of the tasks that are left."""
    left = list(range(power.shape[1]))
    mastery = MASTERY
    while len(left) > keep:
        masters = power[power[:, left].mean(axis=1) > mastery]
        solved_by = masters[:, left].sum(axis=0)
        if solved_by.max(initial=0) == 0:
            mastery *= MILDER
            if mastery < 1.0 / power.shape[1]:
                return left[:keep]
            continue
        left.pop(int(solved_by.argmax()))
    return left


def _turns(template: Template, known: Sequence[CandidateTrial]) -> Iterator[tuple[int, int, Candidate]]:
    """Candidates with their numbers, then again those that were not solved; `known` grows meanwhile."""
    pool = list(enumerate(islice(candidates(template), MOST)))
    for turn in range(ROUNDS):
        open_ones = {one.number for one in known if one.outcome is SelectionOutcome.UNSOLVED and one.round == turn - 1}
        for number, candidate in pool:
            if turn == 0 or number in open_ones:
                yield number, turn, candidate


def _try(
    template: Template,
    candidate: Candidate,
    number: int,
    turn: int,
    known: Sequence[CandidateTrial],
    effort: Effort,
    engine: Engine,
) -> CandidateTrial:
    rng = np.random.default_rng([int(template.id), number, turn])
    searcher = Searcher(candidate.scene, template.tier, rng, engine)

    def trial(
        outcome: SelectionOutcome, solution: Balls | None = None, counts: tuple[int, int, int] = (0, 0, 0)
    ) -> CandidateTrial:
        return CandidateTrial(number, turn, candidate.parameters, outcome, solution, *counts)

    if searcher.solves_itself():
        return trial(SelectionOutcome.SOLVES_ITSELF)
    found = searcher.search(_actions(template, _siblings(template, candidate, known)), effort, last=turn == ROUNDS - 1)
    counts = (found.probed, found.stable, found.tried)
    if found.solution is None:
        return trial(SelectionOutcome.UNSOLVED, counts=counts)
    if Rule.NOT_TRIVIAL in template.rules and found.stable >= TRIVIAL * found.probed:
        return trial(SelectionOutcome.TRIVIAL, counts=counts)
    if Rule.NEEDS_TWO_BALLS in template.rules and searcher.one_ball_is_enough(found.solution, effort):
        return trial(SelectionOutcome.ONE_BALL, counts=counts)
    balls = template.tier.balls_of([found.solution])[0]
    return trial(SelectionOutcome.TASK, tuple(int(value) for value in balls.flat), counts)


def _siblings(template: Template, candidate: Candidate, known: Sequence[CandidateTrial]) -> Sequence[CandidateTrial]:
    """Those that are most alike first; for one ball as they were found, which is how its task list was chosen."""
    if template.tier.balls == 1:
        return known
    return sorted(known, key=lambda one: template.distance(one.parameters, candidate.parameters))


def _actions(template: Template, known: Sequence[CandidateTrial]) -> list[Action]:
    """That mean the solutions of those that have one."""
    solutions = [one.solution for one in known if one.solution is not None]
    return [tuple(action) for action in template.tier.actions_of(solutions).tolist()] if solutions else []


def _power(template: Template, tasks: Sequence[CandidateTrial], masters: Sequence[Action]) -> NDArray[np.bool_]:
    with Engine() as engine:
        rows = [
            Searcher(scene, template.tier, np.random.default_rng(0), engine).solved_by(masters)
            for trial in tasks
            if (scene := template.scene(trial.parameters)) is not None
        ]
    return np.array(rows, dtype=bool).T
