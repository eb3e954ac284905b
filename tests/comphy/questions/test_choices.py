from collections import Counter

import numpy as np
import pytest

from comphy.programs.executor import execute
from comphy.programs.program import parse
from comphy.programs.types import ValueType
from comphy.questions.askable import AskableSet
from comphy.questions.choices import counterfactual_candidates, draw_choices, predictive_candidate
from comphy.questions.model import Choice
from tests.support.scenes import SHOWN, askable, facts


def _verdict(program: tuple[str, ...], choice: Choice) -> bool:
    return execute(parse((*choice.program, *program), wanted=ValueType.BOOL), facts())


def test_predictive_choices_are_right_if_they_happen_after_the_video() -> None:
    candidate = predictive_candidate(askable())
    assert candidate is not None
    assert candidate.right == ((0, 3),) and len(candidate.wrong) == 5


def test_only_premises_that_make_a_difference_are_asked_about() -> None:
    found = list(counterfactual_candidates(askable(), np.random.default_rng(0)))
    assert Counter(candidate.run for candidate in found) == {"mass_0_1": 2, "charge_1_0": 2, "charge_2_0": 2}
    decisive = {candidate.run: candidate.decisive for candidate in found}
    assert decisive == {"mass_0_1": ((1, 2),), "charge_1_0": ((1, 2), (1, 3)), "charge_2_0": ((0, 1), (1, 2))}


def test_premises_wait_for_evidence() -> None:
    collisions_only = askable(shown=SHOWN[:2])
    found = list(counterfactual_candidates(collisions_only, np.random.default_rng(0)))
    assert {candidate.run for candidate in found} == {"mass_0_1"}


@pytest.mark.parametrize("count", [2, 3, 4])
def test_choices_agree_with_their_programs_and_hold_a_decisive_one(count: int) -> None:
    scene = askable()
    for seed in range(10):
        rng = np.random.default_rng(seed)
        for candidate in counterfactual_candidates(scene, rng):
            choices = draw_choices(candidate, count, range(count + 1), scene, rng)
            assert [choice.choice_id for choice in choices] == list(range(count))
            assert all(_verdict(candidate.program, choice) is choice.correct for choice in choices)
            pairs = [execute(parse(choice.program), facts()).objects for choice in choices]
            assert len(set(pairs)) == count
            assert any(pair in candidate.decisive for pair in pairs)


def test_the_first_possible_number_of_right_choices_is_taken() -> None:
    scene, rng = askable(), np.random.default_rng(0)
    candidate = predictive_candidate(scene)
    assert candidate is not None
    for preferred, expected in (((2, 1, 0), 1), ((0, 1, 2), 0), ((1, 0, 2), 1)):
        choices = draw_choices(candidate, 2, preferred, scene, rng)
        assert sum(choice.correct is True for choice in choices) == expected, "one pair of six is right"


def test_a_scene_of_three_objects_has_at_most_three_choices() -> None:
    whole = facts()
    small = facts(
        objects=whole.objects[:3],
        unseen=whole.visible[1:2],
        moving=whole.moving[:, :3],
        direction=whole.direction[:, :3],
        inside=whole.inside[:, :3],
    )
    scene = AskableSet(0, small, (), SHOWN)
    candidate = predictive_candidate(scene)
    assert candidate is not None
    assert len(draw_choices(candidate, 4, (0, 1, 2, 3), scene, np.random.default_rng(0))) == 3
