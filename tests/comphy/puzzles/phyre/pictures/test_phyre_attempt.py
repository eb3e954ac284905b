"""Attempts as people watch them."""

import numpy as np
import pytest

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.puzzle import Puzzle
from comphy.puzzles.phyre.pictures.attempt import Attempt, attempt, parsed_action
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import GRAVITY, MAX_STEPS, PIXELS_PER_METRE, STEPS_FOR_SOLUTION, Color
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from tests.support.few_tasks import solved_task

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    task = solved_task()
    return Puzzle(task.id, task.template, task.scene(), task.solution)


@pytest.fixture(scope="module")
def solved(puzzle: Puzzle) -> Attempt:
    return attempt(puzzle, BALL.actions_of([puzzle.solution])[0])


def test_a_solution_ends_with_three_seconds_of_touch(solved: Attempt) -> None:
    assert solved.status is SimulationStatus.SOLVED
    first, last = solved.touches[-1]
    assert last == solved.steps
    assert last - first + 1 == STEPS_FOR_SOLUTION
    assert solved.longest_touch == pytest.approx(3.0)
    assert solved.verdict == f"solved at {solved.steps / 60:.1f} s"


def test_poses_begin_where_everything_stands(puzzle: Puzzle, solved: Attempt) -> None:
    assert solved.poses.shape == (solved.steps + 1, 3, 3)
    assert solved.bodies[-1].color is Color.RED
    np.testing.assert_array_equal(solved.poses[0], [(body.x, body.y, body.angle) for body in solved.bodies])
    assert puzzle.solution is not None
    assert tuple(solved.poses[0, -1, :2]) == puzzle.solution[:2]


def test_without_an_action_bodies_fall_freely_and_watching_ends_at_rest(puzzle: Puzzle) -> None:
    seen = attempt(puzzle, None)
    assert seen.status is SimulationStatus.NOT_SOLVED
    assert seen.verdict == "not solved: no touch"
    assert seen.poses.shape[1] == 2
    fallen = 0.5 * GRAVITY * PIXELS_PER_METRE * (30 / 60) ** 2
    assert seen.poses[0, 0, 1] - seen.poses[30, 0, 1] == pytest.approx(fallen, rel=0.05)
    assert seen.steps < MAX_STEPS
    np.testing.assert_allclose(seen.poses[-30], seen.poses[-1], atol=0.05)


def test_an_invalid_action_is_refused_with_the_reason(puzzle: Puzzle) -> None:
    green = puzzle.scene.bodies[0]
    inside = BALL.actions_of([(int(green.x), int(green.y), 5)])[0]
    with pytest.raises(ConfigError, match=r"task 00000:000 \(got x \d+, y \d+, radius 5\). The ball overlaps a green"):
        attempt(puzzle, inside)


def test_actions_are_read_from_text(puzzle: Puzzle) -> None:
    assert parsed_action(puzzle, "0.5, 0.25,1") == [0.5, 0.25, 1.0]
    for wrong in ("0.5,0.5", "a,b,c", "", "1,2,3,4,5,6"):
        with pytest.raises(ConfigError, match="Expected 3 numbers from 0 to 1"):
            parsed_action(puzzle, wrong)
