"""`middle_of_run`: shots that win at the edge of what wins, turned to its middle, so that they also win a little off."""

from collections.abc import Callable, Sequence
from typing import Final

from comphy.puzzles.phyq.world.launch import Shot
from data_gen.phyq.solutions.solving import NUDGES, turned

STEP: Final = NUDGES[1] / 2  # degrees
MOST_STEPS: Final = 4  # to each side

Shots = tuple[Shot, ...]


def middle_of_run(shots: Sequence[Shot], wins: Callable[[Shots], bool]) -> Shots:
    """Shots that win, all turned by the same angle: to the middle of the run of such angles around them that win."""
    left, right = (_steps_that_win(shots, sign * STEP, wins) for sign in (-1, 1))
    return _all_turned(shots, (right - left) / 2 * STEP)


def _steps_that_win(shots: Sequence[Shot], step: float, wins: Callable[[Shots], bool]) -> int:
    return next((k - 1 for k in range(1, MOST_STEPS + 1) if not wins(_all_turned(shots, k * step))), MOST_STEPS)


def _all_turned(shots: Sequence[Shot], degrees: float) -> Shots:
    return tuple(turned(shot, degrees) for shot in shots)
