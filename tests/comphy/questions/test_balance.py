from collections import Counter
from dataclasses import replace

import numpy as np

from comphy.questions.balance import COUNTERFACTUAL_PER_SET, FACTUAL_PER_SET, MOST_COUNTERFACTUAL, SplitBalance
from comphy.questions.choices import ChoiceCandidate
from comphy.questions.factual import FactualCandidate
from comphy.questions.model import QuestionKind
from comphy.questions.templates import Template
from tests.support.scenes import askable


def _candidate(family: str, answer: str, weight: float = 1.0) -> FactualCandidate:
    return FactualCandidate(Template(family, weight, "", ("?",)), (), {}, answer, ())


def _choice_candidate(family: str, run: str, negated: bool = False) -> ChoiceCandidate:
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    return ChoiceCandidate(
        QuestionKind.COUNTERFACTUAL, family, (), ("?",), pairs[:2], pairs[2:], pairs, negated=negated, run=run
    )


def test_an_answer_that_is_mostly_on_offer_does_not_become_the_safe_guess() -> None:
    rng = np.random.default_rng(0)
    balance = SplitBalance(many_choices=False)
    others = [_candidate(f"other_{k}", "yes") for k in range(4)]
    for _ in range(400):
        offered = [_candidate("biased", "no"), *others]
        if rng.random() < 0.3:
            offered.append(_candidate("biased", "yes"))
        balance.pick_factual(offered, rng)
    counts = balance.factual.counts["biased"]
    assert counts.total() > 150
    assert abs(counts["yes"] - counts["no"]) <= 0.1 * counts["yes"] + 2


def test_families_are_asked_in_proportion_to_their_weights() -> None:
    rng = np.random.default_rng(0)
    balance = SplitBalance(many_choices=False)
    offered = [_candidate(f"w{weight}", answer, weight) for weight in (1, 2, 3, 4) for answer in ("a", "b")]
    for _ in range(300):
        picked = balance.pick_factual(offered, rng)
        assert len(picked) == FACTUAL_PER_SET
        assert len({candidate.template.family for candidate in picked}) == FACTUAL_PER_SET
    asked = [balance.factual.asked(f"w{weight}") for weight in (1, 2, 3)]
    np.testing.assert_allclose(np.array(asked) / asked[0], (1, 2, 3), rtol=0.03)


def test_counterfactual_questions_keep_their_average_though_some_sets_admit_none() -> None:
    rng = np.random.default_rng(0)
    balance = SplitBalance(many_choices=False)
    per_set = []
    for k in range(300):
        offered = (
            [] if k % 3 == 0 else [_choice_candidate(f, r) for f, r in (("a", "1"), ("b", "1"), ("a", "2"), ("b", "2"))]
        )
        picked = balance.pick_counterfactual(offered, rng)
        per_set.append(len(picked))
        if len(picked) >= 2:
            assert len({candidate.run for candidate in picked[:2]}) == 2, "another run while there is one"
    assert max(per_set) <= MOST_COUNTERFACTUAL
    assert abs(sum(per_set) / 300 - COUNTERFACTUAL_PER_SET) < 0.05
    assert abs(balance.premises["a"] - balance.premises["b"]) <= 2


def test_numbers_of_choices_follow_the_release() -> None:
    rng = np.random.default_rng(0)
    scene = askable()
    test, train = SplitBalance(many_choices=True), SplitBalance(many_choices=False)
    counts = Counter(len(test.with_choices(_choice_candidate("a", "1"), scene, rng)) for _ in range(600))
    assert set(counts) == {2, 3, 4}
    assert abs(counts[4] / 600 - 5572 / 6547) < 0.04 and abs(counts[2] / 600 - 600 / 6547) < 0.04
    assert {len(train.with_choices(_choice_candidate("a", "1"), scene, rng)) for _ in range(20)} == {2}


def test_right_choices_are_as_frequent_as_aimed_at_though_two_of_six_pairs_are_right() -> None:
    rng = np.random.default_rng(0)
    balance = SplitBalance(many_choices=False)
    for _ in range(400):
        balance.with_choices(_choice_candidate("a", "1"), askable(), rng)
    drawn = balance.rights["counterfactual", 2]
    shares = [drawn[k] / 400 for k in range(3)]
    np.testing.assert_allclose(shares, (0.55**2, 2 * 0.45 * 0.55, 0.45**2), atol=0.01)


def test_what_is_rarely_possible_is_made_up_for_when_it_is() -> None:
    rng = np.random.default_rng(0)
    balance = SplitBalance(many_choices=False)
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    for k in range(400):
        right = 1 if k % 4 else 3  # in one set of four more than one pair is right
        candidate = replace(_choice_candidate("a", "1"), right=pairs[:right], wrong=pairs[right:])
        balance.with_choices(candidate, askable(), rng)
    assert abs(balance.rights["counterfactual", 2][2] / 400 - 0.45**2) < 0.02
