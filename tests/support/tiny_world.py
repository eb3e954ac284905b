"""Four tasks of two real templates, and made-up outcomes of a short list of actions that agents can learn."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from models.agents.contract import AttemptResult, Puzzle
from models.agents.experience import Experience

ACTIONS = BALL.sample(60, np.random.default_rng(11))


def puzzles(count: int = 2, templates: Sequence[str] = ("00002", "00011")) -> tuple[Puzzle, ...]:
    """The first candidates of templates."""
    return tuple(
        Puzzle(f"{name}:{number:03}", candidate.scene, BALL)
        for name in templates
        for number, candidate in enumerate(islice(candidates(find_template(name)), count))
    )


def outcome(puzzle: Puzzle, actions: NDArray[np.float64]) -> NDArray[np.int8]:
    """Made up, so that it is known what there is to learn, and the same in a mirror: a ball solves the task if it is
    high in one template, and if it is low in the other."""
    solved = actions[:, 1] > 0.75 if puzzle.template_id == "00002" else actions[:, 1] < 0.3
    statuses = np.where(solved, SimulationStatus.SOLVED, SimulationStatus.NOT_SOLVED)
    return np.where(puzzle.valid(actions), statuses, SimulationStatus.INVALID_INPUT).astype(np.int8)


def experience(known: Sequence[Puzzle], actions: NDArray[np.float64] = ACTIONS) -> Experience:
    return Experience(tuple(known), actions, np.stack([outcome(puzzle, actions) for puzzle in known]))


def attempt(puzzle: Puzzle, action: NDArray[np.float64]) -> AttemptResult:
    """By the made-up rule. Nothing moves in a run."""
    poses = [(body.x, body.y, body.angle, 0.0, 0.0, 0.0) for body in puzzle.scene.bodies]
    return AttemptResult(action, SimulationStatus(int(outcome(puzzle, action[None])[0])), lambda: np.array([poses]))


def fixed(statuses: Sequence[Sequence[int]], known: Sequence[Puzzle]) -> Experience:
    """Outcomes of the first actions as they are given."""
    table = np.array(statuses, dtype=np.int8)
    return Experience(tuple(known), ACTIONS[: table.shape[1]], table)
