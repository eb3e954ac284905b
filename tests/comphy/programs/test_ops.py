"""The op table is what everything else is driven by: it must be complete and free of contradictions."""

from collections import Counter

import pytest

from comphy.programs.handlers import HANDLERS
from comphy.programs.ops import ALIASES, OPS, Group
from comphy.programs.types import ANSWER_TYPES, LITERAL_ALIASES, LITERALS, ValueType
from tests.support.strategies import every_signature

# Operators with their numbers of arguments, as registered by the published executor of ComPhy's programs.
PUBLISHED = {
    "objects": 0, "events": 0, "unseen_events": 0, "all_events": 0,
    "unique": 1, "count": 1, "exist": 1, "negate": 1, "not": 1, "belong_to": 2,
    "filter_color": 2, "filter_shape": 2, "filter_material": 2,
    "filter_moving": 2, "filter_stationary": 2, "filter_resting": 2,
    "filter_start": 1, "filter_end": 1, "filter_in": 2, "filter_out": 2, "filter_collision": 2,
    "filter_order": 2, "filter_before": 2, "filter_after": 2, "filter_ancestor": 2,
    "query_color": 1, "query_shape": 1, "query_material": 1, "query_direction": 2,
    "query_frame": 1, "query_object": 1, "query_collision_partner": 2,
    "counterfact_events": 2, "filter_counterfact": 3,
    "filter_charged": 1, "filter_uncharged": 1, "filter_opposite": 1, "filter_same": 1,
    "filter_light": 1, "filter_heavy": 1, "filter_mass": 1, "is_heavier": 2, "is_lighter": 2, "equal_charge": 2,
    "query_both_color": 1, "query_both_shape": 1, "query_both_material": 1,
}  # fmt: skip
# Of CLEVRER: its executor's one-argument and two-argument counterfactuals, and the names in its released question files.
CLEVRER = {
    "counterfact_events": 1, "filter_counterfact": 2, "get_counterfact": 2,
    "start": 0, "end": 0, "get_frame": 1, "get_object": 1, "get_col_partner": 2, "negate": 1,
}  # fmt: skip
# Names that later code adds. Its `filter_spatial` (blocks) is left out; its `counterfact_*` are literals.
LATER = {
    "scene": 0, "intersect": 2, "union": 2, "filter": 2, "filter_status": 2, "filter_temporal": 2, "query": 2,
    "query_both": 2, "get_frame": 1, "get_col_partner": 2, "start": 0, "end": 0,
}  # fmt: skip


@pytest.mark.parametrize("name, count", [*PUBLISHED.items(), *CLEVRER.items(), *LATER.items()])
def test_published_operators_exist_with_their_number_of_arguments(name: str, count: int):
    op = OPS[ALIASES.get(name, name)]
    assert count in {len(signature.params) for signature in op.signatures}


@pytest.mark.parametrize("word", ["heavier", "lighter", "uncharged", "opposite"])
def test_premises_are_literals(word: str):
    assert LITERALS[f"counterfact_{word}"][0] is ValueType.PREMISE


def test_every_signature_has_a_handler_and_every_handler_a_signature():
    named = {f"{op.name}_{s.variant}" if s.variant else op.name for op, s in every_signature()}
    assert named == set(HANDLERS)


def test_names_are_unique():
    names = [*OPS, *ALIASES, *LITERALS, *LITERAL_ALIASES]
    aliases = [alias for op in OPS.values() for alias in op.aliases]
    assert [name for name, count in Counter([*OPS, *aliases]).items() if count > 1] == []
    # `shape` is a word of one type only; operators and words must not be taken for each other.
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert set(LITERAL_ALIASES.values()) <= set(LITERALS)


def test_signatures_of_an_operator_differ_and_the_longest_stand_first():
    for op in OPS.values():
        seen = [(signature.params, signature.result) for signature in op.signatures]
        assert len(set(seen)) == len(seen)
        lengths = [len(signature.params) for signature in op.signatures]
        assert lengths == sorted(lengths, reverse=True)


def test_variants_tell_apart_what_differs_in_the_result_or_the_number_of_arguments():
    for op in OPS.values():
        by_variant: dict[str, set[int]] = {}
        for signature in op.signatures:
            by_variant.setdefault(signature.variant, set()).add(len(signature.params))
        assert all(len(lengths) == 1 for lengths in by_variant.values())


def test_conditions_narrow_their_first_argument():
    for op in OPS.values():
        if op.narrows:
            pairs = {(s.params[0], s.result) for s in op.signatures}
            narrowed = {(ValueType.OBJECTS, ValueType.OBJECTS), (ValueType.EVENTS, ValueType.EVENTS)}
            assert pairs <= narrowed | {(ValueType.EVENTS, ValueType.EVENT)}


def test_every_group_is_used_and_every_meaning_told():
    assert {op.group for op in OPS.values()} == set(Group)
    assert all(op.meaning for op in OPS.values())


def test_answers_can_be_made_and_literals_taken():
    made = {signature.result for _, signature in every_signature()}
    taken = {param for _, signature in every_signature() for param in signature.params}
    assert made >= ANSWER_TYPES
    assert taken >= {kind for kind, _ in LITERALS.values()}
