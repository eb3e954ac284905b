"""When a question is worth asking: it is neither degenerate nor ill-posed, in the words of the CLEVR paper."""

from collections.abc import Sequence
from typing import Any

from comphy.errors import ProgramError
from comphy.programs.executor import execute
from comphy.programs.facts import SceneFacts
from comphy.programs.program import Node, Program, dropped
from comphy.programs.types import ValueType


def is_degenerate(program: Program, facts: SceneFacts) -> bool:
    """Whether a condition is redundant: the answer stays the same when it is dropped.

    A yes to "are there any" survives every dropping, so there the set that is asked about has to change.
    """
    root = program.root
    if root.op is not None and root.op.name == "exist":
        program = Program(root.arguments[0])
    answer = execute(program, facts)
    conditions = (node for node in program.root.walk() if node.op is not None and node.op.narrows)
    return any(_value(dropped(program, node), facts) == answer for node in conditions)


def is_well_posed(program: Program, facts: SceneFacts, imprecise: Sequence[SceneFacts]) -> bool:
    """Whether less precise observers give the same answer, and the wording has one meaning only."""
    answer = execute(program, facts)
    return all(_value(program, seen) == answer for seen in imprecise) and not any(
        _is_ambiguous(node, facts) for node in program.root.walk()
    )


def _value(program: Program, facts: SceneFacts) -> Any:
    try:
        return execute(program, facts)
    except ProgramError:
        return None


def _is_ambiguous(node: Node, facts: SceneFacts) -> bool:
    """Two ways in which words and program may part: who enters twice, and whether no charge is a charge."""
    if node.op is None:
        return False
    arguments = node.arguments
    if node.op.name == "count" and arguments[0].type is ValueType.EVENTS:
        passages = [event.objects for event in execute(Program(arguments[0]), facts) if len(event.objects) == 1]
        return len(set(passages)) < len(passages)
    if node.op.name == "equal_charge":
        return not any(facts.objects[execute(Program(argument), facts)].charge for argument in arguments)
    return False
