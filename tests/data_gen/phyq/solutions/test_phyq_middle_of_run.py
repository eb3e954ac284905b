"""A solution at the edge of what wins moves to the middle."""

import pytest

from comphy.puzzles.phyq.world.launch import Shot
from data_gen.phyq.solutions.middle_of_run import MOST_STEPS, STEP, Shots, middle_of_run


@pytest.mark.parametrize("degrees", [20.0, 20.15, 20.3])
def test_the_middle_of_what_wins(degrees: float) -> None:
    [middle] = middle_of_run([Shot.at(degrees)], lambda shots: 19.99 < shots[0].degrees < 20.31)
    assert middle.degrees == pytest.approx(20.15, abs=STEP / 2)


def test_what_wins_beyond_a_gap_is_another_run() -> None:
    def wins(shots: Shots) -> bool:
        return 19.99 < shots[0].degrees < 20.2 or 20.25 < shots[0].degrees < 22.0

    [middle] = middle_of_run([Shot.at(20.0)], wins)
    assert middle.degrees == pytest.approx(20.1, abs=STEP)


def test_all_shots_are_turned_together_and_keep_their_stretch_and_taps() -> None:
    shots = [Shot.at(20.0, 0.8, tap=1.5), Shot.at(50.0)]
    middle = middle_of_run(shots, lambda turned: 49.99 < turned[1].degrees < 50.31)
    assert [shot.degrees for shot in middle] == pytest.approx([20.15, 50.15], abs=STEP / 2)
    assert (middle[0].dx ** 2 + middle[0].dy ** 2) ** 0.5 == pytest.approx(0.8) and middle[0].tap == 1.5


def test_no_end_of_what_wins_is_looked_for_far_away() -> None:
    tried: list[float] = []

    def wins(shots: Shots) -> bool:
        tried.append(shots[0].degrees)
        return True

    [middle] = middle_of_run([Shot.at(20.0)], wins)
    assert middle.degrees == pytest.approx(20.0)
    assert (min(tried), max(tried)) == pytest.approx((20.0 - MOST_STEPS * STEP, 20.0 + MOST_STEPS * STEP))
