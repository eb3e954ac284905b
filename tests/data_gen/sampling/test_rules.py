"""Rules that contradict each other or the benchmark are refused, all at once."""

import pytest

from comphy.errors import ConfigError
from data_gen.sampling.rules import Rejection, SceneRules


def test_the_default_rules_are_those_of_the_benchmark() -> None:
    rules = SceneRules()
    rules.check()
    assert (rules.min_objects, rules.max_objects) == (3, 5)
    assert set(rules.families) == {"mass", "charge", "both"}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (SceneRules(min_objects=2), "expected 3 <= min_objects <= max_objects"),
        (SceneRules(min_objects=5, max_objects=4), "expected 3 <= min_objects <= max_objects"),
        (SceneRules(max_objects=7), "only 6 objects fit"),
        (SceneRules(max_objects=49), "only 48 distinct looks exist"),
        (SceneRules(families={"weight": 1.0}), r"unknown families \['weight'\]; known: \['mass', 'charge', 'both'\]"),
        (SceneRules(families={}), "positive sum"),
        (SceneRules(families={"mass": 0.0}), "positive sum"),
        (SceneRules(families={"mass": -1.0, "both": 2.0}), "non-negative"),
        (SceneRules(heavy_share=1.5), "heavy_share is a share"),
        (SceneRules(future_share=-0.1), "future_share is a share"),
        (SceneRules(min_visibility=2.0), "min_visibility is a share"),
        (SceneRules(min_visible_frames=51), "min_visible_frames is 51 but a reference video has 50 frames"),
        (SceneRules(target_attempts=0), "target_attempts must be at least 1"),
        (SceneRules(reference_attempts=0), "reference_attempts must be at least 1"),
    ],
)
def test_impossible_rules_are_refused(rules: SceneRules, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        rules.check()


def test_all_problems_are_listed_at_once() -> None:
    rules = SceneRules(min_objects=1, max_objects=9, families={"odd": 1.0}, heavy_share=3.0, target_attempts=0)
    with pytest.raises(ConfigError) as caught:
        rules.check()
    for word in ("min_objects", "max_objects is 9", "unknown families", "heavy_share", "target_attempts"):
        assert word in str(caught.value)
    assert str(caught.value).count("\n  - ") == 5


def test_every_rejection_says_why() -> None:
    assert all(len(str(reason)) > 10 for reason in Rejection)
    assert len({str(reason) for reason in Rejection}) == len(Rejection)
