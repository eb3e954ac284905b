import pytest

from comphy.errors import ConfigError
from comphy.questions.templates import parse_templates, templates

GOOD = {"family": "f", "weight": 1, "program": "objects {look} count", "text": ["How many {looks} are there?"]}


def test_the_benchmark_covers_the_paper() -> None:
    programs = " ".join(template.program for template in templates())
    for op in ("query_{attribute}", "exist", "count", "query_direction", "filter_order", "query_collision_partner",
               "is_{comparison}", "equal_charge", "query_both_{attribute}", "filter_{mass}", "filter_{charge}"):  # fmt: skip
        assert op in programs
    assert all(len(template.text) > 1 for template in templates()), "several phrasings each"


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({}, "expected a list of templates"),
        ([{"family": "f"}], "expected the keys family, weight, program, text"),
        ([GOOD | {"weight": "much"}], "unexpected value of 'weight'"),
        ([GOOD | {"weight": 0}], "positive weight"),
        ([GOOD | {"text": []}], "at least one phrasing"),
        ([GOOD | {"program": "objects {loook} count"}], "unknown slot 'loook'; did you mean 'look'?"),
        ([GOOD, GOOD], "each family once"),
    ],
)
def test_bad_templates_are_named(records: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        parse_templates(records, "my.yaml")
