"""Batches: half solve their task, nothing is invalid, and a task with many solutions can be kept from crowding out."""

import numpy as np
import pytest

from comphy.errors import DatasetError
from models.agents.experience import Experience
from models.agents.scorers.examples import Examples
from tests.support.tiny_world import ACTIONS, experience, fixed, outcome, puzzles


def test_half_of_a_batch_solves_its_task_and_the_rest_fails() -> None:
    known = puzzles(2)
    batch = Examples(experience(known), balance_tasks=False).draw(9, np.random.default_rng(0))
    assert batch.solved.tolist() == [1] * 4 + [0] * 5
    for row, action, solved in zip(batch.rows, batch.actions.numpy(), batch.solved, strict=True):
        number = int(np.abs(ACTIONS - action).sum(axis=1).argmin())
        np.testing.assert_allclose(ACTIONS[number], action, rtol=1e-6)
        assert outcome(known[row], ACTIONS[[number]])[0] == (1 if solved else -1)


def test_actions_of_a_task_come_in_a_row_and_half_solve_it() -> None:
    known = puzzles(2)
    batch = Examples(experience(known), balance_tasks=True).draw(24, np.random.default_rng(0), each=4)
    assert batch.rows.shape == (6,) and len(set(batch.rows.tolist())) > 1
    assert batch.solved.tolist() == [1, 1, 0, 0] * 6
    for place, (action, solved) in enumerate(zip(batch.actions.numpy(), batch.solved, strict=True)):
        number = int(np.abs(ACTIONS - action).sum(axis=1).argmin())
        assert outcome(known[batch.rows[place // 4]], ACTIONS[[number]])[0] == (1 if solved else -1)


@pytest.mark.parametrize(("balance_tasks", "share"), [(False, 0.1), (True, 0.5)])
def test_tasks_with_few_solutions_are_heard(balance_tasks: bool, share: float) -> None:
    """One solution in the first task, nine in the second."""
    seen = fixed([[1, *[-1] * 9], [*[1] * 9, -1]], puzzles(1))
    batch = Examples(seen, balance_tasks).draw(4000, np.random.default_rng(1))
    assert (batch.rows[:2000] == 0).float().mean().item() == pytest.approx(share, abs=0.05)


def test_certified_solutions_are_learned_from() -> None:
    [puzzle, _] = puzzles(1)
    certified = np.array([[0.25, 0.5, 0.75]])
    seen = Experience((puzzle,), ACTIONS[:3], np.array([[-1, -1, 0]], dtype=np.int8), certified)
    batch = Examples(seen, balance_tasks=True).draw(4, np.random.default_rng(0))
    assert batch.actions[:2].tolist() == [[0.25, 0.5, 0.75]] * 2


def test_nothing_to_learn_is_explained() -> None:
    for statuses in ([[-1, -1, 0]], [[1, 1, 0]]):
        with pytest.raises(DatasetError, match=r"actions that solve a training task.*Try more actions: --actions"):
            Examples(fixed(statuses, puzzles(1)[:1]), balance_tasks=False)
