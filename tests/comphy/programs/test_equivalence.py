"""Programs that mean the same, and such that do not."""

import pytest

from comphy.programs.equivalence import same_meaning
from comphy.programs.program import parse
from comphy.programs.types import ValueType

RED, CUBE = "objects red filter_color unique", "objects cube filter_shape unique"


def same(first: str, second: str) -> bool:
    given = (ValueType.EVENT,) if "belong_to" in first else ()
    return same_meaning(parse(first.split(), given), parse(second.split(), given))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("objects red filter_color cube filter_shape count", "objects cube filter_shape red filter_color count"),
        ("objects red filter count", "objects red filter_color count"),
        ("objects red filter_color red filter_color count", "objects red filter_color count"),
        ("objects moving filter_status count", "objects null filter_moving count"),
        (f"{RED} color query", f"{RED} query_color"),
        (f"{RED} filter_mass {CUBE} filter_mass is_heavier", f"{CUBE} filter_mass {RED} filter_mass is_lighter"),
        (f"{RED} {CUBE} equal_charge", f"{CUBE} {RED} equal_charge"),
        (
            f"events {RED} filter_collision {CUBE} filter_collision exist",
            f"events {CUBE} filter_collision {RED} filter_collision exist",
        ),
        ("events objects filter_in end filter_before count", "events end filter_before objects filter_in count"),
        ("scene filter_heavy exist", "objects filter_heavy exist"),
    ],
)
def test_the_same_in_other_words(first: str, second: str):
    assert same(first, second) and same(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("objects red filter_color count", "objects blue filter_color count"),
        ("objects red filter_color count", "objects red filter_color exist"),
        ("objects red filter_color count", "objects count"),
        (f"{RED} filter_mass {CUBE} filter_mass is_heavier", f"{CUBE} filter_mass {RED} filter_mass is_heavier"),
        ("objects filter_same red filter_color count", "objects red filter_color filter_same count"),
        ("unseen_events belong_to", "unseen_events belong_to not"),
        ("objects moving filter_status count", "objects stationary filter_status count"),
        ("objects null filter_moving count", "objects end query_frame filter_moving count"),
    ],
)
def test_what_is_not_the_same(first: str, second: str):
    assert not same(first, second)
