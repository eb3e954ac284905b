"""Folds: sizes, no leaks, everything tested equally often; and the published rule with its published oddities."""

from collections import Counter
from pathlib import Path

import pytest

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.folds import (
    MAIN_EVAL_SETUPS,
    NUM_FOLDS,
    Fold,
    FoldRule,
    eval_setup_to_action_tier,
    fold_of,
    get_fold,
    list_eval_setups,
)
from comphy.puzzles.phyre.benchmark.tasks import template_of
from tests.support.few_tasks import install

FIRST_TEMPLATE = {"ball": 0, "two_balls": 100}


def ids_of(setup: str) -> list[str]:
    first = FIRST_TEMPLATE[eval_setup_to_action_tier(setup)]
    return [f"{template:05}:{number:03}" for template in range(first, first + 25) for number in range(0, 300, 3)]


def folds(setup: str, rule: FoldRule) -> list[Fold]:
    return [fold_of(ids_of(setup), setup, seed, rule) for seed in range(NUM_FOLDS)]


def templates(ids: tuple[str, ...]) -> set[str]:
    return {template_of(one) for one in ids}


@pytest.mark.parametrize("rule", FoldRule)
@pytest.mark.parametrize("setup", MAIN_EVAL_SETUPS)
def test_every_task_is_in_one_part_of_a_fold(setup: str, rule: FoldRule) -> None:
    made = folds(setup, rule)
    for fold in made:
        assert tuple(map(len, fold)) == (1600, 400, 500)
        assert sorted(fold.train + fold.dev + fold.test) == ids_of(setup)
        assert all(list(part) == sorted(part) for part in fold)
    assert len(set(made)) == NUM_FOLDS
    shuffled = sorted(ids_of(setup), key=lambda one: one[::-1])
    assert fold_of(shuffled, setup, 3, rule) == made[3]


@pytest.mark.parametrize("rule", FoldRule)
@pytest.mark.parametrize("setup", [one for one in MAIN_EVAL_SETUPS if "cross" in one])
def test_cross_parts_share_no_template(setup: str, rule: FoldRule) -> None:
    for fold in folds(setup, rule):
        assert [len(templates(part)) for part in fold] == [16, 4, 5]


@pytest.mark.parametrize("setup", [one for one in MAIN_EVAL_SETUPS if "cross" in one])
def test_each_template_is_tested_exactly_twice(setup: str) -> None:
    made = folds(setup, FoldRule.BALANCED)
    tested = Counter(template for fold in made for template in templates(fold.test))
    assert set(tested.values()) == {2} and len(tested) == 25
    for half in (made[:5], made[5:]):
        assert len(set().union(*(templates(fold.test) for fold in half))) == 25
        tuned = Counter(template for fold in half for template in templates(fold.dev))
        assert set(tuned.values()) == {1}
    assert {frozenset(templates(f.test)) for f in made[:5]}.isdisjoint({frozenset(templates(f.test)) for f in made[5:]})


@pytest.mark.parametrize("setup", [one for one in MAIN_EVAL_SETUPS if "within" in one])
def test_within_templates_all_parts_have_as_many_of_each(setup: str) -> None:
    made = folds(setup, FoldRule.BALANCED)
    for fold in made:
        for part, each in zip(fold, (64, 16, 20), strict=True):
            assert set(Counter(map(template_of, part)).values()) == {each}
    assert set(Counter(one for fold in made for one in fold.test).values()) == {2}


def test_the_original_rule_has_the_published_gaps() -> None:
    """Known of the published folds: which templates their ten cross folds never test, and which they test five times."""
    for setup, never, most in (
        ("ball_cross_template", {"00006"}, {"00015", "00016"}),
        ("two_balls_cross_template", {"00100", "00102"}, {"00109"}),
    ):
        tested = Counter(t for fold in folds(setup, FoldRule.ORIGINAL) for t in templates(fold.test))
        assert templates(tuple(ids_of(setup))) - set(tested) == never
        assert {template for template, count in tested.items() if count == 5} == most
        assert max(tested.values()) == 5


def test_the_original_rule_tests_20_of_each_template_and_does_not_balance_dev() -> None:
    for fold in folds("ball_within_template", FoldRule.ORIGINAL):
        assert set(Counter(map(template_of, fold.test)).values()) == {20}
        assert len(set(Counter(map(template_of, fold.dev)).values())) > 1


def test_folds_of_the_packages_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = install(tmp_path, monkeypatch)
    train, dev, test = get_fold("ball_within_template", 0)
    assert sorted(train + dev + test) == [task.id for task in made[:5]]
    assert get_fold("ball_within_template", 0, "original") == get_fold("ball_within_template", 0, FoldRule.ORIGINAL)


def test_names() -> None:
    assert list_eval_setups() == tuple(sorted(MAIN_EVAL_SETUPS))
    assert set(MAIN_EVAL_SETUPS) == {
        f"{tier}_{kind}_template" for tier in ("ball", "two_balls") for kind in ("cross", "within")
    }
    assert eval_setup_to_action_tier("two_balls_cross_template") == "two_balls"


def test_mistakes_are_explained() -> None:
    with pytest.raises(ConfigError, match="did you mean 'ball_cross_template'"):
        get_fold("ball_cros_template", 0)
    with pytest.raises(ConfigError, match=r"fold from 0 to 9 \(got 10\)"):
        fold_of([], "ball_cross_template", 10)
    with pytest.raises(ConfigError, match="did you mean 'original'"):
        fold_of([], "ball_cross_template", 0, "orginal")
