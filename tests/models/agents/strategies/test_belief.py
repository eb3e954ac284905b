"""Failures count against what is near, closeness counts for it, and far away nothing changes."""

import numpy as np
import pytest

from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from models.agents.strategies.belief import Belief, BeliefSettings

FAVOURITE, NEIGHBOUR, FAR = (np.array((x, 0.5, 0.5)) for x in (0.3, 0.305, 0.8))


def belief(settings: BeliefSettings) -> Belief:
    made = Belief(BALL, settings)
    made.add(np.array([FAVOURITE, NEIGHBOUR, FAR]), np.array([3.0, 2.5, 2.0]))
    return made


def order(settings: BeliefSettings, closeness: float = 0.0) -> list[float]:
    """All three fail, one after the other."""
    made, taken = belief(settings), []
    while (action := made.take()) is not None:
        taken.append(float(action[0]))
        made.failed(action, closeness)
    return taken


def test_after_a_failure_something_else_is_tried() -> None:
    assert order(BeliefSettings(correlation=0.9)) == [0.3, 0.8, 0.305]


def test_without_agreement_the_order_is_the_scorers() -> None:
    assert order(BeliefSettings(correlation=0.0)) == [0.3, 0.305, 0.8]


def test_the_higher_the_temperature_the_more_a_failure_counts() -> None:
    """The favourite leads its neighbour by 0.5, the neighbour the distant action by 4: more than a failure can cost."""

    def taken_second(temperature: float) -> float:
        made = Belief(BALL, BeliefSettings(correlation=0.9, proximity_weight=0.0, temperature=temperature))
        made.add(np.array([FAVOURITE, NEIGHBOUR, FAR]), np.array([6.5, 6.0, 2.0]))
        first = made.take()
        assert first is not None and first[0] == 0.3, "the scorers' order is the same"
        made.failed(first, 0.0)
        second = made.take()
        assert second is not None
        return float(second[0])

    assert (taken_second(1.0), taken_second(4.0)) == (0.305, 0.8)


def test_the_same_action_again_is_worth_what_the_settings_say() -> None:
    """log(1 - correlation), by definition; nothing of it is left far away."""
    made = Belief(BALL, BeliefSettings(correlation=0.9, proximity_weight=0.0))
    made.add(np.array([FAVOURITE, FAR]), np.array([1.0, 2.0]))
    made.failed(FAVOURITE, 0.0)
    assert made.log_odds() == pytest.approx([1.0 + np.log(0.1), 2.0])


def test_attempts_that_came_close_speak_for_their_neighbours() -> None:
    made = Belief(BALL, BeliefSettings(correlation=0.0, proximity_weight=2.0))
    made.add(np.array([FAVOURITE, FAR]), np.zeros(2))
    made.failed(NEIGHBOUR, 1.5)
    assert made.log_odds() == pytest.approx([0.0, 0.0]), "one attempt says nothing about better or worse"
    made.failed(FAR + 0.01, 0.5)
    near, far = made.log_odds()
    assert near > 0 > far
    np.testing.assert_array_equal(made.closest(), NEIGHBOUR)


def test_candidates_that_come_late_hear_of_what_failed_before() -> None:
    settings = BeliefSettings()
    early, late = Belief(BALL, settings), Belief(BALL, settings)
    some, logits = np.array([FAVOURITE, FAR]), np.array([1.0, 2.0])
    early.add(some, logits)
    for made in (early, late):
        made.failed(NEIGHBOUR, 0.7)
        made.failed(FAR + 0.02, 1.2)
    late.add(some, logits)
    np.testing.assert_allclose(early.log_odds(), late.log_odds())


def test_all_balls_count() -> None:
    made = Belief(TWO_BALLS, BeliefSettings(correlation=0.9, proximity_weight=0.0))
    half_the_same = np.concatenate([FAVOURITE, FAR])
    made.add(half_the_same[None], np.zeros(1))
    made.failed(np.concatenate([FAVOURITE, NEIGHBOUR]), 0.0)
    assert made.log_odds() == pytest.approx([0.0])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("length_scale", 0.0),
        ("correlation", 1.0),
        ("proximity_weight", -1.0),
        ("proximity_length_ratio", 0.0),
        ("temperature", 0.0),
    ],
)
def test_settings_that_make_no_sense(name: str, wrong: float) -> None:
    with pytest.raises(ValueError, match=f"expected .*{name}.* {wrong}"):
        BeliefSettings(**{name: wrong})
