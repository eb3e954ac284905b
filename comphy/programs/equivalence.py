"""Whether two programs mean the same though they are written otherwise: conditions in another order, or by other operators.

Only what is the same in every scene counts. Programs that happen to have the same answer about one scene are not the same.
"""

from typing import Any, Final

from comphy.programs.program import Node, Program

Form = tuple[Any, ...]

# Conditions on each element alone: their order does not matter, and repeating one changes nothing. `filter_opposite` and
# `filter_order` depend on what else is in the set.
_EACH: Final = frozenset(
    {
        *("filter_color", "filter_shape", "filter_material", "filter_moving", "filter_stationary"),
        *("filter_heavy", "filter_light", "filter_charged", "filter_uncharged"),
        *("filter_in", "filter_out", "filter_collision", "filter_before", "filter_after"),
    }
)
_SYMMETRIC: Final = frozenset({"intersect", "union", "equal_charge"})
_MIRRORED: Final = {"is_lighter": "is_heavier"}
_GENERAL: Final = (
    "filter",
    "query",
    "query_both",
)  # the attribute may stand in the operator's name, or in its argument


def same_meaning(first: Program, second: Program) -> bool:
    """Whether two programs give the same result in every scene, as far as their form shows it."""
    return first.given == second.given and _form(first.root) == _form(second.root)


def _form(node: Node) -> Form:
    """One form for all ways to write the same."""
    if _name(node) in _EACH:
        return _conditions(node)
    arguments = [_form(argument) for argument in node.arguments]
    if node.token in _MIRRORED:
        return (_MIRRORED[node.token], *reversed(arguments))
    if node.token in ("query", "query_both"):
        return (_name(node), arguments[0])
    if node.token in _SYMMETRIC:
        arguments.sort(key=repr)
    return (node.token, *arguments)


def _conditions(node: Node) -> Form:
    """A set with all conditions on its elements, in one order."""
    found: list[Form] = []
    while (name := _name(node)) in _EACH:
        rest = [("null",)] if node.token == "filter_status" else [_form(argument) for argument in node.arguments[1:]]
        found.append((name, *rest))
        node = node.arguments[0]
    return ("all of", _form(node), *sorted(dict.fromkeys(found), key=repr))


def _name(node: Node) -> str:
    """The operator that says in its name what it is about, for one that says it by its argument."""
    if node.token == "filter_status":
        return f"filter_{node.arguments[1].token}"
    if node.token in _GENERAL:
        about = node.arguments[1]
        return f"{node.token}_{about.type if node.token == 'filter' else about.token}"
    return node.token
